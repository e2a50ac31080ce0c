import CSystemd
import Glibc
package import GlissEvents

/// A connection to a D-Bus.
///
/// Nothing here waits but ``call(_:_:_:_:_:within:)``, and that for so long and no longer. All else is turned by an
/// ``EventLoop`` (``attach(to:didClose:)``) and by whoever minds ``deadline``.
package final class Bus {
  private let pointer: OpaquePointer
  private var attached: (loop: EventLoop, descriptor: Int32, didClose: () -> Void)?
  private var isProcessing = false
  /// Called when ``deadline`` may be another.
  package var didChangeDeadline: (() -> Void)?

  /// `nil` where there is no bus at `address`, or at the system's.
  package init?(_ address: String?) {
    guard let pointer = Self.open(address) else { return nil }
    self.pointer = pointer
  }

  deinit {
    if let attached { attached.loop.unwatch(attached.descriptor) }
    sd_bus_close_unref(pointer)
  }

  private static func open(_ address: String?) -> OpaquePointer? {
    var bus: OpaquePointer?
    guard let address else { return sd_bus_open_system(&bus) >= 0 ? bus : nil }
    guard sd_bus_new(&bus) >= 0, let bus else { return nil }
    guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0,
      sd_bus_start(bus) >= 0
    else {
      sd_bus_close_unref(bus)
      return nil
    }
    return bus
  }

  /// A call of a method that has no arguments yet.
  package func message(
    _ service: String, _ path: String, _ interface: String, _ method: String
  ) -> BusMessage? {
    var created: OpaquePointer?
    guard
      sd_bus_message_new_method_call(pointer, &created, service, path, interface, method) >= 0,
      let created
    else { return nil }
    return BusMessage(created)
  }

  // MARK: Waiting

  /// Calls a method that takes a string; `nil` where it fails or is not answered in time.
  ///
  /// sd-bus' own calls wait for up to 90 s for a bus that takes the connection and then says nothing.
  func call(
    _ service: String, _ path: String, _ interface: String, _ method: String, _ argument: String,
    within patience: EventInterval
  ) -> BusMessage? {
    guard let request = message(service, path, interface, method) else { return nil }
    var cookie: UInt64 = 0
    guard request.append(argument), sd_bus_send(pointer, request.pointer, &cookie) >= 0 else {
      return nil
    }
    return reply(to: cookie, until: EventLoop.now + patience)
  }

  private func reply(to cookie: UInt64, until deadline: EventTime) -> BusMessage? {
    while true {
      var received: OpaquePointer?
      let status = sd_bus_process(pointer, &received)
      if let received {
        let message = BusMessage(received)
        if message.answers(cookie) {
          if message.error != nil { return nil }
          return message
        }
      } else if status < 0 {
        return nil
      } else if status == 0 {
        let left = deadline - EventLoop.now
        guard left > .zero else { return nil }
        let waited = sd_bus_wait(pointer, UInt64(clamping: left.microseconds))
        if waited < 0 && waited != -EINTR { return nil }
      }
      if EventLoop.now >= deadline { return nil }
    }
  }

  // MARK: Not waiting

  /// From now on what comes is taken as `loop` turns. `didClose` is called once, when the bus is gone: all calls have
  /// been answered with an error by then.
  package func attach(to loop: EventLoop, didClose: @escaping () -> Void) throws(DeviceError) {
    let descriptor = sd_bus_get_fd(pointer)
    guard descriptor >= 0 else { throw DeviceError("bus", failed: -descriptor) }
    attached = (loop, descriptor, didClose)
    try watch()
  }

  /// When ``advance()`` must be called if the bus says nothing before: an answer is overdue.
  package var deadline: EventTime? {
    var time: UInt64 = 0
    guard attached != nil, sd_bus_get_timeout(pointer, &time) >= 0, time != .max else { return nil }
    return EventTime(microseconds: Int64(clamping: time))
  }

  /// Lets what is overdue fail.
  package func advance() { process() }

  /// Calls a method; `answer` is called with the answer, or with one that says what went wrong. It is not called once
  /// what is returned is gone.
  ///
  /// - Returns: `nil` where it could not be sent.
  package func send(
    _ message: consuming BusMessage, within patience: EventInterval,
    _ answer: @escaping (borrowing BusMessage) -> Void
  ) -> BusInterest? {
    let interest = BusInterest(answer)
    let sent = sd_bus_call_async(
      pointer, &interest.slot, message.pointer, BusInterest.callback, interest.context,
      UInt64(clamping: max(1, patience.microseconds)))
    return sent >= 0 && rearm() ? interest : nil
  }

  /// Sends a call whose answer nobody waits for.
  package func send(_ message: consuming BusMessage) {
    sd_bus_message_set_expect_reply(message.pointer, 0)
    _ = sd_bus_send(pointer, message.pointer, nil)
    _ = rearm()
  }

  /// Calls `handler` for each message that `rule` matches, as long as what is returned is there.
  package func listen(
    _ rule: String, _ handler: @escaping (borrowing BusMessage) -> Void
  ) -> BusInterest? {
    let interest = BusInterest(handler)
    let added = sd_bus_add_match_async(
      pointer, &interest.slot, rule, BusInterest.callback, nil, interest.context)
    return added >= 0 && rearm() ? interest : nil
  }

  /// What is sent may have to wait until the bus reads it.
  private func rearm() -> Bool {
    guard attached != nil, !isProcessing else { return true }
    do { try watch() } catch { return false }
    didChangeDeadline?()
    return true
  }

  private func watch() throws(DeviceError) {
    guard let attached else { return }
    let events = sd_bus_get_events(pointer)
    let isForWriting = events > 0 && events & POLLOUT != 0
    try attached.loop.watch(
      attached.descriptor, for: isForWriting ? .readableOrWritable : .readable
    ) { [unowned self] in process() }
  }

  private func process() {
    guard !isProcessing else { return }
    // a handler may let go of the bus
    withExtendedLifetime(self) {
      isProcessing = true
      var status: Int32 = 1
      while status > 0 { status = sd_bus_process(pointer, nil) }
      isProcessing = false
      guard let attached else { return }
      if status >= 0, sd_bus_is_open(pointer) > 0, rearm() { return }
      attached.loop.unwatch(attached.descriptor)
      self.attached = nil
      attached.didClose()
    }
  }
}

/// Somebody waits for an answer, or listens to signals, until this is let go of.
package final class BusInterest {
  fileprivate var slot: OpaquePointer?
  private let handler: (borrowing BusMessage) -> Void

  fileprivate init(_ handler: @escaping (borrowing BusMessage) -> Void) { self.handler = handler }
  deinit { sd_bus_slot_unref(slot) }

  fileprivate var context: UnsafeMutableRawPointer {
    // the slot ends with this, and with the slot the pointer
    Unmanaged.passUnretained(self).toOpaque()
  }

  fileprivate static let callback: sd_bus_message_handler_t = { message, context, _ in
    guard let context, let message = sd_bus_message_ref(message) else { return 0 }
    let interest = Unmanaged<BusInterest>.fromOpaque(context).takeUnretainedValue()
    interest.handler(BusMessage(message))
    return 0
  }
}
