import CSystemd
import Glibc

/// A bus message. Each read continues where the last one ended.
package struct BusMessage: ~Copyable {
  let pointer: OpaquePointer

  /// Takes ownership of `pointer` and its reference.
  init(_ pointer: OpaquePointer) { self.pointer = pointer }
  deinit { sd_bus_message_unref(pointer) }

  /// A property value, of the types used here.
  package enum Value: Hashable, Sendable {
    case string(String)
    case bool(Bool)
    case number(UInt32)
    /// `(so)`: a name and the object's path.
    case object(String, path: String)
    /// `(uo)`: a number and the object's path.
    case numberedObject(UInt32, path: String)
  }

  private static func type(_ letter: Character) -> CChar {
    CChar(bitPattern: letter.asciiValue ?? 0)
  }

  // MARK: Writing

  /// Returns false if the text contains a NUL or does not belong here.
  package func append(_ text: String) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    return text.withCString { sd_bus_message_append_basic(pointer, Self.type("s"), $0) } >= 0
  }

  package func append(_ number: UInt32) -> Bool {
    var number = number
    return sd_bus_message_append_basic(pointer, Self.type("u"), &number) >= 0
  }

  package func append(_ number: Int32) -> Bool {
    var number = number
    return sd_bus_message_append_basic(pointer, Self.type("i"), &number) >= 0
  }

  package func append(_ number: UInt64) -> Bool {
    var number = number
    return sd_bus_message_append_basic(pointer, Self.type("t"), &number) >= 0
  }

  /// Appends a container and fills it with `body`: `r` is a struct, `e` an entry, `v` a variant,
  /// `a` an array.
  package func append(
    _ kind: Character, _ contents: String, _ body: () -> Bool
  ) -> Bool {
    sd_bus_message_open_container(pointer, Self.type(kind), contents) >= 0 && body()
      && sd_bus_message_close_container(pointer) >= 0
  }

  // MARK: Reading

  func answers(_ cookie: UInt64) -> Bool {
    var answered: UInt64 = 0
    return sd_bus_message_get_reply_cookie(pointer, &answered) >= 0 && answered == cookie
  }

  /// The error it reports; `nil` if it is not an error.
  package var error: String? {
    guard sd_bus_message_is_method_error(pointer, nil) != 0 else { return nil }
    guard let error = sd_bus_message_get_error(pointer), let name = error.pointee.name else {
      return ""
    }
    return String(cString: name)
  }

  /// The sender's unique name according to the bus, or `org.freedesktop.DBus`.
  package var sender: String? { sd_bus_message_get_sender(pointer).map { String(cString: $0) } }
  package var path: String? { sd_bus_message_get_path(pointer).map { String(cString: $0) } }
  package var member: String? { sd_bus_message_get_member(pointer).map { String(cString: $0) } }

  package func string() -> String? { text("s") }

  package func bool() -> Bool? {
    var value: Int32 = 0
    return sd_bus_message_read_basic(pointer, Self.type("b"), &value) > 0 ? value != 0 : nil
  }

  package func number() -> UInt32? {
    var value: UInt32 = 0
    return sd_bus_message_read_basic(pointer, Self.type("u"), &value) > 0 ? value : nil
  }

  private func text(_ letter: Character) -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(pointer, Self.type(letter), &text) > 0, let text else {
      return nil
    }
    return String(cString: text)
  }

  /// The result of `body` inside a container; `nil` if there is no such container or it cannot be
  /// left.
  package func within<Result>(
    _ kind: Character, _ contents: String, _ body: () -> Result?
  ) -> Result? {
    guard sd_bus_message_enter_container(pointer, Self.type(kind), contents) > 0 else { return nil }
    let result = body()
    return sd_bus_message_exit_container(pointer) >= 0 ? result : nil
  }

  /// The entries of a dictionary (`a{sv}`) whose types are known, up to the first malformed one.
  package func dictionary() -> [String: Value] {
    var found: [String: Value] = [:]
    guard sd_bus_message_enter_container(pointer, Self.type("a"), "{sv}") > 0 else { return found }
    while sd_bus_message_enter_container(pointer, Self.type("e"), "sv") > 0 {
      guard let name = string() else { return found }
      var contents: UnsafePointer<CChar>?
      guard sd_bus_message_peek_type(pointer, nil, &contents) > 0, let contents else {
        return found
      }
      if let value = value(String(cString: contents)) {
        found[name] = value
      } else if sd_bus_message_skip(pointer, "v") < 0 {
        return found
      }
      guard sd_bus_message_exit_container(pointer) >= 0 else { return found }
    }
    // what follows can still be read
    _ = sd_bus_message_exit_container(pointer)
    return found
  }

  /// The entries of a string dictionary (`a{ss}`), up to the first malformed one.
  package func texts() -> [String: String] {
    var found: [String: String] = [:]
    guard sd_bus_message_enter_container(pointer, Self.type("a"), "{ss}") > 0 else { return found }
    while sd_bus_message_enter_container(pointer, Self.type("e"), "ss") > 0 {
      guard let name = string(), let value = string() else { return found }
      found[name] = value
      guard sd_bus_message_exit_container(pointer) >= 0 else { return found }
    }
    _ = sd_bus_message_exit_container(pointer)
    return found
  }

  private func value(_ type: String) -> Value? {
    switch type {
    case "s": within("v", type) { string().map(Value.string) }
    case "b": within("v", type) { bool().map(Value.bool) }
    case "u": within("v", type) { number().map(Value.number) }
    case "(so)":
      within("v", type) {
        within("r", "so") {
          guard let name = string(), let path = text("o") else { return nil }
          return .object(name, path: path)
        }
      }
    case "(uo)":
      within("v", type) {
        within("r", "uo") {
          guard let number = number(), let path = text("o") else { return nil }
          return .numberedObject(number, path: path)
        }
      }
    case _: nil
    }
  }
}
