import CXkbcommon
import Glibc
package import GlissEvents
package import GlissHotkeys
public import GlissSession

/// Translates keys with libxkbcommon.
///
/// It starts without locks and in the first group, because the compositor's state cannot be read.
public final class XkbKeyTranslator: KeyTranslator {
  /// The layout in use.
  public let layout: KeyboardLayout
  let keymap: XkbKeymap
  private let state: XkbState
  /// A state for what keys would mean with other modifiers.
  private let trial: XkbState
  private let shift: xkb_mod_mask_t
  /// Shift and Caps Lock.
  private let capitals: xkb_mod_mask_t
  /// What the right Alt key holds in any group: in some AltGr, in others Alt.
  private let rightAlt: xkb_mod_mask_t
  /// xkb's indices of Ctrl, Alt and Super, which make a command unless they select a character.
  private let commands: [xkb_mod_index_t]

  /// The translator for the found layout (``KeyboardLayout/find(explicit:in:)``). If xkb does not
  /// know it, throws if it is `explicit`; else returns xkb's default, and the error as `failure`.
  package static func find(
    explicit: String? = nil
  ) throws(SystemError) -> (
    translator: XkbKeyTranslator, source: LayoutSource, failure: SystemError?
  ) {
    let (layout, source) = try KeyboardLayout.find(explicit: explicit)
    do throws(SystemError) {
      return (try XkbKeyTranslator(layout), source, nil)
    } catch {
      if explicit != nil { throw error }
      return (try XkbKeyTranslator(KeyboardLayout()), .standard, error)
    }
  }

  /// The translator for this computer's layout: that of the environment, of systemd or of
  /// `/etc/default/keyboard`; xkb's default if there is none or xkb does not know it.
  ///
  /// ```swift
  /// session.keyTranslator = try XkbKeyTranslator()
  /// ```
  public convenience init() throws(SystemError) { try self.init(Self.find().translator.layout) }

  /// - Throws: ``SystemError`` if xkb does not know the layout.
  public init(_ layout: KeyboardLayout) throws(SystemError) {
    let keymap = try XkbKeymap(layout)
    let trial = try XkbState(of: keymap)
    var rightAlt: xkb_mod_mask_t = 0
    for group in 0..<xkb_keymap_num_layouts(keymap.pointer) {
      xkb_state_update_mask(trial.pointer, 0, 0, 0, 0, 0, group)
      xkb_state_update_key(trial.pointer, Self.code(of: .rightAlt), XKB_KEY_DOWN)
      rightAlt |= xkb_state_serialize_mods(trial.pointer, XKB_STATE_MODS_EFFECTIVE)
      xkb_state_update_key(trial.pointer, Self.code(of: .rightAlt), XKB_KEY_UP)
    }
    self.rightAlt = rightAlt
    self.layout = layout
    state = try XkbState(of: keymap)
    self.trial = trial
    let pointer = keymap.pointer
    shift = 1 << xkb_keymap_mod_get_index(pointer, XKB_MOD_NAME_SHIFT)
    capitals = shift | 1 << xkb_keymap_mod_get_index(pointer, XKB_MOD_NAME_CAPS)
    let names = [XKB_MOD_NAME_CTRL, XKB_MOD_NAME_ALT, XKB_MOD_NAME_LOGO]
    commands = names.map { xkb_keymap_mod_get_index(pointer, $0) }
    self.keymap = keymap
  }

  /// The names of its groups, such as "English (US)", in the order the user switches between them.
  public var groupNames: [String] {
    (0..<xkb_keymap_num_layouts(keymap.pointer)).map { index in
      xkb_keymap_layout_get_name(keymap.pointer, index).map { String(cString: $0) } ?? ""
    }
  }

  package func translate(_ key: Key, _ change: KeyEvent.State) -> KeyMeaning {
    let code = Self.code(of: key)
    var meaning = KeyMeaning(keysym: xkb_state_key_get_one_sym(state.pointer, code))
    switch change {
    case .down:
      meaning.text = text(of: code)
      if Modifiers(key).isEmpty { meaning.base = base(of: code, meaning.keysym) }
      xkb_state_update_key(state.pointer, code, XKB_KEY_DOWN)
    case .up: xkb_state_update_key(state.pointer, code, XKB_KEY_UP)
    case .repeat: meaning.text = text(of: code)
    }
    return meaning
  }

  package func repeats(_ key: Key) -> Bool {
    xkb_keymap_key_repeats(keymap.pointer, Self.code(of: key)) != 0
  }

  /// xkb key codes start at 8, as in X11.
  static func code(of key: Key) -> xkb_keycode_t { xkb_keycode_t(key.rawValue) + 8 }

  /// How the layout chooses `keysym`, which the key now has.
  private func base(of code: xkb_keycode_t, _ keysym: UInt32) -> KeyBase {
    var base = KeyBase(keysym: keysym)
    let held = xkb_state_serialize_mods(state.pointer, XKB_STATE_MODS_EFFECTIVE)
    let group = xkb_state_serialize_layout(state.pointer, XKB_STATE_LAYOUT_EFFECTIVE)
    let locked = xkb_state_serialize_layout(state.pointer, XKB_STATE_LAYOUT_LOCKED)
    if held & capitals != 0 { base.keysym = self.keysym(of: code, held & ~capitals, in: group) }
    // on a key of another alphabet a Latin capital may stand for its letter
    let isLoneCapital = Self.properties(keysym)?.isUppercase == true && !Self.isCased(base.keysym)
    if isLoneCapital { base.keysym = keysym }
    if held & shift != 0, !isLoneCapital {
      let plain = self.keysym(of: code, held & ~shift, in: group)
      if plain != keysym, !Self.areCases(plain, keysym) {
        base.choosers = [.leftShift, .rightShift]
      }
    }
    // on some layouts the key holds another group, not a modifier
    if held & rightAlt != 0 || group != locked,
      self.keysym(of: code, held & ~rightAlt, in: locked) != keysym
    {
      base.choosers.insert(.rightAlt)
    }
    // a sign counts for the letter of another group if its own group has another alphabet
    let model =
      Self.isLetter(base.keysym) ? base.keysym : self.keysym(of: Self.code(of: .a), 0, in: group)
    let isLatin = !Self.isOtherLetter(model)
    for other in 0..<xkb_keymap_num_layouts_for_key(keymap.pointer, code) where other != group {
      let letter = self.keysym(of: code, held & ~capitals, in: other)
      guard Self.isOtherLetter(letter) == isLatin, Self.isLetter(letter) else { continue }
      // AltGr has chosen the character of this group, not that letter
      if base.choosers.contains(.rightAlt), group == locked,
        self.keysym(of: code, held & ~capitals & ~rightAlt, in: other) == letter
      {
        continue
      }
      base.letter = letter
      break
    }
    return base
  }

  private func keysym(
    of code: xkb_keycode_t, _ modifiers: xkb_mod_mask_t, in group: xkb_layout_index_t
  ) -> UInt32 {
    xkb_state_update_mask(trial.pointer, modifiers, 0, 0, 0, 0, group)
    return xkb_state_key_get_one_sym(trial.pointer, code)
  }

  /// Whether one is a small letter and the other one a capital, as with Shift or Caps Lock.
  private static func areCases(_ one: UInt32, _ other: UInt32) -> Bool {
    guard let one = properties(one), let other = properties(other) else { return false }
    return one.isLowercase && other.isUppercase || one.isUppercase && other.isLowercase
  }

  private static func isCased(_ keysym: UInt32) -> Bool { properties(keysym)?.isCased == true }

  private static func isLetter(_ keysym: UInt32) -> Bool {
    properties(keysym)?.isAlphabetic == true
  }

  private static func properties(_ keysym: UInt32) -> Unicode.Scalar.Properties? {
    Unicode.Scalar(xkb_keysym_to_utf32(keysym))?.properties
  }

  /// Whether it is a letter of an alphabet other than the Latin one.
  private static func isOtherLetter(_ keysym: UInt32) -> Bool {
    let code = xkb_keysym_to_utf32(keysym)
    return code >= 0x370 && !(0x1e00...0x1eff).contains(code) && isLetter(keysym)
  }

  private func text(of code: xkb_keycode_t) -> KeyText {
    if isCommand(code) { return .none }
    // one extra byte to detect text that is too long, and one for the terminator
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: KeyText.capacity + 2) { room in
      let length = xkb_state_key_get_utf8(state.pointer, code, room.baseAddress, room.count)
      guard (1...Int32(KeyText.capacity)).contains(length) else { return .none }
      let bytes = room.prefix(Int(length)).lazy.map { UInt8(bitPattern: $0) }
      guard let text = KeyText(utf8: bytes) else { return .none }
      // a terminal would interpret these
      let isControl = text.description.unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      return isControl ? .none : text
    }
  }

  /// Whether Ctrl, Alt or Super is held or locked and does not merely select what the key types. A
  /// modifier that selects something else only with others, as Ctrl+Alt does on the keypad, still
  /// makes a command.
  private func isCommand(_ code: xkb_keycode_t) -> Bool {
    for index in commands {
      if xkb_state_mod_index_is_active(state.pointer, index, XKB_STATE_MODS_EFFECTIVE) > 0,
        xkb_state_mod_index_is_consumed2(state.pointer, code, index, XKB_CONSUMED_MODE_GTK) <= 0
      {
        return true
      }
    }
    return false
  }
}

extension Session {
  /// Gives keys their keysym and text; without it they have neither, and no hotkey with a character
  /// acts. Set this before events come. ``GlissDevices/LiveDevices`` sets it if it is `nil`.
  ///
  /// ```swift
  /// session.keyTranslator = try XkbKeyTranslator()
  /// ```
  public var keyTranslator: XkbKeyTranslator? {
    get { translator as? XkbKeyTranslator }
    set { translator = newValue }
  }
}

extension XkbKeyTranslator {
  /// Where the layout's first group has `character`, with as few keys as possible; `nil` if it is
  /// not there.
  ///
  /// Keypad keys do not count, nor do characters that need Caps Lock or another lock.
  func place(of character: Unicode.Scalar) -> ChordPresser.Place? {
    let wanted = Symbol(character).keysyms
    for choosers in [[], [Key.leftShift], [.rightAlt], [.leftShift, .rightAlt]] {
      guard let state = state(holding: choosers) else { continue }
      let key = (UInt16(1)...255).lazy.map { Key(rawValue: $0) }.first {
        !$0.isButton
          && wanted.contains(xkb_state_key_get_one_sym(state.pointer, Self.code(of: $0)))
      }
      if let key { return ChordPresser.Place(key: key, choosers: choosers) }
    }
    return nil
  }

  /// A sentence about the first character of `hotkey` that the layout lacks; `nil` if it has all.
  package func warning(about hotkey: Hotkey) -> String? {
    for case .symbol(let character) in hotkey.chords.map(\.trigger) where !has(character) {
      return "keyboard layout '\(layout)' has no \(character), so \(hotkey) never acts;"
        + " if yours is another layout, set XKB_DEFAULT_LAYOUT"
    }
    return nil
  }

  /// The key for each character, and whether it needs Shift. Characters of AltGr and the keypad are
  /// left out, and so are parentheses of keys that few keyboards have.
  package var places: [Unicode.Scalar: (key: Key, needsShift: Bool)] {
    let rare: Set<Key> = [.keypadLeftParenthesis, .keypadRightParenthesis]
    // many keyboards do not have this one, so any other key comes first
    let last = Key.extra102nd
    let keys = (1...255).map { Key(rawValue: $0) }
      .filter { !$0.isButton && !rare.contains($0) && $0 != last }
    var places: [Unicode.Scalar: (key: Key, needsShift: Bool)] = [:]
    for (keys, needsShift) in [(keys, false), (keys, true), ([last], false), ([last], true)] {
      guard let state = state(holding: needsShift ? [.leftShift] : []) else { break }
      for key in keys {
        let keysym = xkb_state_key_get_one_sym(state.pointer, Self.code(of: key))
        // leaves out the keypad, and keys without a character
        guard !(0xfd00...0xffff).contains(keysym), case let code = xkb_keysym_to_utf32(keysym),
          code > 0, let character = Unicode.Scalar(code), places[character] == nil
        else { continue }
        places[character] = (key, needsShift)
      }
    }
    return places
  }

  private func state(holding keys: [Key]) -> XkbState? {
    guard let state = try? XkbState(of: keymap) else { return nil }
    for key in keys { xkb_state_update_key(state.pointer, Self.code(of: key), XKB_KEY_DOWN) }
    return state
  }
}

struct XkbKeymap: ~Copyable {
  let pointer: OpaquePointer

  /// Ignores names in the environment, which ``LayoutSearch`` reads, and prints nothing.
  init(_ layout: KeyboardLayout) throws(SystemError) {
    let flags = XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue
    guard let context = xkb_context_new(xkb_context_flags(rawValue: flags)) else {
      throw SystemError("libxkbcommon", "gives no context", code: ENOMEM)
    }
    defer { xkb_context_unref(context) }
    // logging is turned off before the paths are added, because xkb may complain about them
    xkb_context_set_log_fn(context) { _, _, _, _ in }
    xkb_context_include_path_append_default(context)
    if geteuid() == 0 { Self.leaveOutOthersFolders(context) }
    guard !layout.isSuspicious, let keymap = Self.compile(layout, context) else {
      // the system's folder is searched last
      let folder = Self.folders(context).last
      throw SystemError(
        "keyboard layout '\(layout)'",
        folder == nil ? "xkb's layouts are not installed" : "xkb knows no such layout",
        advice: folder.map { "\($0)/rules/base.lst lists layouts and their variants" }
          ?? "install xkb-data (xkeyboard-config)")
    }
    pointer = keymap
  }

  deinit { xkb_keymap_unref(pointer) }

  private static func folders(_ context: OpaquePointer) -> [String] {
    (0..<xkb_context_num_include_paths(context)).compactMap { index in
      xkb_context_include_path_get(context, index).map { String(cString: $0) }
    }
  }

  /// When run as root, keeps only folders that root owns: under sudo the home (`~/.config/xkb`) may
  /// be another user's.
  private static func leaveOutOthersFolders(_ context: OpaquePointer) {
    let own = folders(context).filter { folder in
      var status = stat()
      return stat(folder, &status) == 0 && status.st_uid == 0
    }
    xkb_context_include_path_clear(context)
    for folder in own { xkb_context_include_path_append(context, folder) }
  }

  private static func compile(
    _ layout: KeyboardLayout, _ context: OpaquePointer
  ) -> OpaquePointer? {
    // the names are parameters, because Swift makes C strings of arguments
    func compile(
      _ rules: UnsafePointer<CChar>, _ model: UnsafePointer<CChar>,
      _ layout: UnsafePointer<CChar>, _ variant: UnsafePointer<CChar>,
      _ options: UnsafePointer<CChar>
    ) -> OpaquePointer? {
      var names = xkb_rule_names(
        rules: rules, model: model, layout: layout, variant: variant, options: options)
      return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
    }
    return compile(layout.rules, layout.model, layout.layout, layout.variant, layout.options)
  }
}

struct XkbState: ~Copyable {
  let pointer: OpaquePointer

  init(of keymap: borrowing XkbKeymap) throws(SystemError) {
    guard let pointer = xkb_state_new(keymap.pointer) else {
      throw SystemError("libxkbcommon", "gives no state", code: ENOMEM)
    }
    self.pointer = pointer
  }

  deinit { xkb_state_unref(pointer) }
}

extension XkbKeyTranslator {
  /// Whether a hotkey with `character` can act: a key has it in one of the layout's groups, with any
  /// modifiers, or as a dead key.
  package func has(_ character: Unicode.Scalar) -> Bool {
    let wanted = Symbol(character).pressedKeysyms
    let map = keymap.pointer
    for code in xkb_keymap_min_keycode(map)...xkb_keymap_max_keycode(map) {
      for group in 0..<xkb_keymap_num_layouts_for_key(map, code) {
        for level in 0..<xkb_keymap_num_levels_for_key(map, code, group) {
          var keysyms: UnsafePointer<xkb_keysym_t>?
          // several keysyms of one press complete no hotkey
          guard xkb_keymap_key_get_syms_by_level(map, code, group, level, &keysyms) == 1,
            let keysym = keysyms?.pointee
          else { continue }
          if wanted.contains(keysym) { return true }
        }
      }
    }
    return false
  }
}
