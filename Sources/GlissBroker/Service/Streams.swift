import GlissEvents
import GlissGate

/// Who follows events, and what goes to them.
///
/// Those who may see the same share a view: an event is looked at, reduced and encoded once for each view, however many
/// follow it, and what a client is sent was let through by ``Disclosure`` alone.
final class Streams {
  /// What all who may see the same are shown.
  fileprivate final class View {
    let disclosure: Disclosure
    let channel = Channel()
    var stories = OpenStories()

    init(_ disclosure: Disclosure) { self.disclosure = disclosure }
  }

  /// One client that follows events.
  struct Stream {
    let connection: Connection
    let ask: Ask
    /// What it was given when it began: it ends when that becomes less.
    let verdict: Verdict
    fileprivate let view: View
  }

  private var shown: [View] = []
  private var streams: [ObjectIdentifier: Stream] = [:]
  private var encoder = JSONLineEncoder()
  private var message = TextBuffer()

  /// All that are followed, in no order.
  var all: some Collection<Stream> { streams.values }

  subscript(connection: Connection) -> Stream? { streams[ObjectIdentifier(connection)] }

  // MARK: Following

  /// Lets `connection` follow what `verdict` grants.
  func begin(_ ask: Ask, _ verdict: Verdict, for connection: Connection) {
    let disclosure = Disclosure(uid: ask.identity.uid, entitlements: verdict.entitlements)
    let view = view(of: disclosure)
    streams[ObjectIdentifier(connection)] = Stream(
      connection: connection, ask: ask, verdict: verdict, view: view)
    connection.follow(view.channel)
  }

  /// Nothing more goes to it.
  func end(_ connection: Connection) {
    guard let stream = streams.removeValue(forKey: ObjectIdentifier(connection)) else { return }
    connection.unfollow()
    if stream.view.channel.followerCount == 0 {
      shown.removeAll { $0 === stream.view }
    }
  }

  /// One that others follow, unless they are in the middle of something: of that who comes now hears nothing.
  private func view(of disclosure: Disclosure) -> View {
    if let view = shown.first(where: { $0.disclosure == disclosure && $0.stories.isEmpty }) {
      return view
    }
    let view = View(disclosure)
    shown.append(view)
    return view
  }

  // MARK: Events

  /// Hands `event` to all who may see it now, as much of it as they may see.
  func tell(_ event: InputEvent, device: (DeviceID) -> String, in state: SeatState) {
    let kind = event.mask
    for view in shown where view.disclosure.mask.contains(kind) {
      let name = device(event.device)
      guard let visible = view.disclosure.visible(event, device: name, in: state),
        let whole = view.stories.admit(visible)
      else { continue }
      encoder.removeAll()
      encoder.append(whole, deviceName: name)
      send(encoder.buffer, to: view)
    }
  }

  /// Tells the clients of `uid` how they are served from now on.
  func tell(_ state: SessionState, of uid: UInt32, at time: EventTime) {
    for view in shown where view.disclosure.uid == uid {
      encoder.removeAll()
      encoder.append(.session(state, at: time))
      send(encoder.buffer, to: view)
    }
  }

  /// Tells one client how it is served as it begins.
  func greet(_ connection: Connection, _ state: SessionState, at time: EventTime) {
    encoder.removeAll()
    encoder.append(.session(state, at: time))
    message.removeAll()
    Self.write(encoder.buffer, into: &message)
    connection.send(encoded: message.bytes)
  }

  private func send(_ lines: TextBuffer, to view: View) {
    // a frame of touches in which none changed says nothing
    guard !lines.bytes.isEmpty else { return }
    message.removeAll()
    Self.write(lines, into: &message)
    view.channel.append(message.bytes)
  }

  /// The events of `lines` as one answer.
  private static func write(_ lines: TextBuffer, into buffer: inout TextBuffer) {
    buffer.append("{\"parameters\":{\"events\":[")
    let last = lines.bytes.count - 1
    for (index, byte) in lines.bytes.enumerated() {
      // within a line there is no newline, for JSON escapes it
      if byte != UInt8(ascii: "\n") {
        buffer.append(byte: byte)
      } else if index != last {
        buffer.append(byte: UInt8(ascii: ","))
      }
    }
    buffer.append("]},\"continues\":true}")
  }

  // MARK: Status

  /// Users that have clients here.
  var users: Set<UInt32> { Set(shown.map(\.disclosure.uid)) }
}
