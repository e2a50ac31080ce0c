import Glibc
import GlissAgent
package import GlissConfiguration
import GlissDevices
import GlissEvents
package import GlissHotkeys

/// A shortcut that an application asks for. Nothing in it can be trusted.
package struct RequestedShortcut: Hashable, Sendable {
  package var id: String
  /// What it does, worded for the user.
  package var description: String
  /// The trigger that the application prefers, in any form.
  package var preferred: String

  package init(id: String, description: String = "", preferred: String = "") {
    self.id = id
    self.description = Self.line(description, atMost: Self.longestDescription)
    self.preferred = Self.line(preferred, atMost: Self.longestDescription)
  }

  package var name: String { description.isEmpty ? id : description }

  package static let longestID = 256
  package static let longestDescription = 120

  /// One line of visible text, which cannot hide or reorder what is around it.
  package static func line(_ text: String, atMost limit: Int) -> String {
    let visible = text.unicodeScalars.prefix(limit).map { (scalar: Unicode.Scalar) in
      YamlQuoting.standsAsItself(scalar) ? scalar : " "
    }
    let isCut = !text.unicodeScalars.dropFirst(limit).isEmpty
    let line = String(String.UnicodeScalarView(visible)) + (isCut ? "…" : "")
    return line.split(separator: " ").joined(separator: " ")
  }
}

extension [RequestedShortcut] {
  /// `nil` if one is invalid. Chromium names the same id several times: the first counts.
  package func checked(atMost limit: Int) -> [RequestedShortcut]? {
    guard count <= limit * 4 else { return nil }
    var known: Set<String> = []
    var kept: [RequestedShortcut] = []
    for shortcut in self {
      guard !shortcut.id.isEmpty, shortcut.id.utf8.count <= RequestedShortcut.longestID,
        shortcut.id.unicodeScalars.allSatisfy({ YamlQuoting.standsAsItself($0) })
      else { return nil }
      if known.insert(shortcut.id).inserted { kept.append(shortcut) }
    }
    return kept.count <= limit ? kept : nil
  }
}

/// The trigger that an application prefers, in the forms that applications send.
///
/// The specification's form is `CTRL+SHIFT+a`: modifiers and a keysym's name, after which anything
/// may follow. Some applications use GTK's `<Control><Shift>a`, or the accelerators of Electron and
/// Qt (`CommandOrControl+Shift+A`, `Meta+PgUp`).
package enum PreferredTrigger {
  private static let longest = 128

  /// The trigger to propose: the hotkey, hidden from the desktop if it can be.
  package static func trigger(_ text: String) -> Rule.Trigger? {
    hotkey(text).map { Rule.Trigger.hotkey(HotkeyCondition(hotkey: $0)).consuming(true) }
  }

  /// `nil` for another form, or for keys that cannot be held: then the user is asked.
  package static func hotkey(_ text: String) -> Hotkey? {
    guard text.utf8.count <= longest else { return nil }
    var rest = text[...]
    var modifiers: ChordModifiers = []
    while let (name, after) = modifier(in: rest) {
      guard let named = named(name) else { return nil }
      modifiers.formUnion(named)
      rest = after
    }
    let name = String(rest.prefix(while: isPartOfName))
    if modifiers.isEmpty, let tap = taps[name.lowercased()] { return try? Hotkey(tap) }
    guard let trigger = key(name.isEmpty ? single(rest) : name),
      let chord = chord(modifiers, trigger)
    else { return nil }
    // the hotkey's text must read back as the same hotkey
    let hotkey = Hotkey(chord)
    return (try? Hotkey("\(hotkey)")) == hotkey ? hotkey : nil
  }

  /// Shift with a digit or punctuation, such as `CTRL+SHIFT+2`, means the key with that character
  /// on a US keyboard: with Shift, the layout in use may have another character there.
  private static func chord(_ modifiers: ChordModifiers, _ trigger: Chord.Trigger) -> Chord? {
    let chord = Chord(modifiers, trigger)
    guard case .symbol(let character) = trigger, modifiers.contains(.shift),
      !modifiers.contains(.altGr), !chord.modifiers.contains(.shift)
    else { return chord }
    return Keysyms.placeOnQWERTY(of: character).map { Chord(modifiers, .key($0.key)) }
  }

  /// A name before a `+` or in `<>`, and the rest.
  private static func modifier(in text: Substring) -> (Substring, Substring)? {
    if text.first == "<" {
      guard let end = text.firstIndex(of: ">") else { return nil }
      return (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
    }
    let name = text.prefix(while: isPartOfName)
    guard !name.isEmpty, name.endIndex < text.endIndex, text[name.endIndex] == "+" else {
      return nil
    }
    return (name, text[text.index(after: name.endIndex)...])
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character == "_" || character.isLetter || character.isNumber
  }

  /// A punctuation mark that stands for itself, at the end of the text.
  private static func single(_ text: Substring) -> String {
    guard text.count == 1, let mark = text.first, mark.isASCII, mark != "+",
      mark.isPunctuation || mark.isSymbol
    else { return "" }
    return String(mark)
  }

  private static func named(_ name: Substring) -> ChordModifiers? {
    switch name.lowercased() {
    case "ctrl", "control", "primary", "ctl", "commandorcontrol", "cmdorctrl": .control
    case "shift": .shift
    case "alt", "option", "mod1": .alt
    case "logo", "super", "meta", "win", "windows", "command", "cmd", "mod4": .super
    case "altgr", "mod5", "iso_level3_shift": .altGr
    // CAPS and NUM are locks, which nobody holds
    case _: nil
    }
  }

  /// Keys that Electron and Qt name differently from X11.
  private static let aliases: [String: String] = [
    "pgup": "Prior", "pageup": "Prior", "pgdown": "Next", "pagedown": "Next", "del": "Delete",
    "ins": "Insert", "esc": "Escape", "enter": "Return", "capslock": "Caps_Lock",
    "numlock": "Num_Lock", "scrolllock": "Scroll_Lock", "printscreen": "Print",
    "volumeup": "XF86AudioRaiseVolume", "volumedown": "XF86AudioLowerVolume",
    "volumemute": "XF86AudioMute", "medianexttrack": "XF86AudioNext", "medianext": "XF86AudioNext",
    "mediaprevioustrack": "XF86AudioPrev", "mediaprevious": "XF86AudioPrev",
    "mediastop": "XF86AudioStop", "mediaplaypause": "XF86AudioPlay", "mediaplay": "XF86AudioPlay",
  ]

  private static func key(_ name: String) -> Chord.Trigger? {
    if name.isEmpty { return nil }
    if name.count == 1 { return Keysyms.layoutTrigger(name.lowercased()) }
    let known = aliases[name.lowercased()] ?? Keysyms.canonical(name)
    guard let known, known.utf8.count > 1 || name.utf8.count == 1 else { return nil }
    // the space bar is a key, whatever the layout
    return known == "space" ? Keysyms.trigger(known) : Keysyms.layoutTrigger(known)
  }

  /// Modifiers alone, which can only be tapped.
  private static let taps: [String: String] = [
    "shift_l": "tap:lshift", "shift_r": "tap:rshift", "control_l": "tap:lctrl",
    "control_r": "tap:rctrl", "alt_l": "tap:alt", "alt_r": "tap:altgr", "meta_l": "tap:alt",
    "super_l": "tap:lsuper", "super_r": "tap:rsuper", "iso_level3_shift": "tap:altgr",
  ]
}

/// The file with the user's answers, which the user may also edit.
package struct ShortcutStore: Sendable {
  package let path: String

  package static var standardPath: String { ConfigurationFiles().userFolder + "/shortcuts.yaml" }

  package init(path: String = Self.standardPath) { self.path = path }

  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var description: String
    /// What is wrong in the file, with its places.
    package var mistakes: [Mistake] = []
  }

  package func read() throws(Failure) -> ShortcutAnswers { try answers(in: text()) }

  private func text() throws(Failure) -> ConfigurationText? {
    var files = ConfigurationFiles()
    files.only = path
    // in this file "include" is an unknown key like any other
    files.followsIncludes = false
    let found = files.read()
    if let error = found.errors.first, error.reason != .missing {
      throw Failure(description: error.description)
    }
    return found.texts.first
  }

  private func answers(in text: ConfigurationText?) throws(Failure) -> ShortcutAnswers {
    guard let text else { return ShortcutAnswers() }
    let reading = ShortcutFile.read(text)
    if let answers = reading.answers { return answers }
    let first = reading.mistakes.first
    let place = first.map { "\($0.place): \($0.message)" } ?? "\(path): it cannot be read"
    throw Failure(description: place, mistakes: reading.mistakes)
  }

  /// Changes the answers in the file. The file is replaced completely or stays as it is.
  package func update(_ change: (inout ShortcutAnswers) -> Void) throws(Failure) {
    let folder = try Self.makeFolder(of: path)
    // lock the file, because the portal and the command may both change it
    let lock = open("\(folder)/.shortcuts.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Self.failure(path, errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 { if errno != EINTR { throw Self.failure(path, errno) } }
    let text = try text()
    let before = try answers(in: text)
    var answers = before
    change(&answers)
    guard answers != before else { return }
    let head = text.map(Self.head) ?? Self.standardHead
    let code = Self.replace(path, with: answers.text(head: head))
    if code != 0 { throw Self.failure(path, code) }
  }

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    Failure(description: "\(path): \(String(cString: strerror(code)))")
  }

  /// The path with links resolved; `nil` for a dangling link.
  private static func target(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else {
      var status = stat()
      return lstat(path, &status) == 0 ? nil : path
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static let standardHead = """
    # Global shortcuts of applications, and your answers: 'gliss shortcuts' lists and changes them.
    # A trigger is a hotkey, a gesture as in gliss.yaml, or none. Comments further down are not kept.

    """

  /// The comment at the beginning, which the user may have changed.
  private static func head(of text: ConfigurationText) -> String {
    var lines = String(decoding: text.bytes, as: UTF8.self).lines
    if lines.last == "" { lines.removeLast() }
    return lines.prefix { $0.hasPrefix("#") || $0.isEmpty }.map { $0 + "\n" }.joined()
  }

  @discardableResult
  package static func makeFolder(of path: String) throws(Failure) -> String {
    let folder = path.folderAndName.folder
    do throws(SystemError) {
      try Folder.make(folder, mode: 0o700)
    } catch {
      throw failure(error.place, error.code)
    }
    return folder
  }

  /// Replaces a file, or a link's target, completely, or leaves it as it is. The file keeps its
  /// mode; a new one gets `mode`. Returns 0 once the file is on disk, or the error number.
  package static func replace(
    _ path: String, with text: String, mode: UInt32 = 0o600
  ) -> Int32 {
    guard let path = target(of: path) else { return ENOENT }
    var status = stat()
    let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : mode
    return FileBytes.replace(path, with: Array(text.utf8), mode: mode)
  }
}
