import Glibc
import GlissDevices

/// The file of cookies that admit this user to X servers (Xau(3)).
package enum XAuthority {
  package struct Cookie: Hashable {
    var name: String
    var data: [UInt8]
  }

  private enum Family {
    static let local: UInt16 = 256
    static let any: UInt16 = 65535
  }

  static let method = "MIT-MAGIC-COOKIE-1"

  /// The cookie for a display of this computer.
  package static func cookie(display: String, host: String, in file: [UInt8]) -> Cookie? {
    var rest = file[...]
    func number() -> UInt16? {
      guard rest.count >= 2, let high = rest.popFirst(), let low = rest.popFirst() else {
        return nil
      }
      return UInt16(high) << 8 | UInt16(low)
    }
    func text() -> [UInt8]? {
      guard let count = number(), count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return Array(rest.prefix(Int(count)))
    }
    while let family = number(), let address = text(), let number = text(), let name = text(),
      let data = text()
    {
      let isHere = family == Family.any || family == Family.local && address == Array(host.utf8)
      let isDisplay = number.isEmpty || number == Array(display.utf8)
      if isHere, isDisplay, name == Array(method.utf8) { return Cookie(name: method, data: data) }
    }
    return nil
  }

  /// The cookie from the user's file, if there is one.
  static func cookie(display: String, file: String) -> Cookie? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let bytes = try? FileBytes.read(descriptor, size: 0, limit: 1 << 20) else { return nil }
    var names = utsname()
    uname(&names)
    let host = withUnsafeBytes(of: &names.nodename) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return cookie(display: display, host: host, in: bytes)
  }
}
