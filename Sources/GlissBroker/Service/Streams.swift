import GlissEvents
import GlissGate

/// What something of a client rests on: what was asked for, and the verdict on it then.
struct Right {
  let ask: Ask
  let verdict: Verdict

  var grants: [GrantID] { verdict.grants }
  /// Whether nothing is missing of what was asked for.
  var isWhole: Bool { !verdict.isNarrower(than: ask.scope) }
  var disclosure: Disclosure {
    Disclosure(uid: ask.identity.uid, entitlements: verdict.entitlements)
  }
}

/// The clients that follow events, and what is sent to them: only what ``Disclosure`` shows.
///
/// Clients that may see the same share a view. An event is checked, reduced and encoded once for
/// each view, however many clients follow it.
final class Streams {
  private final class View {
    let disclosure: Disclosure
    var followers: [Connection] = []
    var inProgress = EventsInProgress()

    init(_ disclosure: Disclosure) { self.disclosure = disclosure }
  }

  private var shown: [View] = []
  private var encoder = JSONLineEncoder()
  private var message = TextBuffer()

  // MARK: Following

  func begin(_ disclosure: Disclosure, for connection: Connection) {
    view(of: disclosure).followers.append(connection)
    connection.follow()
  }

  func end(_ connection: Connection) {
    connection.unfollow()
    for view in shown { view.followers.removeAll { $0 === connection } }
    shown.removeAll(where: \.followers.isEmpty)
  }

  /// An existing view, unless something is in progress in it, because a client that joins later
  /// must not see any of that.
  private func view(of disclosure: Disclosure) -> View {
    if let view = shown.first(where: { $0.disclosure == disclosure && $0.inProgress.isEmpty }) {
      return view
    }
    let view = View(disclosure)
    shown.append(view)
    return view
  }

  // MARK: Events

  /// Sends `event` to all clients that may see it now, reduced to what they may see.
  func send(_ event: InputEvent, device: (DeviceID) -> Device?, in state: SeatState) {
    let kind = event.mask
    for view in shown where view.disclosure.mask.contains(kind) {
      let device = device(event.device)
      let name = device?.name ?? ""
      guard let visible = view.disclosure.visible(event, device: name, in: state),
        let whole = view.inProgress.admit(visible)
      else { continue }
      encoder.removeAll()
      encoder.append(whole, deviceName: name, unit: device?.unit ?? 1)
      sendEncoded(to: view)
    }
  }

  /// Notifies the clients of `uid` of the state they are served in from now on.
  func send(_ state: SessionState, of uid: UInt32, at time: EventTime) {
    for view in shown where view.disclosure.uid == uid {
      encoder.removeAll()
      encoder.append(.session(state, at: time))
      sendEncoded(to: view, isState: true)
    }
  }

  func greet(_ connection: Connection, _ state: SessionState, at time: EventTime) {
    encoder.removeAll()
    encoder.append(.session(state, at: time))
    writeMessage()
    connection.send(encoded: message.bytes)
  }

  private func sendEncoded(to view: View, isState: Bool = false) {
    // a touch frame without changes encodes to nothing
    guard !encoder.buffer.bytes.isEmpty else { return }
    writeMessage()
    for follower in view.followers { follower.send(event: message.bytes, isState: isState) }
  }

  /// Writes the encoded lines as one answer.
  private func writeMessage() {
    message.removeAll()
    message.append("{\"parameters\":{\"events\":[")
    // a newline only ends a line, because JSON escapes it
    for byte in encoder.buffer.bytes.dropLast() {
      message.append(byte: byte == UInt8(ascii: "\n") ? UInt8(ascii: ",") : byte)
    }
    message.append("]},\"continues\":true}")
  }

  // MARK: Status

  var users: Set<UInt32> { Set(shown.map(\.disclosure.uid)) }
}

/// What was reported to have begun and not to have ended. An end is only reported if the beginning
/// was: the release of a key that was pressed before a client came, or while the screen was locked,
/// would reveal which key it was.
struct EventsInProgress {
  private var held: Set<HeldEvent.Identity> = []
  private var touches: Set<TouchID> = []

  var isEmpty: Bool { held.isEmpty && touches.isEmpty }

  /// `event` without everything whose beginning was not reported; `nil` if nothing is left.
  mutating func admit(_ event: InputEvent) -> InputEvent? {
    if case .touch(var frame) = event {
      let all = frame.touches
      frame.touches.removeAll()
      for index in all.indices {
        let (id, phase) = (all[index].id, all[index].phase)
        if Self.admit(id, begins: phase == .began, ends: phase.isFinal, in: &touches) {
          frame.touches.append(all[index])
        }
      }
      return .touch(frame)
    }
    guard let new = HeldEvent(event) else { return event }
    return Self.admit(new.identity, begins: new.begins, ends: new.ends, in: &held) ? event : nil
  }

  private static func admit<Item: Hashable>(
    _ item: Item, begins: Bool, ends: Bool, in items: inout Set<Item>
  ) -> Bool {
    if begins {
      items.insert(item)
      return true
    }
    return ends ? items.remove(item) != nil : items.contains(item)
  }
}
