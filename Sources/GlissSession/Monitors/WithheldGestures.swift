import GlissEvents

/// The gestures that a monitor has deferred, from their beginning on.
struct WithheldGestures {
  /// The most events of a gesture that are kept. Of a longer one the oldest changes are left out:
  /// each event carries the totals since the beginning.
  static let capacity = 128

  /// Gestures of one kind on one device: only one goes on at a time.
  struct Identity: Hashable {
    var device: DeviceID
    var kind: GestureKind

    init(_ event: GestureEvent) { (device, kind) = (event.device, event.kind) }
  }

  private var events: [Identity: [GestureEvent]] = [:]

  var isEmpty: Bool { events.isEmpty }

  mutating func begin(_ event: GestureEvent) { events[Identity(event)] = [event] }

  /// Keeps another event; `false` if the gesture is not withheld.
  mutating func add(_ event: GestureEvent) -> Bool {
    if events.isEmpty { return false }
    let identity = Identity(event)
    guard let count = events[identity]?.count else { return false }
    if count == Self.capacity { events[identity]?.remove(at: 1) }
    events[identity]?.append(event)
    return true
  }

  /// Gives a gesture up or passes it on: its events so far, `nil` if it is not withheld.
  mutating func take(_ event: GestureEvent) -> [GestureEvent]? {
    events.isEmpty ? nil : events.removeValue(forKey: Identity(event))
  }
}
