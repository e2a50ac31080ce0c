import Gliss

/// Cuts a device's events into strokes: from the first finger down until all have been up for a while.
struct LabelMachine {
  /// How long all fingers are up before a stroke is over: the second of two taps may come.
  static let pause = EventInterval.milliseconds(700)

  private enum State {
    /// No finger has landed since the last stroke.
    case waiting
    case touching
    /// All fingers are up; the stroke is over at `due`.
    case settling(due: EventTime)
  }

  private var state = State.waiting
  private var stroke: [EvdevEvent] = []
  /// The events since the last report, which are of a stroke if a finger lands among them.
  private var packet: [EvdevEvent] = []
  private var slot: Int32 = 0

  /// When ``advance(to:)`` must be called if nothing comes first.
  var deadline: EventTime? {
    switch state {
    case .settling(let due): due
    case .waiting, .touching: nil
    }
  }

  mutating func take(_ event: EvdevEvent) {
    packet.append(event)
    if event.type == .key, event.code == Key.touch.rawValue {
      if event.value == 1 { begin(at: event.time) }
      if event.value == 0, !isWaiting { state = .settling(due: event.time + Self.pause) }
    }
    guard event.type == .synchronization else { return }
    if !isWaiting { stroke += packet }
    for event in packet
    where event.type == .absolute && event.code == AbsoluteAxis.slot.rawValue {
      slot = event.value
    }
    packet.removeAll()
  }

  private mutating func begin(at time: EventTime) {
    if isWaiting {
      // the kernel says which slot it speaks of only when that changes
      stroke = [
        EvdevEvent(time: time, type: .absolute, code: AbsoluteAxis.slot.rawValue, value: slot)
      ]
    }
    state = .touching
  }

  private var isWaiting: Bool {
    switch state {
    case .waiting: true
    case .touching, .settling: false
    }
  }

  /// - Returns: A stroke that is over, with times since its first event.
  mutating func advance(to time: EventTime) -> [EvdevEvent]? {
    switch state {
    case .settling(let due) where time >= due:
      state = .waiting
      defer { stroke = [] }
      let origin = stroke.first?.time ?? .zero
      return stroke.map { event in
        var event = event
        event.time = .zero + (event.time - origin)
        return event
      }
    case .waiting, .touching, .settling: return nil
    }
  }
}
