import GlissConfiguration
import GlissEvents
import GlissImport
import TestSupport
import Testing

/// Hotkeys of sxhkd, one by one.
@Suite struct HotkeyImportTests {
  /// sxhkd takes an indented line for the command, whatever it begins with.
  @Test func anIndentedCommentIsSxhkdsCommand() throws {
    let text = "super + a\n\t# echo a\n\techo b\nsuper + c\n\techo c\n\t# more\n"
    let imported = try ImportedTool.sxhkd.imported(text)
    #expect(imported.rules.count == 1)
    #expect(
      imported.remarks.map(\.why) == [
        "its command is a comment", "it is below no hotkey, so nothing runs it",
      ])
    let other = try ImportedTool.swhkd.imported("super + a\n\t# echo a\n\techo b\n")
    #expect(other.rules.count == 1 && other.remarks.isEmpty)
  }

  /// The line ends of YAML that these files do not have are part of a command.
  @Test func unicodesLineEndsEndNoCommand() throws {
    let text = "super + a\n\techo x\u{2028}y\u{85}z\r\nsuper + b\n\techo b\n"
    for tool in [ImportedTool.sxhkd, .swhkd] {
      let imported = try tool.imported(text)
      #expect(Self.rules(imported) == ["super+a | echo x\u{2028}y\u{85}z", "super+b | echo b"])
      #expect(imported.remarks.isEmpty)
    }
  }

  /// Hotkeys and commands, one a line; with a star where the desktop gets the keys too, and without
  /// `repeat:`.
  static func rules(_ imported: ImportedFile) -> [String] {
    imported.rules.map { rule in
      guard case .hotkey(let condition) = rule.trigger else { return "?" }
      let hotkey = "\(condition.hotkey)".replacing("repeat:", with: "")
      var words = [(condition.consumes ? "" : "*") + hotkey]
      if let mode = rule.mode { words.insert("[\(mode)]", at: 0) }
      for (mark, actions) in [("", rule.reactions.end), ("^", rule.reactions.release)] {
        for action in actions {
          switch action.verb {
          case .run(let command):
            if case .shell(let text) = command.program { words.append("\(mark)\(text)") }
          case .mode(let name): words.append("\(mark)→\(name ?? "")")
          case .turns(let turns): words.append("\(turns.count) turns")
          case .keys, .hold, .letGo, .move, .notify, .emit, .desktop: words.append("?")
          }
        }
      }
      return words.joined(separator: " | ")
    }
  }

  /// A key's name in its place would make another hotkey.
  @Test(arguments: [("super + Shift + Return", "shift"), ("atl + x", "alt"), ("sper + x", "super")])
  func aMisspelledModifierIsOne(_ hotkey: String, _ modifier: String) throws {
    let imported = try ImportedTool.sxhkd.imported("\(hotkey)\n\techo a\nsuper + t\n\techo b\n")
    #expect(imported.remarks.first?.why.hasPrefix("unknown key; \(modifier) is one") == true)
  }

  @Test(
    arguments: [
      ("super + t", "x", ["super+t | x"]),
      (
        "super + {_,shift + }{1-3}", "x {a,b} ^{1-3}",
        [
          "super+1 | x a ^1", "super+shift+1 | x b ^1", "super+2 | x a ^2",
          "super+shift+2 | x b ^2",
          "super+3 | x a ^3", "super+shift+3 | x b ^3",
        ]
      ),
      ("super + {a-c}", "{1-3}", ["super+a | 1", "super+b | 2", "super+c | 3"]),
      ("super + {\\,,.}", "x {\\,,.}", ["super+comma | x ,", "super+dot | x ."]),
      ("{a,b}", "same \\{x\\} \\\\ {y,z}", ["a | same {x} \\ y", "b | same {x} \\ z"]),
      // a list of one has one, a brace in a group begins another, and the end ends a group
      ("super + {1-3}", "x {1 - 3}", ["super+1 | x 1 - 3"]),
      ("super + {a}", "x {y}", ["super+a | x y"]), ("super + {a}", "x {y,z}", ["super+a | x y"]),
      ("super + a", "{x,y,z}", ["super+a | 3 turns"]), ("{a,b}", "{x,y,z}", ["a | x", "b | y"]),
      ("super + {a,{b,c}}", "{1-2}", []),
      ("{a,b", "{x,y", ["a | x", "b | y"]), ("{a,,b}", "{,x,y}", ["a | x", "b | y"]),
      ("{a,b}", "{x}{y,z}", ["a | xy", "b | xz"]),
      // separators at both ends do not count, and of several one
      ("super + k ;", "x", ["super+k | x"]), ("super + k :", "x", ["super+k | x"]),
      ("; a", "x", ["a | x"]), (": a ;; b", "x", ["a ; b | x"]),
      ("a ;: b", "x", ["a | →a", "[a] | b | x"]), ("a ; {_,b}", "{x,y}", ["a ; b | y"]),
      ("{}a", "x", ["a | x"]), ("Print { _, super +}", "{x,y}", ["super+sysrq | y"]),
      ("a ; b ; c", "x", ["a ; b ; c | x"]),
      (
        "super + r : {h,l}", "{1,2}",
        [
          "super+r | →super-r", "[super-r] | h | 1", "[super-r] | l | 2",
        ]
      ),
      ("super + r ; a : b", "x", ["super+r ; a | →super-r-a", "[super-r-a] | b | x"]),
      ("super + s + n", "x", ["super+n | x"]),
      // several keys have these, and keypads have digits with Shift
      ("XF86AudioMicMute", "x", ["f20 | x", "micmute | x"]),
      (
        "ctrl + XF86AudioPlay", "x", ["ctrl+playpause | x", "ctrl+playcd | x", "ctrl+play | x"]
      ),
      ("super + KP_1", "x", ["super+shift+kp1 | x"]), ("super + KP_End", "x", ["super+kp1 | x"]),
      ("alt + ISO_Left_Tab", "x", ["alt+shift+tab | x"]),
      ("XF86AudioRaiseVolume", "x", ["volumeup | x"]),
      ("super + equal", "amixer set Master 5%+", ["super+equal | amixer set Master 5%+"]),
      ("XF86AudioMute", "amixer set Master toggle", ["mute | amixer set Master toggle"]),
      ("super + Return", "foot", ["super+enter | foot"]),
      ("@super + x", "x", ["release:super+x | x"]), ("super + @x", "x", ["release:super+x | x"]),
      ("~x", "y", ["*x | y"]), ("~@x", "y", ["*release:x | y"]),
      ("super + ~x", "y", ["*super+x | y"]), ("X", "y", ["shift+x | y"]),
      ("super + exclam", "y", ["super+shift+1 | y"]), ("button8", "y", ["button4 | y"]),
      ("super + button1", "y", ["super+button1 | y"]), ("button1", "y", ["*button1 | y"]),
      ("super + button20", "y", ["super+code:287 | y"]),
      ("ctrl + button4", "y", ["ctrl+wheelup | y"]), ("@Super_L", "y", ["*tap:lsuper | y"]),
      ("super + @Super_L", "y", ["*tap:lsuper | y"]), ("mod5 + KP_Add", "y", ["altgr+kpplus | y"]),
      ("XF86MonBrightnessUp", "y", ["brightnessup | y"]), ("udiaeresis", "y", ["'ü' | y"]),
      ("super + y", "; sync", ["super+y | sync"]),
      ("super + {a,\\\\}", "{x,y}", ["super+a | x", "super+backslash | y"]),
    ] as [(String, String, [String])])
  func aHotkeyIsTheSame(_ hotkey: String, _ command: String, _ expected: [String]) throws {
    let imported = try ImportedTool.sxhkd.imported("\(hotkey)\n\t\(command)\n")
    #expect(Self.rules(imported) == expected, "\(imported.remarks)")
    #expect(Configuration.rules(of: imported.text).count == expected.count)
  }

  /// swhkd's groups: the last changes fastest, blanks around items do not count, and commands keep their backslashes.
  @Test(
    arguments: [
      ("super + t", "x", ["super+t | x"]),
      (
        "super + {_,shift + }{h,l}", "x {1,2,3,4}",
        ["super+h | x 1", "super+l | x 2", "super+shift+h | x 3", "super+shift+l | x 4"]
      ),
      (
        "super + ctrl + {h, l}", "bspc node -{f, s} west",
        ["super+ctrl+h | bspc node -f west", "super+ctrl+l | bspc node -s west"]
      ),
      // an empty item counts
      (
        "super + {_, shift +} n", "river {,move}to",
        ["super+n | river to", "super+shift+n | river moveto"]
      ),
      ("super + {a,b}", "x{y,}", ["super+a | xy", "super+b | x"]),
      // with a brace in a group all are characters
      ("super + a", "x {a,${b}}", ["super+a | x {a,${b}}"]),
      ("super + a", "}x{", ["super+a | }x{"]),
      ("super + {a,b}", "x $\\{y\\} {1,2}", ["super+a | x ${y} 1", "super+b | x ${y} 2"]),
      ("super + {a, shift + b}", "{ 1 + , _ }2", ["super+a | 1 +2", "super+shift+b | 2"]),
      ("super + s", "sed 's/a\\\\.b/\\\\n/' {x}", ["super+s | sed 's/a\\\\.b/\\\\n/' x"]),
    ] as [(String, String, [String])])
  func aHotkeyOfSwhkdIsTheSame(_ hotkey: String, _ command: String, _ expected: [String]) throws {
    let imported = try ImportedTool.swhkd.imported("\(hotkey)\n\t\(command)\n")
    #expect(Self.rules(imported) == expected, "\(imported.remarks)")
    #expect(Configuration.rules(of: imported.text).count == expected.count)
  }

  @Test(
    arguments: [
      "any + x", "super + mod2 + x", "lock + x", "button25", "super + NoKey", "super",
      "a : b : c", "a : b ; c", "super + ;", "a ; ; b", "super + {}", "a{}",
      "super + ctrl + Super_L ; b",
      "a ; Super_L",
      "a;b;c;d;e;f;g;h;i",
    ])
  func unsupportedHotkeysAreReportedWithTheirPlaces(_ hotkey: String) throws {
    let imported = try ImportedTool.sxhkd.imported("# one\n\(hotkey)\n  command\n")
    if hotkey == "super" {
      #expect(Self.rules(imported) == ["*tap:super | command"])
    } else {
      #expect(imported.rules.isEmpty)
      #expect(imported.remarks.contains { $0.isLost })
    }
    #expect(imported.remarks.contains { $0.place.line == 2 })
  }

  @Test func pressAndReleaseOfTheSameKeysAreOneRule() throws {
    let imported = try ImportedTool.sxhkd.imported(
      "super + p\n  on\nsuper + x\n  x\nsuper + @p\n  off\n")
    #expect(Self.rules(imported) == ["super+p | on | ^off", "super+x | x"])
    #expect(imported.parts.first?.sources.map(\.number) == [1, 2, 5, 6])
  }

  @Test(
    arguments: [
      ("super + a", "~@super + a", "super+a | on | ^off"),
      ("~super + a", "super + @a", "*super+a | on | ^off"),
    ])
  func ofTheSameKeysOneCannotBeKeptAlone(
    _ press: String, _ release: String, _ rule: String
  ) throws {
    let imported = try ImportedTool.sxhkd.imported("\(press)\n  on\n\(release)\n  off\n")
    #expect(Self.rules(imported) == [rule])
    #expect(imported.remarks.map(\.place.line) == [3])
    #expect(imported.remarks.allSatisfy { $0.why.hasPrefix("line 1 has the same keys") })
  }

  @Test func aChainMayBeginWithTheKeysOfARelease() throws {
    for text in [
      "@super + a\n  one\nsuper + a : b\n  two\n", "super + a : b\n  two\n@super + a\n  one\n",
    ] {
      let imported = try ImportedTool.sxhkd.imported(text)
      #expect(Set(Self.rules(imported)) == ["super+a | →super-a | ^one", "[super-a] | b | two"])
      #expect(imported.remarks.isEmpty, "\(imported.remarks)")
    }
  }

  @Test func eachIncludeOfAnUnreadableFileIsReported() throws {
    let imported = try ImportedTool.swhkd.imported("include /nowhere\ninclude /nowhere\n")
    #expect(imported.remarks.map(\.place.line) == [1, 2])
    #expect(
      imported.remarks.allSatisfy { $0.isLost && $0.why.hasPrefix("the file cannot be read") })
  }

  /// X11 has no number for KEY_MICMUTE, and uses F20. swhkd reads the kernel's.
  @Test func theKeyThatMutesTheMicrophoneIsTheKernels() throws {
    let imported = try ImportedTool.swhkd.imported("XF86AudioMicMute\n  x\n")
    #expect(Self.rules(imported) == ["micmute | x"])
  }

  @Test func theFirstOfTwoStaysAndTheOtherIsReported() throws {
    let imported = try ImportedTool.sxhkd.imported(
      "super + k\n  one\nsuper + k\n  two\nsuper + k ; w\n  three\nlsuper\n  four\n")
    #expect(Self.rules(imported) == ["super+k | one"])
    #expect(imported.remarks.map(\.place.line) == [3, 5, 7])
  }

  /// What nothing leads to would be a rule in vain.
  @Test(arguments: ["super + k\n  one", "super + k ; w\n  one"])
  func aChainWhoseBeginningIsTakenIsLost(_ first: String) throws {
    let imported = try ImportedTool.sxhkd.imported("\(first)\nsuper + k : {a,b}\n  {x,y}\n")
    #expect(imported.rules.count == 1)
    #expect(imported.remarks.filter { $0.isLost && $0.place.line == 3 }.count >= 2)
  }

  @Test func byCharacterLettersAreLookedForOnTheLayout() throws {
    let text = "super + a\n  x\nsuper + minus\n  y\nsuper + F1\n  z\n"
    let imported = try ImportedTool.sxhkd.imported(text, byCharacter: true)
    #expect(Self.rules(imported) == ["super+'a' | x", "super+'-' | y", "super+f1 | z"])
  }

  @Test func aCommandGoesOnBehindABackslash() throws {
    let imported = try ImportedTool.sxhkd.imported(
      "super + {h,\\\nl}\n  a {b, \\\n# no\n  c} \\\n  d\n")
    #expect(Self.rules(imported) == ["super+h | a b d", "super+l | a  c d"])
    #expect(imported.parts.first?.sources.map(\.number) == [1, 2, 3, 5, 6])
  }

  /// sxhkd skips lines without text.
  @Test(arguments: ["", " ", "\t \t"])
  func anEmptyLineEndsNoContinuedCommand(_ line: String) throws {
    let text = "super + x\n  a \\\n\(line)\n  && b\n"
    let imported = try ImportedTool.sxhkd.imported(text)
    #expect(Self.rules(imported) == ["super+x | a && b"])
    #expect(imported.remarks == [] && imported.forgotten(in: text) == [])
  }

  /// A backslash at the end of a command does not make the next hotkey a part of it.
  @Test func theNextHotkeyEndsACommand() throws {
    let text = "super + x\n  a \\\n\nsuper + y\n  b\n"
    let imported = try ImportedTool.sxhkd.imported(text)
    #expect(Self.rules(imported) == ["super+x | a ", "super+y | b"])
  }

  @Test func aTooLargeExpansionIsRefused() throws {
    let groups = String(repeating: "{a-z}", count: 20)
    let imported = try ImportedTool.sxhkd.imported("super + \(groups)\n  x \(groups)\n")
    #expect(imported.rules.isEmpty)
    #expect(imported.remarks.count == 1)
  }

  @Test(arguments: ["ignore {}", "ignore", "ignore {a", "ignore super + nokey"])
  func unsupportedIgnoresAreReported(_ line: String) throws {
    let imported = try ImportedTool.swhkd.imported("a\n  x\n\(line)\n")
    #expect(imported.rules.count == 1)
    #expect(imported.remarks.contains { $0.place.line == 3 }, "\(imported.remarks)")
  }

  @Test(
    arguments: [
      ("@enter m", "a\n  b", ["super+x | →m", "[m] | a | b"]),
      ("one && @enter m && two", "a\n  @escape", ["super+x | one | →m | two", "[m] | a | →"]),
      ("one && two", "A\n  b", ["super+x | one && two", "[m] | a | b"]),
    ] as [(String, String, [String])])
  func swhkdHasModes(_ command: String, _ inside: String, _ expected: [String]) throws {
    let imported = try ImportedTool.swhkd.imported(
      "super + x\n  \(command)\nmode m\n\(inside)\nendmode\n")
    #expect(Self.rules(imported) == expected)
    let once = try ImportedTool.swhkd.imported(
      "super + x\n  @enter m\nmode m oneoff swallow\na\n  b\nendmode\n")
    #expect(Self.rules(once) == ["super+x | →m", "[m] | a | b | →"])
    #expect(once.remarks.map(\.what) == ["swallow"])
  }

  /// A mode leads back to the one before. One that ends with a hotkey has ended before that leads
  /// on, and `@escape` ends the one before it.
  @Test(
    arguments: [
      ("m", "n", ["[m] | x | →n", "[n] | y | →m"]),
      ("m oneoff", "n", ["[m] | x | →n", "[n] | y | →"]),
      ("m", "n oneoff", ["[m] | x | →n", "[n] | y | →"]),
    ] as [(String, String, [String])])
  func aModeEndsInTheModeBefore(
    _ outer: String, _ inner: String, _ expected: [String]
  ) throws {
    let text = """
      super + x
        @enter m
      mode \(outer)
      x
        @enter n
      endmode
      mode \(inner)
      y
        @escape
      endmode

      """
    let imported = try ImportedTool.swhkd.imported(text)
    #expect(Self.rules(imported) == ["super+x | →m"] + expected)
    #expect(imported.remarks.isEmpty, "\(imported.remarks)")
    let both = try ImportedTool.swhkd.imported(text + "super + n\n  @enter n\n")
    #expect(Self.rules(both).contains("[n] | y | →"))
    #expect(both.remarks.map(\.what) == (outer == "m" && inner == "n" ? ["mode n"] : []))
  }

  @Test func aOneOffModeEndsOnceInTheModeBefore() throws {
    let imported = try ImportedTool.swhkd.imported(
      """
      super + x
        @enter m
      mode m
      x
        @enter n
      endmode
      mode n oneoff
      y
        a
      z
        @enter o && @escape
      endmode
      mode o
      endmode

      """)
    #expect(
      Self.rules(imported) == [
        "super+x | →m", "[m] | x | →n", "[n] | y | a | →m", "[n] | z | →o | →m",
      ])
    #expect(imported.remarks.isEmpty)
  }

  /// A mode that is left for another one leads that back to the one before it.
  @Test func aModeThatIsLeftIsNotReturnedTo() throws {
    let modes = ["m": "@enter n", "n": "@escape && @enter o", "o": "@escape"]
    let text = modes.sorted { $0.key < $1.key }
      .map { "mode \($0)\nx\n  \($1)\nendmode\n" }.joined()
    let imported = try ImportedTool.swhkd.imported("super + x\n  @enter m\n" + text)
    #expect(
      Self.rules(imported) == [
        "super+x | →m", "[m] | x | →n", "[n] | x | →m | →o", "[o] | x | →m",
      ])
    #expect(imported.remarks.isEmpty)
  }

  /// Our names have fewer signs and characters than swhkd's.
  @Test(arguments: [
    ("a.b", "a-b", "a-b", "a-b-2"),
    (
      "resize-the-focused-window-a", "resize-the-focused-window-b", "resize-the-focused-windo",
      "resize-the-focused-windo-2"
    ),
  ])
  func twoModesStayTwo(_ one: String, _ other: String, _ first: String, _ second: String) throws {
    let imported = try ImportedTool.swhkd.imported(
      """
      super + x
        @enter \(one)
      super + y
        @enter \(other)
      mode \(one)
      c
        d
      endmode
      mode \(other)
      c
        e
      endmode

      """)
    #expect(
      Self.rules(imported) == [
        "super+x | →\(first)", "super+y | →\(second)", "[\(first)] | c | d",
        "[\(second)] | c | e",
      ])
    #expect(imported.remarks.isEmpty, "\(imported.remarks)")
  }

  @Test(arguments: ["", " m.n"])
  func aModeThatIsNotThereIsLost(_ name: String) throws {
    let imported = try ImportedTool.swhkd.imported(
      "super + x\n  @enter\(name)\nmode m-n\na\n  b\nendmode\n")
    #expect(Self.rules(imported) == ["[m-n] | a | b"])
    #expect(imported.remarks.contains { $0.why == "there is no mode of that name" })
  }

  /// A held key repeats its command in both tools.
  @Test(arguments: [
    ("super + Return", true), ("XF86AudioMute", true), ("super + a ; b", false),
    ("super + @a", false), ("super + button1", false), ("super + button4", false),
    ("Super_L", false),
  ])
  func heldKeysRepeat(hotkey: String, repeats: Bool) throws {
    for tool in [ImportedTool.sxhkd, .swhkd] where tool == .sxhkd || hotkey == "super + Return" {
      let imported = try tool.imported("\(hotkey)\n  x\n")
      guard case .hotkey(let condition)? = imported.rules.first?.trigger else {
        Issue.record("no hotkey")
        return
      }
      #expect("\(condition.hotkey)".hasPrefix("repeat:") == repeats)
    }
    let chain = try ImportedTool.sxhkd.imported("super + r : h\n  x\n")
    let hotkeys = chain.rules.map { rule in
      if case .hotkey(let condition) = rule.trigger { "\(condition.hotkey)" } else { "" }
    }
    #expect(hotkeys == ["super+r", "repeat:h"])
  }

  /// AZERTY's digits need Shift, and its signs none.
  @Test func signsAreThoseOfTheLayoutThatHasThem() throws {
    let keys: [Unicode.Scalar: (Key, Bool)] = [
      "&": (.digit1, false), "1": (.digit1, true), "é": (Key(rawValue: 3), false),
      "a": (Key(rawValue: 16), false),
    ]
    let places: @Sendable (String?) -> LayoutPlaces? = { name in
      guard name == "fr" else { return nil }
      return { keys[$0].map { (key: $0.0, needsShift: $0.1) } }
    }
    let text = """
      super + {_,shift + }{ampersand,eacute}
        {a,b} {1,2}
      super + 1
        c
      super + a
        d

      """
    let imported = try ImportedTool.sxhkd.rules(
      in: ConfigurationText(name: "f", bytes: Array(text.utf8)),
      options: ImportOptions(layout: places))
    #expect(
      Self.rules(imported) == [
        "super+1 | a 1", "super+shift+1 | b 1", "super+2 | a 2", "super+shift+2 | b 2",
        "super+q | d",
      ])
    #expect(imported.remarks.map(\.what) == ["eacute", "super + 1"])
    #expect(imported.remarks[0].why.hasSuffix("the layout fr"))
  }

  /// A layout for one sign leaves the other keys where they are, if one does.
  @Test func theLayoutThatMovesTheFewestKeysIsTaken() throws {
    let usual: [Unicode.Scalar: Key] = ["a": .a, "1": .digit1]
    let french: [Unicode.Scalar: Key] = ["a": Key(rawValue: 16), "1": .digit1, "£": .digit2]
    let british = usual.merging(["£": .digit3]) { $1 }
    let layouts: [String?: [Unicode.Scalar: Key]] = [nil: usual, "fr": french, "gb": british]
    let places: @Sendable (String?) -> LayoutPlaces? = { name in
      guard let keys = layouts[name] else { return nil }
      return { keys[$0].map { (key: $0, needsShift: false) } }
    }
    let text = "super + sterling\n  a\nsuper + {a-a}\n  b\n"
    let imported = try ImportedTool.sxhkd.rules(
      in: ConfigurationText(name: "f", bytes: Array(text.utf8)),
      options: ImportOptions(layout: places))
    #expect(Self.rules(imported) == ["super+3 | a", "super+a | b"])
    #expect(imported.remarks.first?.why.hasSuffix("the layout gb") == true)
  }

  @Test func aMissingSignIsRemarkedWhereItStands() throws {
    let places: @Sendable (String?) -> LayoutPlaces? = { name in
      guard name == "fr" else { return nil }
      return { _ in (key: Key.digit2, needsShift: false) }
    }
    let text = "super + Return\n  a\nsuper + eacute\n  b\n"
    let imported = try ImportedTool.sxhkd.rules(
      in: ConfigurationText(name: "f", bytes: Array(text.utf8)),
      options: ImportOptions(layout: places))
    #expect(imported.remarks.map(\.place) == [Place(file: "f", line: 3, column: 9)])
  }
}
