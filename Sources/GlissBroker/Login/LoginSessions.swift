import CSystemd
import Glibc

/// The login sessions there are.
enum LoginSessions {
  /// Their names, from the files that logind keeps; `nil` where they cannot be told.
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
