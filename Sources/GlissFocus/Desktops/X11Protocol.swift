import Glibc
import GlissDevices

/// The requests of the X protocol that are needed here, in this processor's byte order.
enum X11Request {
  static func setup(_ cookie: [UInt8]?) -> [UInt8] {
    let order = UInt8(ascii: UInt16(1).littleEndian == 1 ? "l" : "B")
    let name = cookie == nil ? [] : Array(XAuthority.method.utf8)
    let data = cookie ?? []
    return [order, 0] + UInt16(11).nativeBytes + UInt16(0).nativeBytes
      + UInt16(truncatingIfNeeded: name.count).nativeBytes
      + UInt16(truncatingIfNeeded: data.count).nativeBytes + [0, 0] + name.padded + data.padded
  }

  static func internAtom(_ name: String) -> [UInt8] { request(16, name) }

  static func findExtension(_ name: String) -> [UInt8] { request(98, name) }

  /// Asks for the outputs of a root window by RandR, whose major opcode is `randr`.
  static func outputs(of root: UInt32, _ randr: UInt8) -> [UInt8] {
    request(randr, part: 25, root)
  }

  static func output(_ output: UInt32, _ randr: UInt8) -> [UInt8] {
    request(randr, part: 9, output, 0)
  }

  /// Events of a window to report.
  struct Events: OptionSet {
    let rawValue: UInt32
    static let properties = Events(rawValue: 0x40_0000)
    /// The pointer enters or leaves the window.
    static let crossings = Events(rawValue: 0x30)
    /// Windows in it are created, shown, moved and so on.
    static let children = Events(rawValue: 0x8_0000)
  }

  /// Asks for these events of a window, and no others.
  static func watch(_ window: UInt32, for events: Events) -> [UInt8] {
    let eventMask: UInt32 = 0x800
    return request(2, window, eventMask, events.rawValue)
  }

  static func children(of window: UInt32) -> [UInt8] { request(15, window) }

  /// Asks which child of a window is under the pointer.
  static func pointer(in window: UInt32) -> [UInt8] { request(38, window) }

  /// Asks for a property of any type.
  static func property(_ atom: UInt32, of window: UInt32) -> [UInt8] {
    request(20, window, atom, 0, 0, UInt32(FocusedWindow.longestTitle / 4))
  }

  /// Sends a message about `window` to the window manager, which listens at the root window.
  static func message(
    _ type: UInt32, about window: UInt32, root: UInt32, _ data: [UInt32]
  ) -> [UInt8] {
    let (clientMessage, format): (UInt8, UInt8) = (33, 32)
    // SubstructureNotify and SubstructureRedirect
    let eventMask: UInt32 = 0x18_0000
    let words = [window, type] + data + [UInt32](repeating: 0, count: 5 - data.count)
    return request(
      25,
      root.nativeBytes + eventMask.nativeBytes + [clientMessage, format, 0, 0]
        + words.flatMap(\.nativeBytes))
  }

  private static func request(_ operation: UInt8, part: UInt8 = 0, _ words: UInt32...) -> [UInt8] {
    request(operation, part: part, words.flatMap(\.nativeBytes))
  }

  private static func request(_ operation: UInt8, _ name: String) -> [UInt8] {
    let bytes = Array(name.utf8)
    return request(operation, UInt16(bytes.count).nativeBytes + [0, 0] + bytes.padded)
  }

  private static func request(_ operation: UInt8, part: UInt8 = 0, _ body: [UInt8]) -> [UInt8] {
    [operation, part] + UInt16(1 + body.count / 4).nativeBytes + body
  }
}

enum X11Message {
  /// The connection is accepted. Has the first screen's root window.
  case accepted(root: UInt32)
  /// The answer to the request with this number; `nil` if the request failed.
  case reply([UInt8]?, to: UInt16)
  case propertyChanged(window: UInt32, atom: UInt32)
  /// The pointer has moved to another window.
  case crossed
  /// A window has got a new child, or a child was shown or hidden.
  case appeared(window: UInt32, in: UInt32)
  case other
}

/// Parses what the X server sends: the answer to the setup request, and then messages.
struct X11Input {
  private var bytes = InputBuffer()
  private var isAccepted = false

  mutating func append(_ more: [UInt8]) { bytes.append(more) }

  /// Takes the next message; `nil` if it is not complete.
  mutating func next() throws(DesktopFailure) -> X11Message? {
    isAccepted ? try message() : try setup()
  }

  private mutating func setup() throws(DesktopFailure) -> X11Message? {
    guard let head = bytes.peek(8), let status = head.first, let words: UInt16 = head.number(at: 6),
      let answer = bytes.take(8 + Int(words) * 4)
    else { return nil }
    guard status == 1 else {
      throw .unsupported("the X server does not admit this user: is XAUTHORITY set?")
    }
    guard let vendorLength: UInt16 = answer.number(at: 24), answer.count > 29 else {
      throw .malformed("a setup of X that ends too early")
    }
    let formats = Int(answer[29]) * 8
    let offset = 40 + ((Int(vendorLength) + 3) & ~3) + formats
    guard let root: UInt32 = answer.number(at: offset) else {
      throw .malformed("a setup of X without a screen")
    }
    isAccepted = true
    return .accepted(root: root)
  }

  private mutating func message() throws(DesktopFailure) -> X11Message? {
    let size = 32
    guard let head = bytes.peek(size), let kind = head.first else { return nil }
    let hasMore = kind == 1 || kind & 0x7f == 35
    let more = hasMore ? Int(head.number(at: 4, UInt32.self) ?? 0) * 4 : 0
    guard more <= 1 << 20 else { throw .malformed("a reply of X of \(more) bytes") }
    guard let message = bytes.take(size + more), let request: UInt16 = message.number(at: 2),
      let first: UInt32 = message.number(at: 4), let second: UInt32 = message.number(at: 8),
      let third: UInt32 = message.number(at: 12)
    else { return nil }
    return switch kind & 0x7f {
    case 0: .reply(nil, to: request)
    case 1: .reply(message, to: request)
    case 28: .propertyChanged(window: first, atom: second)
    // enter, leave
    case 7, 8: .crossed
    // create, unmap, map
    case 16, 18, 19: .appeared(window: second, in: first)
    // reparent
    case 21: .appeared(window: second, in: third)
    case _: .other
    }
  }
}

extension [UInt8] {
  /// The major opcode of the requested extension; `nil` if the server lacks it.
  var extensionNumber: UInt8? { count > 9 && self[8] == 1 ? self[9] : nil }

  var firstOutput: UInt32? {
    guard let screens: UInt16 = number(at: 16), let outputs: UInt16 = number(at: 18), outputs > 0
    else { return nil }
    return number(at: 32 + 4 * Int(screens))
  }

  var outputName: String? {
    guard let screens: UInt16 = number(at: 26), let modes: UInt16 = number(at: 28),
      let clones: UInt16 = number(at: 32), let length: UInt16 = number(at: 34)
    else { return nil }
    let start = 36 + 4 * (Int(screens) + Int(modes) + Int(clones))
    guard start + Int(length) <= count else { return nil }
    return String(decoding: self[start..<start + Int(length)], as: UTF8.self)
  }

  /// The child under the pointer; 0 without one, or if the pointer is on another screen.
  var windowUnderPointer: UInt32 { number(at: 12) ?? 0 }

  /// A window's children, topmost first.
  var childWindows: [UInt32] {
    let count: UInt16 = number(at: 16) ?? 0
    return (0..<Int(count)).reversed().compactMap { number(at: 32 + 4 * $0) }
  }
}

/// The value of a property, from a reply.
struct X11Property: Hashable {
  var type: UInt32 = 0
  var bytes: [UInt8] = []

  /// Empty if the window has no such property, or is gone.
  init(_ reply: [UInt8]?) {
    guard let reply, let type: UInt32 = reply.number(at: 8),
      let count: UInt32 = reply.number(at: 16), reply.count >= 32
    else { return }
    let size = Int(count) * Int(reply[1] / 8)
    guard size <= reply.count - 32 else { return }
    self.type = type
    bytes = Array(reply[32..<32 + size])
  }

  var number: UInt32? { bytes.number(at: 0) }

  /// `nil` if it is empty. Many programs put UTF-8 where Latin-1 is required.
  var text: String? {
    if bytes.isEmpty { return nil }
    // `STRING`
    let latin1: UInt32 = 31
    let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
    guard type == latin1, !isUTF8 else { return String(cut: bytes) }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The texts, each of which ends with a NUL.
  var texts: [String] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).prefix(2).map {
      var part = self
      part.bytes = Array($0)
      return part.text ?? ""
    }
  }
}

/// The file of cookies that admit this user to X servers (Xau(3)).
package enum XAuthority {
  /// The only way to use a cookie that servers are asked for here.
  static let method = "MIT-MAGIC-COOKIE-1"

  package static func cookie(display: String, host: String, in file: [UInt8]) -> [UInt8]? {
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
    let (local, any): (UInt16, UInt16) = (256, 65535)
    while let family = number(), let address = text(), let number = text(), let name = text(),
      let data = text()
    {
      let isHere = family == any || family == local && address == Array(host.utf8)
      let isDisplay = number.isEmpty || number == Array(display.utf8)
      if isHere, isDisplay, name == Array(method.utf8) { return data }
    }
    return nil
  }

  static func cookie(display: String, file: String) -> [UInt8]? {
    guard let bytes = FileBytes.start(of: file, upTo: 1 << 20) else { return nil }
    var names = utsname()
    uname(&names)
    let host = withUnsafeBytes(of: &names.nodename) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return cookie(display: display, host: host, in: bytes)
  }
}
