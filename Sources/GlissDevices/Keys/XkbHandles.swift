import CXkbcommon
import Glibc

/// An xkb context: where xkb looks for layouts.
struct XkbContext: ~Copyable {
  fileprivate let pointer: OpaquePointer

  /// Ignores names in the environment, which ``LayoutSearch`` reads, and prints nothing.
  init() throws(DeviceError) {
    // logging is turned off before the paths are added, because xkb may complain about them
    let flags = XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue
    guard let pointer = xkb_context_new(xkb_context_flags(rawValue: flags)) else {
      throw DeviceError("libxkbcommon", "gives no context", code: ENOMEM)
    }
    self.pointer = pointer
    xkb_context_set_log_fn(pointer) { _, _, _, _ in }
    xkb_context_include_path_append_default(pointer)
    if geteuid() == 0 { leaveOutOthersFolders() }
  }

  deinit { xkb_context_unref(pointer) }

  /// The system's folder, which is searched last; `nil` without one.
  var systemFolder: String? { folders.last }

  private var folders: [String] {
    (0..<xkb_context_num_include_paths(pointer)).compactMap { index in
      xkb_context_include_path_get(pointer, index).map { String(cString: $0) }
    }
  }

  /// When run as root, keeps only folders that root owns: under sudo the home (`~/.config/xkb`) may
  /// be another user's.
  private func leaveOutOthersFolders() {
    let own = folders.filter { folder in
      var status = stat()
      return stat(folder, &status) == 0 && status.st_uid == 0
    }
    xkb_context_include_path_clear(pointer)
    for folder in own { xkb_context_include_path_append(pointer, folder) }
  }
}

/// A compiled layout.
struct XkbKeymap: ~Copyable {
  let pointer: OpaquePointer

  /// `nil` if xkb does not know the layout.
  init?(_ layout: KeyboardLayout, in context: borrowing XkbContext) {
    let names = [layout.rules, layout.model, layout.layout, layout.variant, layout.options]
    // all names in one buffer, each with its terminator
    var text: [CChar] = []
    var starts: [Int] = []
    for name in names {
      starts.append(text.count)
      text += name.utf8CString
    }
    let place = context.pointer
    let keymap = text.withUnsafeBufferPointer { text -> OpaquePointer? in
      guard let base = text.baseAddress else { return nil }
      var names = xkb_rule_names(
        rules: base + starts[0], model: base + starts[1], layout: base + starts[2],
        variant: base + starts[3], options: base + starts[4])
      return xkb_keymap_new_from_names(place, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
    }
    guard let keymap else { return nil }
    pointer = keymap
  }

  deinit { xkb_keymap_unref(pointer) }
}

/// The current modifiers and group of a layout.
struct XkbState: ~Copyable {
  let pointer: OpaquePointer

  init(of keymap: borrowing XkbKeymap) throws(DeviceError) {
    guard let pointer = xkb_state_new(keymap.pointer) else {
      throw DeviceError("libxkbcommon", "gives no state", code: ENOMEM)
    }
    self.pointer = pointer
  }

  deinit { xkb_state_unref(pointer) }
}
