import CXkbcommon
public import GlissEvents
import GlissHotkeys
public import GlissSession

/// Translates keys with libxkbcommon.
///
/// It starts without locks and in the first group, because the compositor's state cannot be read.
public final class XkbKeyTranslator: KeyTranslator {
  /// The layout in use.
  public let layout: KeyboardLayout
  let keymap: XkbKeymap
  private let state: XkbState
  /// xkb's indices of Ctrl, Alt and Super. With one of these down a key types nothing.
  private let commands: [xkb_mod_index_t]

  /// - Throws: ``DeviceError`` if xkb does not know the layout.
  public init(_ layout: KeyboardLayout) throws(DeviceError) {
    let context = try XkbContext()
    guard !layout.isSuspicious, let keymap = XkbKeymap(layout, in: context) else {
      throw Self.unknown(layout, systemFolder: context.systemFolder)
    }
    self.layout = layout
    state = try XkbState(of: keymap)
    let names: [String] = [XKB_MOD_NAME_CTRL, XKB_MOD_NAME_ALT, XKB_MOD_NAME_LOGO]
    var commands: [xkb_mod_index_t] = []
    for name in names { commands.append(xkb_keymap_mod_get_index(keymap.pointer, name)) }
    self.commands = commands
    self.keymap = keymap
  }

  private static func unknown(_ layout: KeyboardLayout, systemFolder: String?) -> DeviceError {
    guard let systemFolder else {
      return DeviceError(
        "keyboard layout '\(layout)'", "xkb's layouts are not installed",
        advice: "install xkb-data (xkeyboard-config)")
    }
    return DeviceError(
      "keyboard layout '\(layout)'", "xkb knows no such layout",
      advice: "\(systemFolder)/rules/base.lst lists layouts and their variants")
  }

  /// The names of its groups, such as "English (US)", in the order the user switches between them.
  public var groupNames: [String] {
    (0..<xkb_keymap_num_layouts(keymap.pointer)).map { index in
      xkb_keymap_layout_get_name(keymap.pointer, index).map { String(cString: $0) } ?? ""
    }
  }

  public func translate(_ key: Key, _ change: KeyEvent.State) -> KeyMeaning {
    let code = Self.code(of: key)
    var meaning = KeyMeaning(keysym: xkb_state_key_get_one_sym(state.pointer, code))
    switch change {
    case .down:
      meaning.text = text(of: code)
      xkb_state_update_key(state.pointer, code, XKB_KEY_DOWN)
    case .up: xkb_state_update_key(state.pointer, code, XKB_KEY_UP)
    case .repeat: meaning.text = text(of: code)
    }
    return meaning
  }

  public func repeats(_ key: Key) -> Bool {
    xkb_keymap_key_repeats(keymap.pointer, Self.code(of: key)) != 0
  }

  /// xkb key codes start at 8, as in X11.
  static func code(of key: Key) -> xkb_keycode_t { xkb_keycode_t(key.rawValue) + 8 }

  private func text(of code: xkb_keycode_t) -> KeyText {
    if isCommand(code) { return .none }
    // one extra byte to detect text that is too long, and one for the terminator
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: KeyText.capacity + 2) { room in
      let length = xkb_state_key_get_utf8(state.pointer, code, room.baseAddress, room.count)
      guard (1...Int32(KeyText.capacity)).contains(length) else { return .none }
      let bytes = room.prefix(Int(length)).lazy.map { UInt8(bitPattern: $0) }
      guard let text = KeyText(utf8: bytes), !text.hasControl else { return .none }
      return text
    }
  }

  /// Whether Ctrl, Alt or Super is held or locked and does not merely select what the key types.
  private func isCommand(_ code: xkb_keycode_t) -> Bool {
    for index in commands {
      if xkb_state_mod_index_is_active(state.pointer, index, XKB_STATE_MODS_EFFECTIVE) > 0,
        xkb_state_mod_index_is_consumed(state.pointer, code, index) <= 0
      {
        return true
      }
    }
    return false
  }
}

extension KeyText {
  /// Whether it contains control characters, which a terminal would interpret.
  fileprivate var hasControl: Bool {
    description.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

extension XkbKeyTranslator {
  /// Where the layout's first group has `character`, with as few keys as possible; `nil` if it is
  /// not there.
  ///
  /// Keypad keys do not count, nor do characters that need Caps Lock or another lock.
  func place(of character: Unicode.Scalar) -> ChordPresser.Place? {
    let wanted = character.keysyms
    for choosers in [[], [Key.leftShift], [.rightAlt], [.leftShift, .rightAlt]] {
      guard let key = key(with: wanted, choosers) else { continue }
      return ChordPresser.Place(key: key, choosers: choosers)
    }
    return nil
  }

  /// The key that produces one of `keysyms` while only `choosers` are down.
  private func key(with keysyms: [UInt32], _ choosers: [Key]) -> Key? {
    guard let state = try? XkbState(of: keymap) else { return nil }
    for chooser in choosers {
      xkb_state_update_key(state.pointer, Self.code(of: chooser), XKB_KEY_DOWN)
    }
    return (UInt16(1)...255).lazy.map { Key(rawValue: $0) }.first { key in
      !key.isButton
        && keysyms.contains(xkb_state_key_get_one_sym(state.pointer, Self.code(of: key)))
    }
  }
}
