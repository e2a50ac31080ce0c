import CSystemd
package import GlissEvents

extension Bus {
  package enum NameAnswer: Hashable, Sendable {
    case owned
    /// Another connection has it.
    case taken
    case refused(String)
  }

  private static let service = "org.freedesktop.DBus"
  private static let path = "/org/freedesktop/DBus"

  /// Requests a name, without queueing for it if another connection has it.
  package func requestName(
    _ name: String, within patience: EventInterval, _ answer: @escaping (NameAnswer) -> Void
  ) -> BusInterest? {
    ask(
      Self.service, Self.path, Self.service, "RequestName",
      { $0.append(name) && $0.append(UInt32(4)) }, within: patience
    ) { reply in
      if let error = reply.error { return answer(.refused(error)) }
      let number = reply.number()
      answer(number == 1 || number == 4 ? .owned : .taken)
    }
  }

  package func findOwner(
    of name: String, within patience: EventInterval, _ answer: @escaping (String?) -> Void
  ) -> BusInterest? {
    ask(
      Self.service, Self.path, Self.service, "GetNameOwner", { $0.append(name) }, within: patience
    ) { reply in answer(reply.error == nil ? reply.string() : nil) }
  }

  /// Whether somebody owns `name`. Blocks until the bus has answered.
  package func hasOwner(of name: String, within patience: EventInterval) -> Bool {
    let answer = call(
      Self.service, Self.path, Self.service, "GetNameOwner", name, within: patience
    ) { _ in true }
    return answer ?? false
  }

  /// Reports each change of the owner of `name`; `nil` if it has none any more.
  package func listenForOwner(
    of name: String, _ handler: @escaping (String?) -> Void
  ) -> BusInterest? {
    let rule =
      "type='signal',sender='\(Self.service)',member='NameOwnerChanged',arg0='\(name)'"
    return listen(rule) { message in
      guard message.sender == Self.service, message.string() != nil, message.string() != nil,
        let owner = message.string()
      else { return }
      handler(owner.isEmpty ? nil : owner)
    }
  }

  /// Calls `handler` for each method call to `path` and to all objects below it, until the returned
  /// interest is released. The handler answers the call, at once or later.
  package func serveTree(_ path: String, _ handler: @escaping (BusCall) -> Void) -> BusInterest? {
    let interest = BusInterest { message in
      if let call = BusCall(message) { handler(call) }
    }
    let added = sd_bus_add_fallback(
      pointer, &interest.slot, path, BusInterest.callback, interest.context)
    return added >= 0 ? interest : nil
  }

  /// Continues to send answers that the bus has not read yet.
  package func continueSending() { _ = rearm() }

  /// Waits until everything sent is written. Call this before the connection is closed.
  package func flush() { sd_bus_flush(pointer) }

  /// Creates a signal without arguments, for one receiver.
  package func signal(
    _ path: String, _ interface: String, _ member: String, to receiver: String
  ) -> BusMessage? {
    var created: OpaquePointer?
    guard sd_bus_message_new_signal(pointer, &created, path, interface, member) >= 0, let created
    else { return nil }
    let message = BusMessage(created)
    guard sd_bus_message_set_destination(created, receiver) >= 0 else { return nil }
    return message
  }
}

/// A method call that is answered when its receiver is ready: at most once, and not if the caller
/// wants no answer.
package final class BusCall {
  private let message: BusMessage
  private var isAnswered = false

  fileprivate init?(_ message: borrowing BusMessage) {
    guard let reference = sd_bus_message_ref(message.pointer) else { return nil }
    self.message = BusMessage(reference)
  }

  package var sender: String? { message.sender }
  package var path: String { message.path ?? "" }
  package var interface: String? {
    sd_bus_message_get_interface(message.pointer).map { String(cString: $0) }
  }
  package var member: String? { message.member }

  package func hasArguments(_ signature: String) -> Bool {
    sd_bus_message_has_signature(message.pointer, signature) > 0
  }

  /// Reads its arguments from the first one on.
  package func read<Result>(_ body: (borrowing BusMessage) -> Result) -> Result? {
    sd_bus_message_rewind(message.pointer, 1) >= 0 ? body(message) : nil
  }

  package func answer(_ fill: (borrowing BusMessage) -> Bool = { _ in true }) {
    var created: OpaquePointer?
    guard !isAnswered, sd_bus_message_new_method_return(message.pointer, &created) >= 0, let created
    else { return }
    let reply = BusMessage(created)
    guard fill(reply) else {
      return fail("org.freedesktop.DBus.Error.Failed", "the answer cannot be written")
    }
    isAnswered = true
    // if this fails, the connection is closed, and nobody waits for the answer
    _ = sd_bus_send(sd_bus_message_get_bus(message.pointer), reply.pointer, nil)
  }

  package func fail(_ name: String, _ text: String) {
    guard !isAnswered else { return }
    isAnswered = true
    name.withCString { name in
      text.withCString { text in
        var error = sd_bus_error(name: name, message: text, _need_free: 0)
        _ = sd_bus_reply_method_error(message.pointer, &error)
      }
    }
  }
}

extension BusMessage {
  package func strings() -> [String] {
    within("a", "s") {
      var found: [String] = []
      while let text = string() { found.append(text) }
      return found
    } ?? []
  }

  /// Appends an entry of a dictionary (`a{sv}`).
  package func appendEntry(_ name: String, _ type: String, _ value: () -> Bool) -> Bool {
    append("e", "sv") { append(name) && append("v", type, value) }
  }
}
