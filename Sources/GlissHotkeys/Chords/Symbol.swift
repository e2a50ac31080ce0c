import GlissEvents

/// A character named in a hotkey, and the keysyms with which layouts produce it.
///
/// All these keysyms go into the table, so that an event's keysym is looked up unchanged.
package struct Symbol {
  /// In lower case if that is a single character.
  let character: Unicode.Scalar

  package init(_ character: Unicode.Scalar) {
    self.character =
      character == "\u{130}" ? "i" : Self.only(character.properties.lowercaseMapping) ?? character
  }

  /// Whether Shift and Caps Lock give it another form of the same letter.
  var isLetter: Bool { character.properties.isCased }

  /// The modifiers with which the layout chooses it, which a hotkey therefore cannot require.
  var choosers: ChordModifiers {
    isLetter ? .altGr : [.altGr, .shift, .leftShift, .rightShift]
  }

  /// The keysyms of keys that type the character alone, except on a keypad. Those of a letter
  /// include those of its other case.
  package var keysyms: [UInt32] {
    var forms = [character]
    if let capital = Self.capitals[character] { forms.append(capital) }
    if let upper = Self.only(character.properties.uppercaseMapping), upper != character,
      // Unless it is the upper case of another letter: I belongs to i, not to the dotless ı.
      Self.only(upper.properties.lowercaseMapping) == character
    {
      forms.append(upper)
    }
    return forms.flatMap(Self.keysyms)
  }

  /// All keysyms whose keys a hotkey with it means: also those of the keypad and of dead keys.
  package var pressedKeysyms: [UInt32] {
    switch character {
    case "*": keysyms + [0xffaa]
    case "+": keysyms + [0xffab]
    case "-": keysyms + [0xffad]
    case "/": keysyms + [0xffaf]
    case "`": keysyms + [0xfe50]
    case "\u{b4}": keysyms + [0xfe51]
    case "^": keysyms + [0xfe52]
    case "~": keysyms + [0xfe53]
    case "\u{a8}": keysyms + [0xfe57]
    case _: keysyms
    }
  }

  /// The key of a keypad that has it with and without Num Lock.
  var keypadKey: Key? {
    switch character {
    case "*": .keypadAsterisk
    case "+": .keypadPlus
    case "-": .keypadMinus
    case "/": .keypadSlash
    case _: nil
    }
  }

  /// Capitals that layouts have besides the upper case: German ß has ẞ, and Turkish i has İ.
  private static let capitals: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{df}": "\u{1e9e}", "i": "\u{130}",
  ]

  /// Keysyms as in X11's `keysymdef.h`: the code point itself in Latin-1, the code point with a bit
  /// set above that, and for many characters of other alphabets an older number that most layouts
  /// still use.
  private static func keysyms(of character: Unicode.Scalar) -> [UInt32] {
    let code = character.value
    switch code {
    case 0x20...0x7e, 0xa0...0xff: return [code]
    case _: return [code | 0x100_0000] + (LegacyKeysyms.of[code] ?? [])
    }
  }

  private static func only(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }
}

/// The keysyms from before Unicode (X11's keysymdef.h), as `keysym:code point`, with `:count` for a
/// consecutive run; all in hex.
enum LegacyKeysyms {
  static let of: [UInt32: [UInt32]] = {
    var keysyms: [UInt32: [UInt32]] = [:]
    for entry in table.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let parts = entry.split(separator: ":").compactMap { UInt32($0, radix: 16) }
      guard parts.count >= 2 else { continue }
      let count = parts.count > 2 ? parts[2] : 1
      for index in 0..<count { keysyms[parts[1] + index, default: []].append(parts[0] + index) }
    }
    return keysyms
  }()

  private static let table = """
    1a1:104 1a2:2d8 1a3:141 1a5:13d 1a6:15a 1a9:160 1aa:15e 1ab:164 1ac:179 1ae:17d 1af:17b 1b1:105
    1b2:2db 1b3:142 1b5:13e 1b6:15b 1b7:2c7 1b9:161 1ba:15f 1bb:165 1bc:17a 1bd:2dd 1be:17e 1bf:17c
    1c0:154 1c3:102 1c5:139 1c6:106 1c8:10c 1ca:118 1cc:11a 1cf:10e 1d0:110 1d1:143 1d2:147 1d5:150
    1d8:158 1d9:16e 1db:170 1de:162 1e0:155 1e3:103 1e5:13a 1e6:107 1e8:10d 1ea:119 1ec:11b 1ef:10f
    1f0:111 1f1:144 1f2:148 1f5:151 1f8:159 1f9:16f 1fb:171 1fe:163 1ff:2d9 2a1:126 2a6:124 2a9:130
    2ab:11e 2ac:134 2b1:127 2b6:125 2b9:131 2bb:11f 2bc:135 2c5:10a 2c6:108 2d5:120 2d8:11c 2dd:16c
    2de:15c 2e5:10b 2e6:109 2f5:121 2f8:11d 2fd:16d 2fe:15d 3a2:138 3a3:156 3a5:128 3a6:13b 3aa:112
    3ab:122 3ac:166 3b3:157 3b5:129 3b6:13c 3ba:113 3bb:123 3bc:167 3bd:14a 3bf:14b 3c0:100 3c7:12e
    3cc:116 3cf:12a 3d1:145 3d2:14c 3d3:136 3d9:172 3dd:168 3de:16a 3e0:101 3e7:12f 3ec:117 3ef:12b
    3f1:146 3f2:14d 3f3:137 3f9:173 3fd:169 3fe:16b 47e:203e 4a1:3002 4a2:300c:2 4a4:3001 4a5:30fb
    4a6:30f2 4a7:30a1 4a8:30a3 4a9:30a5 4aa:30a7 4ab:30a9 4ac:30e3 4ad:30e5 4ae:30e7 4af:30c3
    4b0:30fc 4b1:30a2 4b2:30a4 4b3:30a6 4b4:30a8 4b5:30aa:2 4b7:30ad 4b8:30af 4b9:30b1 4ba:30b3
    4bb:30b5 4bc:30b7 4bd:30b9 4be:30bb 4bf:30bd 4c0:30bf 4c1:30c1 4c2:30c4 4c3:30c6 4c4:30c8
    4c5:30ca:6 4cb:30d2 4cc:30d5 4cd:30d8 4ce:30db 4cf:30de:5 4d4:30e4 4d5:30e6 4d6:30e8:6 4dc:30ef
    4dd:30f3 4de:309b:2 5ac:60c 5bb:61b 5bf:61f 5c1:621:1a 5e0:640:13 6a1:452:2 6a3:451 6a4:454:9
    6ad:491 6ae:45e:2 6b0:2116 6b1:402:2 6b3:401 6b4:404:9 6bd:490 6be:40e:2 6c0:44e 6c1:430:2
    6c3:446 6c4:434:2 6c6:444 6c7:433 6c8:445 6c9:438:8 6d1:44f 6d2:440:4 6d6:436 6d7:432 6d8:44c
    6d9:44b 6da:437 6db:448 6dc:44d 6dd:449 6de:447 6df:44a 6e0:42e 6e1:410:2 6e3:426 6e4:414:2
    6e6:424 6e7:413 6e8:425 6e9:418:8 6f1:42f 6f2:420:4 6f6:416 6f7:412 6f8:42c 6f9:42b 6fa:417
    6fb:428 6fc:42d 6fd:429 6fe:427 6ff:42a 7a1:386 7a2:388:3 7a5:3aa 7a7:38c 7a8:38e 7a9:3ab
    7ab:38f 7ae:385 7af:2015 7b1:3ac:4 7b5:3ca 7b6:390 7b7:3cc:2 7b9:3cb 7ba:3b0 7bb:3ce 7c1:391:11
    7d2:3a3 7d4:3a4:6 7e1:3b1:11 7f2:3c3 7f3:3c2 7f4:3c4:6 8a1:23b7 8a2:250c 8a3:2500 8a4:2320:2
    8a6:2502 8a7:23a1 8a8:23a3:2 8aa:23a6 8ab:239b 8ac:239d:2 8ae:23a0 8af:23a8 8b0:23ac 8bc:2264
    8bd:2260 8be:2265 8bf:222b 8c0:2234 8c1:221d:2 8c5:2207 8c8:223c 8c9:2243 8cd:21d4 8ce:21d2
    8cf:2261 8d6:221a 8da:2282:2 8dc:2229:2 8de:2227:2 8ef:2202 8f6:192 8fb:2190:4 9e0:25c6 9e1:2592
    9e2:2409 9e3:240c:2 9e5:240a 9e8:2424 9e9:240b 9ea:2518 9eb:2510 9ec:250c 9ed:2514 9ee:253c
    9ef:23ba:2 9f1:2500 9f2:23bc:2 9f4:251c 9f5:2524 9f6:2534 9f7:252c 9f8:2502 aa1:2003 aa2:2002
    aa3:2004:2 aa5:2007:4 aa9:2014 aaa:2013 aac:2423 aae:2026 aaf:2025 ab0:2153:8 ab8:2105 abb:2012
    abc:27e8 abd:2e abe:27e9 ac3:215b:4 ac9:2122 aca:2613 acc:25c1 acd:25b7 ace:25cb acf:25af
    ad0:2018:2 ad2:201c:2 ad4:211e ad5:2030 ad6:2032:2 ad9:271d adb:25ac adc:25c0 add:25b6 ade:25cf
    adf:25ae ae0:25e6 ae1:25ab ae2:25ad ae3:25b3 ae4:25bd ae5:2606 ae6:2022 ae7:25aa ae8:25b2
    ae9:25bc aea:261c aeb:261e aec:2663 aed:2666 aee:2665 af0:2720 af1:2020:2 af3:2713 af4:2717
    af5:266f af6:266d af7:2642 af8:2640 af9:260e afa:2315 afb:2117 afc:2038 afd:201a afe:201e ba3:3c
    ba6:3e ba8:2228 ba9:2227 bc0:af bc2:22a4 bc3:2229 bc4:230a bc6:5f bca:2218 bcc:2395 bce:22a5
    bcf:25cb bd3:2308 bd6:222a bd8:2283 bda:2282 bdc:22a3 bfc:22a2 cdf:2017 ce0:5d0:1b da1:e01:3a
    dde:e3e:10 df0:e50:a ea1:3131:33 ed4:11a8:1b eef:316d ef0:3171 ef1:3178 ef2:317f ef3:3181
    ef4:3184 ef5:3186 ef6:318d:2 ef8:11eb ef9:11f0 efa:11f9 eff:20a9 13bc:152:2 13be:178 20ac:20ac
    """
}
