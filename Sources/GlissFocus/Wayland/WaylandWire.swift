/// A message of Wayland's protocol: to or from an object, with an operation and its arguments.
struct WaylandMessage {
  let object: UInt32
  let operation: UInt16
  private let body: [UInt8]
  private var offset = 0

  private static let headLength = 8

  /// Takes the next message; `nil` if it is not complete.
  init?(from input: inout InputBuffer) throws(FocusFailure) {
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

  // MARK: Reading arguments, from the first on

  mutating func number() throws(FocusFailure) -> UInt32 {
    guard let number: UInt32 = body.number(at: offset) else { throw Self.short }
    offset += 4
    return number
  }

  /// A text. Invalid UTF-8 in it is replaced.
  mutating func text() throws(FocusFailure) -> String {
    // the length counts the NUL at the end; without one it is a missing text
    String(decoding: try array().dropLast(), as: UTF8.self)
  }

  mutating func array() throws(FocusFailure) -> ArraySlice<UInt8> {
    let length = Int(try number())
    let padded = (length + 3) & ~3
    guard padded <= body.count - offset else { throw Self.short }
    defer { offset += padded }
    return body[offset..<offset + length]
  }

  private static var short: FocusFailure { .malformed("a Wayland message that ends too early") }

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
