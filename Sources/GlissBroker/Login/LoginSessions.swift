import CSystemd
import Glibc

/// The current login sessions.
enum LoginSessions {
  /// Their names, from logind's files; `nil` if they are unknown.
  static var names: Set<String>? {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_get_sessions(&list)
    guard count >= 0 else { return nil }
    guard let list else { return [] }
    defer { free(list) }
    var names: Set<String> = []
    for index in 0..<Int(count) {
      guard let name = list[index] else { continue }
      names.insert(String(cString: name))
      free(name)
    }
    return names
  }
}
