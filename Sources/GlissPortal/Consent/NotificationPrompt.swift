import Glibc
import GlissDevices
import GlissEvents

/// A notification with a button that opens the dialog. A window that appeared by itself could get
/// an Enter meant for another one, because an application may ask at any time.
package final class NotificationPrompt {
  package enum Answer: Hashable, Sendable {
    case open
    case later
    /// No server shows notifications with buttons.
    case unavailable
  }

  private static let service = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  private static let patience = EventInterval.milliseconds(5000)
  private static let signals = [SIGTERM, SIGINT, SIGHUP]
  /// A click on the notification itself. Some servers, such as mako, draw no buttons.
  private static let clickAction = "default"
  private static let openAction = "open"
  private static let laterAction = "later"

  private let loop: InputLoop
  private let bus: Bus
  private let signals: SignalQueue
  private let summary: String
  private let body: String
  private var number: UInt32?
  /// The unique name of the server that shows it. Only its signals count, because everyone on the
  /// bus can send one that looks the same.
  private var server: String?
  private var answer: Answer?
  private var interests: [BusInterest] = []

  package init?(bus address: String, _ summary: String, _ body: String) {
    guard let loop = try? InputLoop(), let bus = Bus(address),
      let signals = try? SignalQueue(Self.signals)
    else { return nil }
    (self.loop, self.bus, self.signals) = (loop, bus, signals)
    (self.summary, self.body) = (summary, body)
  }

  package func ask() -> Answer {
    defer { for signal in Self.signals { SignalQueue.unblock(signal) } }
    do throws(SystemError) {
      try bus.attach(to: loop) { [unowned self] in finish(.unavailable) }
      // the application no longer asks
      try loop.watch(signals.descriptor) { [unowned self] in finish(.later) }
      askForCapabilities()
      while answer == nil { try loop.wait(until: nil) }
      // let the bus send the last message
      try loop.wait(until: .zero)
    } catch {
      return .unavailable
    }
    return answer ?? .unavailable
  }

  private func finish(_ answer: Answer) {
    guard self.answer == nil else { return }
    self.answer = answer
    if let number, answer == .later {
      bus.tell(Self.service, Self.path, Self.service, "CloseNotification") { $0.append(number) }
    }
  }

  private func ask(
    _ method: String, _ fill: (borrowing BusMessage) -> Bool = { _ in true },
    _ answer: @escaping (borrowing BusMessage) -> Void
  ) {
    let interest = bus.ask(
      Self.service, Self.path, Self.service, method, fill, within: Self.patience, answer)
    guard let interest else { return finish(.unavailable) }
    interests.append(interest)
  }

  private func askForCapabilities() {
    ask("GetCapabilities") { [unowned self] reply in
      guard reply.error == nil, reply.strings().contains("actions") else {
        return finish(.unavailable)
      }
      show()
    }
  }

  private func show() {
    // a new server does not show this notification
    let watch = bus.listenForOwner(of: Self.service) { [unowned self] owner in
      if let server, owner != server { finish(.unavailable) }
    }
    if let watch { interests.append(watch) }
    for member in ["ActionInvoked", "NotificationClosed"] {
      let rule = "type='signal',interface='\(Self.service)',member='\(member)'"
      if let interest = bus.listen(rule, { [unowned self] in hear($0) }) {
        interests.append(interest)
      }
    }
    ask("Notify", fill) { [unowned self] reply in
      guard reply.error == nil, let number = reply.number() else { return finish(.unavailable) }
      self.number = number
      server = reply.sender
    }
  }

  /// Appends the arguments (susssasa{sv}i). The notification stays until it is answered.
  private func fill(_ message: borrowing BusMessage) -> Bool {
    message.append("Gliss") && message.append(UInt32(0)) && message.append("input-keyboard")
      && message.append(summary) && message.append(ZenityDialog.markup(body))
      && message.append("a", "s") {
        message.append(Self.clickAction) && message.append("Choose…")
          && message.append(Self.openAction) && message.append("Choose…")
          && message.append(Self.laterAction) && message.append("Not now")
      }
      && message.append("a", "{sv}") {
        message.appendEntry("urgency", "y") { message.append(byte: 2) }
      } && message.append(Int32(0))
  }

  private func hear(_ message: borrowing BusMessage) {
    guard let number, message.sender == server, message.number() == number else { return }
    if message.member == "NotificationClosed" { return finish(.later) }
    switch message.string() {
    case Self.openAction, Self.clickAction: finish(.open)
    case _: finish(.later)
    }
  }
}
