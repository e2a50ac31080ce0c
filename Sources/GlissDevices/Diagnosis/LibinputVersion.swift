import Glibc

/// The version of the loaded libinput. No function reports it, but newer versions have functions
/// that older ones lack.
struct LibinputVersion: Hashable, Sendable {
  /// The oldest version that has all functions found.
  var lowest: String
  /// The oldest version that has the first function not found; `nil` if all functions listed here
  /// were found.
  var below: String?

  /// The version that introduced each function, as named in libinput's own symbol list.
  static let marks: [(version: String, function: String)] = [
    ("1.19", "libinput_event_pointer_get_scroll_value"),
    ("1.21", "libinput_device_config_dwtp_is_available"),
    ("1.23", "libinput_config_accel_create"),
    ("1.26", "libinput_device_get_id_bustype"),
    ("1.27", "libinput_device_config_area_has_rectangle"),
    ("1.28", "libinput_device_config_3fg_drag_get_finger_count"),
    ("1.29", "libinput_tablet_tool_config_eraser_button_get_modes"),
    ("1.30", "libinput_plugin_system_append_path"),
    ("1.31", "libinput_device_config_dwt_get_timeout"),
  ]

  init(lowest: String, below: String?) {
    self.lowest = lowest
    self.below = below
  }

  /// - Parameter has: Whether a function exists.
  init(_ has: (String) -> Bool) {
    // this program requires the first
    self.init(lowest: Self.marks[0].version, below: nil)
    for (version, function) in Self.marks.dropFirst() {
      guard has(function) else {
        below = version
        return
      }
      lowest = version
    }
  }

  /// The version this process runs with.
  static var loaded: LibinputVersion { LibinputVersion { dlsym(nil, $0) != nil } }
}

extension LibinputVersion: CustomStringConvertible {
  var description: String {
    guard let below else { return "\(lowest) or newer" }
    guard let last = Self.before(below), last != lowest else { return lowest }
    return "\(lowest) to \(last)"
  }

  /// The version before `1.N`.
  private static func before(_ version: String) -> String? {
    let parts = version.split(separator: ".")
    guard parts.count == 2, let minor = Int(parts[1]), minor > 0 else { return nil }
    return "\(parts[0]).\(minor - 1)"
  }
}
