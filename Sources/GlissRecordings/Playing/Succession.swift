import GlissEvents

/// Plays the recordings of a file one after the other: the clock of each may start again.
struct Succession {
  /// The minimum pause between two recordings: gestures of one end before the next one begins.
  static let rest = RisingTime.tolerance

  private var recording = 0
  private var shift = EventInterval.zero
  private var last: EventTime?

  /// When an event is played. The events of each recording come in order of time.
  mutating func place(_ time: EventTime, of recording: Int) -> EventTime {
    if recording != self.recording, let last {
      shift = max(.zero, last + Self.rest - time)
    }
    self.recording = recording
    let placed = time + shift
    last = placed
    return placed
  }
}
