import CXkbcommon
package import GlissEvents
package import GlissHotkeys

package typealias KeyPlace = (key: Key, needsShift: Bool)

/// X11's names of keys (keysymdef.h, XF86keysym.h), and the corresponding keys that we name
/// differently.
package enum Keysyms {
  /// The trigger for a keysym named by another tool; `nil` if no key has that name. A character that
  /// QWERTY has with Shift is itself the trigger.
  package static func trigger(_ name: String) -> Chord.Trigger? {
    if let character = character(name) {
      return unshifted(character) ?? .symbol(character)
    }
    return keys[name]?.first.flatMap { trigger(word: $0) }
  }

  /// Further keys that have the keysym. Headsets, for example, send another key to play than
  /// keyboards do.
  package static func others(_ name: String) -> [Chord.Trigger] {
    (keys[name] ?? []).dropFirst().compactMap { trigger(word: $0) }
  }

  /// The same, but letters and punctuation marks are looked up on the layout.
  package static func layoutTrigger(_ name: String) -> Chord.Trigger? {
    character(name).map(Chord.Trigger.symbol) ?? trigger(name)
  }

  /// A keysym's name as X11 spells it, ignoring the case of `name`; `nil` if it is unknown.
  package static func canonical(_ name: String) -> String? {
    let keysym = xkb_keysym_from_name(name, XKB_KEYSYM_CASE_INSENSITIVE)
    return keysym == 0 ? nil : self.name(of: keysym)
  }

  private static func name(of keysym: xkb_keysym_t) -> String? {
    var name = [CChar](repeating: 0, count: 64)
    let count = Int(xkb_keysym_get_name(keysym, &name, name.count))
    guard count > 0, count < name.count else { return nil }
    return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  package static func placeOnQWERTY(of character: Unicode.Scalar) -> KeyPlace? {
    let base = shifted[character]
    guard case .key(let key)? = unshifted(base ?? character) else { return nil }
    return (key, base != nil)
  }

  /// The key that has a letter, digit or punctuation mark on QWERTY without Shift, where most names
  /// of keys are their characters.
  private static func unshifted(_ character: Unicode.Scalar) -> Chord.Trigger? {
    guard ("a"..."z").contains(character) || character == " " || shifted.values.contains(character)
    else { return nil }
    let words: [Unicode.Scalar: String] = [";": "semicolon", "'": "apostrophe", " ": "space"]
    return trigger(word: words[character] ?? String(character))
  }

  package static func isShifted(_ name: String) -> Bool {
    if name == "ISO_Left_Tab" { return true }
    return written(name).map { shifted[$0] != nil || lowercased($0) != $0 } ?? false
  }

  /// What to press for a keysym: its key, or a character that QWERTY does not have. The key of a
  /// shifted character is the one that has it with Shift. The other tools press that key too.
  package static func triggerToPress(_ name: String) -> Chord.Trigger? {
    guard let character = character(name) else { return trigger(name) }
    let lower = character.properties.lowercaseMapping.unicodeScalars
    if let place = placeOnQWERTY(of: lower.first ?? character) { return .key(place.key) }
    guard character.properties.generalCategory != .control else { return nil }
    let chord = Chord([], .symbol(lower.count == 1 ? lower.first ?? character : character))
    // a character that cannot be written in a hotkey is not on any layout
    return (try? Hotkey("\(chord)"))?.chords == [chord] ? chord.trigger : nil
  }

  package static func trigger(word: String) -> Chord.Trigger? {
    let isWord = word.utf8.allSatisfy { $0 < 0x80 && !"+;:' ".utf8.contains($0) }
    guard isWord, !word.isEmpty, let hotkey = try? Hotkey(word),
      let chord = hotkey.onlyChord, chord.modifiers.isEmpty
    else { return nil }
    return chord.trigger
  }

  /// The character that a keysym's name stands for, if it is one. A letter by itself is in lower
  /// case.
  package static func character(_ name: String) -> Unicode.Scalar? {
    written(name).map { name.unicodeScalars.count == 1 ? lowercased($0) : $0 }
  }

  /// The character as hotkeys name it: letters are in lower case.
  package static func lowercased(_ character: Unicode.Scalar) -> Unicode.Scalar {
    if case .symbol(let small) = Chord([], .symbol(character)).trigger { small } else { character }
  }

  /// The character that a dead key is named after; `nil` if a hotkey with it does not match that
  /// key.
  package static func dead(_ name: String) -> Unicode.Scalar? {
    guard name.hasPrefix("dead_") else { return nil }
    let word = String(name.dropFirst(5))
    let others = ["circumflex": "asciicircum", "tilde": "asciitilde"]
    let keysym = xkb_keysym_from_name(name, XKB_KEYSYM_NO_FLAGS)
    guard let sign = written(others[word] ?? word),
      Chord([], .symbol(sign)).isCompleted(by: .key(Key(rawValue: 0)), keysym: keysym)
    else { return nil }
    return sign
  }

  /// The same as ``character(_:)``, but a letter by itself is as written.
  package static func written(_ name: String) -> Unicode.Scalar? {
    if name.unicodeScalars.count == 1 { return name.unicodeScalars.first }
    // from here on keysyms are keys, some of them with the code of a control character
    let keysym = xkb_keysym_from_name(name, XKB_KEYSYM_NO_FLAGS)
    guard !name.hasPrefix("0x"), keysym < 0xfd00 || keysym > 0x0100_0000,
      case let code = xkb_keysym_to_utf32(keysym), code >= 0x20
    else { return nil }
    return Unicode.Scalar(code)
  }

  /// For each character that QWERTY has with Shift, what the key has without it.
  private static let shifted = Dictionary(
    zip("!@#$%^&*()_+{}:\"~|<>?".unicodeScalars, "1234567890-=[];'`\\,./".unicodeScalars),
    uniquingKeysWith: { first, _ in first })

  private static let keys: [String: [String]] = {
    var keys: [String: [String]] = [:]
    for entry in table.split(whereSeparator: \.isWhitespace) {
      let parts = entry.split(separator: ":" as Character)
      if parts.count == 2 {
        keys[String(parts[0])] = parts[1].split(separator: "," as Character).map(String.init)
      }
    }
    for number in 1...24 { keys["F\(number)"] = ["f\(number)"] }
    for number in 0...9 { keys["KP_\(number)"] = ["kp\(number)"] }
    return keys
  }()

  /// A known name that a misspelt one may have meant.
  package static func similar(to name: String) -> String? {
    Spelling.similar(
      to: name, among: names, within: min(2, name.count / 3), onlyNearest: true
    ).first
  }

  /// The names of keys, and of the characters of Latin-1.
  private static let names =
    (keys.keys + (Array(0x20...0x7e) + Array(0xa0...0xff)).compactMap(name(of:))).sorted()

  /// Keysyms that are not characters, and our names for the keys that have them on nearly every
  /// keyboard. The first is the usual one; symbols/inet of xkeyboard-config has them all.
  package static let table = """
    BackSpace:backspace Tab:tab ISO_Left_Tab:tab Linefeed:linefeed Clear:clear Return:enter
    Pause:pause Break:pause Scroll_Lock:scrolllock Sys_Req:sysrq Escape:esc Delete:delete
    Multi_key:compose Menu:compose Home:home Left:left Up:up Right:right Down:down Prior:pageup
    Page_Up:pageup Next:pagedown Page_Down:pagedown End:end Select:select Print:sysrq Insert:insert
    Undo:undo Redo:redo Find:find Cancel:cancel Help:help Num_Lock:numlock Caps_Lock:capslock
    Muhenkan:muhenkan Henkan:henkan Henkan_Mode:henkan Hiragana_Katakana:katakanahiragana
    Zenkaku_Hankaku:zenkakuhankaku Hangul:hangeul Hangul_Hanja:hanja
    KP_Enter:kpenter KP_Home:kp7 KP_Left:kp4 KP_Up:kp8 KP_Right:kp6 KP_Down:kp2 KP_Prior:kp9
    KP_Page_Up:kp9 KP_Next:kp3 KP_Page_Down:kp3 KP_End:kp1 KP_Begin:kp5 KP_Insert:kp0
    KP_Delete:kpdot KP_Equal:kpequal KP_Multiply:kpasterisk KP_Add:kpplus KP_Separator:kpcomma
    KP_Subtract:kpminus KP_Decimal:kpdot KP_Divide:kpslash
    Shift_L:leftshift Shift_R:rightshift Control_L:leftctrl Control_R:rightctrl Meta_L:leftalt
    Meta_R:rightalt Alt_L:leftalt Alt_R:rightalt Super_L:leftmeta Super_R:rightmeta
    Hyper_L:leftmeta Hyper_R:rightmeta ISO_Level3_Shift:rightalt
    XF86AudioRaiseVolume:volumeup XF86AudioLowerVolume:volumedown XF86AudioMute:mute
    XF86AudioMicMute:f20,micmute XF86AudioPlay:playpause,playcd,play XF86AudioPause:pausecd XF86AudioStop:stopcd
    XF86AudioNext:nextsong XF86AudioPrev:previoussong XF86AudioRecord:record XF86AudioRewind:rewind
    XF86AudioForward:fastforward XF86AudioMedia:media XF86AudioPreset:sound
    XF86MonBrightnessUp:brightnessup XF86MonBrightnessDown:brightnessdown
    XF86MonBrightnessCycle:brightness_cycle XF86KbdBrightnessUp:kbdillumup
    XF86KbdBrightnessDown:kbdillumdown XF86KbdLightOnOff:kbdillumtoggle XF86Display:switchvideomode
    XF86PowerOff:power XF86Sleep:sleep XF86Suspend:suspend XF86WakeUp:wakeup XF86ScreenSaver:coffee
    XF86Standby:sleep XF86WLAN:wlan XF86Bluetooth:bluetooth XF86UWB:uwb XF86WWAN:wwan
    XF86RFKill:rfkill XF86Battery:battery XF86TouchpadToggle:f21,touchpad_toggle
    XF86TouchpadOn:f22,touchpad_on XF86TouchpadOff:f23,touchpad_off XF86Calculator:calc XF86Mail:mail,email
    XF86WWW:www XF86Explorer:file XF86MyComputer:computer XF86HomePage:homepage
    XF86Favorites:bookmarks XF86Search:search XF86Back:back XF86Forward:forward XF86Reload:refresh
    XF86Refresh:refresh XF86Stop:stop XF86Eject:ejectcd,ejectclosecd XF86Documents:documents XF86Phone:phone
    XF86Messenger:chat XF86WebCam:camera XF86Finance:finance XF86Shop:shop XF86Game:sport
    XF86Launch1:prog1 XF86Launch2:prog2 XF86Launch3:prog3 XF86Launch4:prog4 XF86Launch5:f14
    XF86Launch6:f15 XF86Launch7:f16 XF86Launch8:f17 XF86Launch9:f18 XF86LaunchA:scale
    XF86LaunchB:all_applications XF86Tools:config,f13 XF86Copy:copy XF86Cut:cut XF86Paste:paste
    XF86Open:open XF86Close:close,exit XF86New:new XF86Save:save XF86Send:send XF86Reply:reply
    XF86MailForward:forwardmail XF86Xfer:xfer XF86DOS:msdos XF86RotateWindows:rotate_display
    XF86TaskPane:cyclewindows XF86ScrollUp:scrollup XF86ScrollDown:scrolldown XF86MenuKB:menu
    XF86Go:connect XF86Music:media XF86Video:prog4 XF86Memo:memo XF86Calendar:calendar
    XF86FullScreen:full_screen XF86ZoomIn:zoomin XF86ZoomOut:zoomout
    """
}
