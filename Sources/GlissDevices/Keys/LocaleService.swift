import CSystemd
import Glibc
import GlissEvents

/// systemd's locale1: the keyboard layout that was set for the whole machine.
struct LocaleService {
  /// A D-Bus address; `nil` for the system's bus.
  let address: String?

  /// The layout, empty where none is set; `nil` where there is no bus, no such service, or no answer within `patience`.
  func layout(within patience: EventInterval) -> KeyboardLayout? {
    guard let bus = Bus(address),
      let answer = bus.call(
        "org.freedesktop.locale1", "/org/freedesktop/locale1", "org.freedesktop.DBus.Properties",
        "GetAll", "org.freedesktop.locale1", within: patience)
    else { return nil }
    let names = answer.strings()
    return KeyboardLayout(
      model: names["X11Model"] ?? "", layout: names["X11Layout"] ?? "",
      variant: names["X11Variant"] ?? "", options: names["X11Options"] ?? "")
  }
}

/// A connection to a bus.
private struct Bus: ~Copyable {
  private let pointer: OpaquePointer

  /// `nil` where there is no bus at `address`, or at the system's.
  init?(_ address: String?) {
    guard let pointer = Self.open(address) else { return nil }
    self.pointer = pointer
  }

  deinit { sd_bus_close_unref(pointer) }

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

  /// Calls a method that takes a string; `nil` where it fails or is not answered in time.
  ///
  /// sd-bus' own calls wait for up to 90 s for a bus that takes the connection and then says nothing.
  func call(
    _ service: String, _ path: String, _ interface: String, _ method: String, _ argument: String,
    within patience: EventInterval
  ) -> Message? {
    var created: OpaquePointer?
    guard
      sd_bus_message_new_method_call(pointer, &created, service, path, interface, method) >= 0,
      let created
    else { return nil }
    let request = Message(created)
    var cookie: UInt64 = 0
    guard request.append(argument), sd_bus_send(pointer, request.pointer, &cookie) >= 0 else {
      return nil
    }
    return reply(to: cookie, until: Self.now + UInt64(clamping: patience.microseconds))
  }

  private func reply(to cookie: UInt64, until deadline: UInt64) -> Message? {
    while true {
      var received: OpaquePointer?
      let status = sd_bus_process(pointer, &received)
      if let received {
        let message = Message(received)
        if message.answers(cookie) {
          if message.isError { return nil }
          return message
        }
      } else if status < 0 {
        return nil
      } else if status == 0 {
        let now = Self.now
        guard now < deadline else { return nil }
        let waited = sd_bus_wait(pointer, deadline - now)
        if waited < 0 && waited != -EINTR { return nil }
      }
      if Self.now >= deadline { return nil }
    }
  }

  /// µs on CLOCK_MONOTONIC.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec / 1000)
  }
}

/// A message of ours or to us.
private struct Message: ~Copyable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }
  deinit { sd_bus_message_unref(pointer) }

  private static let array = CChar(bitPattern: UInt8(ascii: "a"))
  private static let entry = CChar(bitPattern: UInt8(ascii: "e"))
  private static let variant = CChar(bitPattern: UInt8(ascii: "v"))
  private static let string = CChar(bitPattern: UInt8(ascii: "s"))

  func append(_ text: String) -> Bool {
    text.withCString { sd_bus_message_append_basic(pointer, Self.string, $0) } >= 0
  }

  func answers(_ cookie: UInt64) -> Bool {
    var answered: UInt64 = 0
    return sd_bus_message_get_reply_cookie(pointer, &answered) >= 0 && answered == cookie
  }

  var isError: Bool { sd_bus_message_is_method_error(pointer, nil) != 0 }

  /// Of a dictionary (`a{sv}`) the entries that are strings, up to one that is broken.
  func strings() -> [String: String] {
    var found: [String: String] = [:]
    guard sd_bus_message_enter_container(pointer, Self.array, "{sv}") > 0 else { return found }
    while sd_bus_message_enter_container(pointer, Self.entry, "sv") > 0 {
      guard let name = readString() else { break }
      if sd_bus_message_enter_container(pointer, Self.variant, "s") > 0 {
        found[name] = readString()
        guard sd_bus_message_exit_container(pointer) >= 0 else { break }
      } else if sd_bus_message_skip(pointer, "v") < 0 {
        break
      }
      guard sd_bus_message_exit_container(pointer) >= 0 else { break }
    }
    return found
  }

  private func readString() -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(pointer, Self.string, &text) > 0, let text else { return nil }
    return String(cString: text)
  }
}
