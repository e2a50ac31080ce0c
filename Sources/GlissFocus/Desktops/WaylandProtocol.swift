/// A message of Wayland's protocol: to or from an object, with an operation and its arguments.
struct WaylandMessage {
  let object: UInt32
  let operation: UInt16
  private let body: [UInt8]
  private var offset = 0

  private static let headLength = 8

  /// Takes the next message; `nil` if it is not complete.
  init?(from input: inout InputBuffer) throws(DesktopFailure) {
    guard let head = input.peek(Self.headLength), let object: UInt32 = head.number(at: 0),
      let word: UInt32 = head.number(at: 4)
    else { return nil }
    let size = Int(word >> 16)
    guard size >= Self.headLength, size % 4 == 0 else {
      throw .malformed("a Wayland message of \(size) bytes")
    }
    guard let message = input.take(size) else { return nil }
    self.object = object
    operation = UInt16(truncatingIfNeeded: word)
    body = Array(message[Self.headLength...])
  }

  // MARK: Reading arguments in order

  mutating func number() throws(DesktopFailure) -> UInt32 {
    guard let number: UInt32 = body.number(at: offset) else { throw Self.short }
    offset += 4
    return number
  }

  /// A text. Invalid UTF-8 in it is replaced.
  mutating func text() throws(DesktopFailure) -> String {
    // the length includes the NUL at the end; a length of 0 means no text
    String(decoding: try array().dropLast(), as: UTF8.self)
  }

  private mutating func array() throws(DesktopFailure) -> ArraySlice<UInt8> {
    let length = Int(try number())
    let padded = (length + 3) & ~3
    guard padded <= body.count - offset else { throw Self.short }
    defer { offset += padded }
    return body[offset..<offset + length]
  }

  /// The numbers of an array.
  mutating func numbers() throws(DesktopFailure) -> [UInt32] { try array().numbers }

  private static var short: DesktopFailure { .malformed("a Wayland message that ends too early") }

  // MARK: Writing

  enum Argument {
    case number(UInt32)
    case text(String)

    fileprivate var bytes: [UInt8] {
      switch self {
      case .number(let number): return number.nativeBytes
      case .text(let text):
        let bytes = Array(text.utf8) + [0]
        let padding = [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        return UInt32(bytes.count).nativeBytes + bytes + padding
      }
    }
  }

  static func bytes(
    to object: UInt32, _ operation: UInt16, _ arguments: Argument...
  ) -> [UInt8] {
    let body = arguments.flatMap(\.bytes)
    let word = UInt32(headLength + body.count) << 16 | UInt32(operation)
    return object.nativeBytes + word.nativeBytes + body
  }
}

/// Protocols that list windows and say which is activated: the same events, numbered differently.
enum ToplevelProtocol {
  /// wlr-foreign-toplevel-management-unstable-v1.
  case wlroots
  /// cosmic-toplevel-info-unstable-v1, in its version 1: later ones need a second protocol.
  case cosmic

  /// The events of a window that matter here.
  enum Event {
    case title
    case name
    case state
    /// The preceding changes take effect.
    case done
    case closed
  }

  /// Elements of a window's state.
  enum State {
    static let maximized: UInt32 = 0
    /// The window has the focus.
    static let activated: UInt32 = 2
    static let fullscreen: UInt32 = 3
  }

  init?(interface: String) {
    switch interface {
    case Self.wlroots.interface: self = .wlroots
    case Self.cosmic.interface: self = .cosmic
    case _: return nil
    }
  }

  var interface: String {
    switch self {
    case .wlroots: "zwlr_foreign_toplevel_manager_v1"
    case .cosmic: "zcosmic_toplevel_info_v1"
    }
  }

  func event(_ operation: UInt16) -> Event? {
    switch (self, operation) {
    case (.wlroots, 0), (.cosmic, 2): .title
    case (.wlroots, 1), (.cosmic, 3): .name
    case (.wlroots, 4), (.cosmic, 8): .state
    case (.wlroots, 5), (.cosmic, 1): .done
    case (.wlroots, 6), (.cosmic, 0): .closed
    case (.wlroots, _), (.cosmic, _): nil
    }
  }

  /// The request that destroys a window's object.
  var destroy: UInt16 {
    switch self {
    case .wlroots: 7
    case .cosmic: 0
    }
  }
}
