import CSystemd
import Glibc
package import GlissEvents

/// A D-Bus connection.
///
/// Only ``call(_:_:_:_:_:within:_:)``, ``uniqueName`` and ``flush()`` block. The rest is driven by
/// an ``InputLoop`` (``attach(to:didClose:)``).
package final class Bus {
  let pointer: OpaquePointer
  private var attached: (loop: InputLoop, descriptor: Int32, didClose: () -> Void)?
  private var isProcessing = false
  /// Rings when a reply is overdue.
  private var timer: LoopTimer?

  /// Connects to the bus at `address`; to the system bus if it is `nil`. Fails if there is no bus.
  package init?(_ address: String?) {
    var bus: OpaquePointer?
    let code = address == nil ? sd_bus_open_system(&bus) : sd_bus_new(&bus)
    guard code >= 0, let bus else { return nil }
    if let address,
      sd_bus_set_address(bus, address) < 0 || sd_bus_set_bus_client(bus, 1) < 0
        || sd_bus_start(bus) < 0
    {
      sd_bus_close_unref(bus)
      return nil
    }
    pointer = bus
  }

  deinit {
    if let attached { attached.loop.unwatch(attached.descriptor) }
    sd_bus_close_unref(pointer)
  }

  /// Creates a method call with the arguments that `fill` appends; `nil` if that fails.
  private func message(
    _ service: String, _ path: String, _ interface: String, _ method: String,
    _ fill: (borrowing BusMessage) -> Bool
  ) -> BusMessage? {
    var created: OpaquePointer?
    guard
      sd_bus_message_new_method_call(pointer, &created, service, path, interface, method) >= 0,
      let created
    else { return nil }
    let message = BusMessage(created)
    if !fill(message) { return nil }
    return message
  }

  // MARK: Blocking calls

  /// Calls a method that takes a string, on a bus that is not attached to a loop. Returns what
  /// `read` makes of the reply, or `nil` if the call fails or times out.
  ///
  /// sd-bus' own calls wait up to 90 s for a bus that accepts the connection and then stays silent.
  func call<Answer>(
    _ service: String, _ path: String, _ interface: String, _ method: String, _ argument: String,
    within patience: EventInterval, _ read: @escaping (borrowing BusMessage) -> Answer
  ) -> Answer? {
    let deadline = InputLoop.now + patience
    var (answer, isOver): (Answer?, Bool) = (nil, false)
    guard let loop = try? InputLoop(), (try? attach(to: loop) { isOver = true }) != nil,
      let call = ask(
        service, path, interface, method, { $0.append(argument) }, within: patience,
        { reply in
          if reply.error == nil { answer = read(reply) }
          isOver = true
        })
    else { return nil }
    return withExtendedLifetime(call) {
      while !isOver, InputLoop.now < deadline, (try? loop.wait(until: deadline)) != nil {}
      return answer
    }
  }

  // MARK: Non-blocking calls

  /// Handles incoming messages on `loop` from now on. `didClose` is called once, when the bus is
  /// gone. By then every call has been answered with an error.
  package func attach(to loop: InputLoop, didClose: @escaping () -> Void) throws(SystemError) {
    let descriptor = sd_bus_get_fd(pointer)
    guard descriptor >= 0 else { throw SystemError("bus", failed: -descriptor) }
    attached = (loop, descriptor, didClose)
    timer = try LoopTimer(on: loop) { [unowned self] in process() }
    try watch()
  }

  /// Calls a method with the arguments that `fill` appends. `answer` receives the reply or an
  /// error. It is not called once the returned interest is released. Returns `nil` if the message
  /// could not be sent.
  package func ask(
    _ service: String, _ path: String, _ interface: String, _ method: String,
    _ fill: (borrowing BusMessage) -> Bool = { _ in true }, within patience: EventInterval,
    _ answer: @escaping (borrowing BusMessage) -> Void
  ) -> BusInterest? {
    guard let message = message(service, path, interface, method, fill) else { return nil }
    let interest = BusInterest(answer)
    let sent = sd_bus_call_async(
      pointer, &interest.slot, message.pointer, BusInterest.callback, interest.context,
      UInt64(clamping: max(1, patience.microseconds)))
    return sent >= 0 && rearm() ? interest : nil
  }

  /// Calls a method without waiting for a reply.
  package func tell(
    _ service: String, _ path: String, _ interface: String, _ method: String,
    _ fill: (borrowing BusMessage) -> Bool
  ) {
    if let message = message(service, path, interface, method, fill) { send(message) }
  }

  /// Sends a message without waiting for a reply.
  package func send(_ message: consuming BusMessage) {
    sd_bus_message_set_expect_reply(message.pointer, 0)
    _ = sd_bus_send(pointer, message.pointer, nil)
    _ = rearm()
  }

  /// Calls `handler` for each message that matches `rule`, until the returned interest is released.
  package func listen(
    _ rule: String, _ handler: @escaping (borrowing BusMessage) -> Void
  ) -> BusInterest? {
    let interest = BusInterest(handler)
    let added = sd_bus_add_match_async(
      pointer, &interest.slot, rule, BusInterest.callback, nil, interest.context)
    return added >= 0 && rearm() ? interest : nil
  }

  /// The name by which others reach this connection; waits for the bus if nothing was received yet.
  package var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    guard sd_bus_get_unique_name(pointer, &name) >= 0, let name else { return nil }
    return String(cString: name)
  }

  /// Outgoing data may have to wait until the bus reads it.
  func rearm() -> Bool {
    guard attached != nil, !isProcessing else { return true }
    do { try watch() } catch { return false }
    return true
  }

  private func watch() throws(SystemError) {
    guard let attached else { return }
    let events = sd_bus_get_events(pointer)
    let isForWriting = events > 0 && events & POLLOUT != 0
    try attached.loop.watch(
      attached.descriptor, for: isForWriting ? .readableOrWritable : .readable
    ) { [unowned self] in process() }
    var time: UInt64 = 0
    let isPending = sd_bus_get_timeout(pointer, &time) >= 0 && time != .max
    timer?.due = isPending ? EventTime(microseconds: Int64(clamping: time)) : nil
  }

  private func process() {
    guard !isProcessing else { return }
    // a handler may release the bus
    withExtendedLifetime(self) {
      isProcessing = true
      var status: Int32 = 1
      while status > 0 { status = sd_bus_process(pointer, nil) }
      isProcessing = false
      guard let attached else { return }
      if status >= 0, sd_bus_is_open(pointer) > 0, rearm() { return }
      attached.loop.unwatch(attached.descriptor)
      self.attached = nil
      timer = nil
      attached.didClose()
    }
  }
}

/// Waits for a reply or listens to signals until it is released.
package final class BusInterest {
  var slot: OpaquePointer?
  private let handler: (borrowing BusMessage) -> Void

  init(_ handler: @escaping (borrowing BusMessage) -> Void) { self.handler = handler }
  deinit { sd_bus_slot_unref(slot) }

  var context: UnsafeMutableRawPointer {
    // the slot is freed with this object, and the pointer goes with it
    Unmanaged.passUnretained(self).toOpaque()
  }

  static let callback: sd_bus_message_handler_t = { message, context, _ in
    guard let context, let message = sd_bus_message_ref(message) else { return 0 }
    let interest = Unmanaged<BusInterest>.fromOpaque(context).takeUnretainedValue()
    interest.handler(BusMessage(message))
    // 1: the handler answers a call by itself
    return sd_bus_message_is_method_call(message, nil, nil)
  }
}

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
    /// `(so)` or `(uo)`: a name or number and the object's path.
    case object(String, path: String)
  }

  static func type(_ letter: Character) -> CChar {
    CChar(bitPattern: letter.asciiValue ?? 0)
  }

  // MARK: Writing

  /// Returns false if the text contains a NUL or does not belong here.
  package func append(_ text: String) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    return text.withCString { sd_bus_message_append_basic(pointer, Self.type("s"), $0) } >= 0
  }

  package func append(path: String) -> Bool {
    path.withCString { sd_bus_message_append_basic(pointer, Self.type("o"), $0) } >= 0
  }

  package func append(_ number: UInt32) -> Bool { append(number, as: "u") }
  package func append(_ number: Int32) -> Bool { append(number, as: "i") }
  package func append(_ number: UInt64) -> Bool { append(number, as: "t") }
  package func append(byte: UInt8) -> Bool { append(byte, as: "y") }

  /// - Parameter letter: The D-Bus type of which `Value` is the C type.
  private func append<Value: BitwiseCopyable>(_ value: Value, as letter: Character) -> Bool {
    var value = value
    return sd_bus_message_append_basic(pointer, Self.type(letter), &value) >= 0
  }

  /// Appends a container that `body` fills: `r` a struct, `e` an entry, `v` a variant, `a` an array.
  package func append(
    _ kind: Character, _ contents: String, _ body: () -> Bool
  ) -> Bool {
    sd_bus_message_open_container(pointer, Self.type(kind), contents) >= 0 && body()
      && sd_bus_message_close_container(pointer) >= 0
  }

  // MARK: Reading

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
  package func objectPath() -> String? { text("o") }
  package func bool() -> Bool? { read("b", as: Int32(0)).map { $0 != 0 } }
  package func number() -> UInt32? { read("u", as: UInt32(0)) }
  package func integer() -> Int32? { read("i", as: Int32(0)) }

  private func text(_ letter: Character) -> String? {
    let text = read(letter, as: UnsafePointer<CChar>?.none)
    return text.flatMap { $0 }.map { String(cString: $0) }
  }

  /// - Parameter initial: Any value of the C type for the D-Bus type `letter`.
  private func read<Value: BitwiseCopyable>(_ letter: Character, as initial: Value) -> Value? {
    var value = initial
    return sd_bus_message_read_basic(pointer, Self.type(letter), &value) > 0 ? value : nil
  }

  /// What `body` returns inside a container; `nil` if no such container follows, or if `body` leaves
  /// a part of it unread.
  package func within<Result>(
    _ kind: Character, _ contents: String, _ body: () -> Result?
  ) -> Result? {
    guard sd_bus_message_enter_container(pointer, Self.type(kind), contents) > 0 else { return nil }
    let result = body()
    return sd_bus_message_exit_container(pointer) >= 0 ? result : nil
  }

  /// The entries of a dictionary (`a{sv}` or `a{ss}`) whose types are known, up to the first
  /// malformed one. If no entry is malformed, what follows the dictionary can still be read.
  package func dictionary(_ types: String = "sv") -> [String: Value] {
    var found: [String: Value] = [:]
    guard sd_bus_message_enter_container(pointer, Self.type("a"), "{\(types)}") > 0 else {
      return found
    }
    while sd_bus_message_enter_container(pointer, Self.type("e"), types) > 0 {
      var contents: UnsafePointer<CChar>?
      guard let name = string(), sd_bus_message_peek_type(pointer, nil, &contents) > 0 else {
        return found
      }
      if let value = types == "ss" ? string().map(Value.string) : value(contents) {
        found[name] = value
      } else if sd_bus_message_skip(pointer, "v") < 0 {
        return found
      }
      guard sd_bus_message_exit_container(pointer) >= 0 else { return found }
    }
    _ = sd_bus_message_exit_container(pointer)
    return found
  }

  private func value(_ contents: UnsafePointer<CChar>?) -> Value? {
    let type = contents.map { String(cString: $0) } ?? ""
    return switch type {
    case "s": within("v", type) { string().map(Value.string) }
    case "b": within("v", type) { bool().map(Value.bool) }
    case "(so)", "(uo)":
      within("v", type) {
        within("r", String(type.dropFirst().dropLast())) {
          guard let name = type == "(so)" ? string() : number().map({ "\($0)" }),
            let path = objectPath()
          else { return nil }
          return .object(name, path: path)
        }
      }
    case _: nil
    }
  }
}
