import Glibc

/// The environment that the process was started with.
enum ProcessEnvironment {
  /// All variables, as `NAME=VALUE`.
  static var all: [String] {
    var entries: [String] = []
    var entry = environ
    while let text = entry.pointee {
      entries.append(String(cString: text))
      entry += 1
    }
    return entries
  }

  /// The address of the session bus.
  static func sessionBus(_ runtimeFolder: String) -> String? {
    if let named = getenv("DBUS_SESSION_BUS_ADDRESS"), named.pointee != 0 {
      return String(cString: named)
    }
    let path = runtimeFolder + "/bus"
    return access(path, W_OK) == 0 ? "unix:path=\(path)" : nil
  }
}

extension LocalTime {
  /// Seconds since 1970.
  static var now: Int64 { Int64(time(nil)) }
}
