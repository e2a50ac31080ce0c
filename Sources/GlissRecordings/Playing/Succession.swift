import GlissEvents

/// Puts the recordings of a file one after the other: the clock of each may begin anew.
struct Succession {
  /// So long nothing happens between two of them, at least: gestures of one are over before the next begins.
  static let rest = RisingTime.tolerance

  private var recording = 0
  private var shift = EventInterval.zero
  private var last: EventTime?

  /// When an event is played; of each recording they come in order of time.
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
