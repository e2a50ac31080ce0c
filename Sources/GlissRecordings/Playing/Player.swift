import GlissEvents
import GlissSession

/// Feeds events to sessions and advances their time.
struct Player {
  private struct Seat {
    let session: Session
    /// The session's identifiers of the recording's devices.
    var identifiers: [DeviceID] = []
  }

  private let willAdvance: ((EventTime) -> Bool)?
  private var seats: [Seat]
  private(set) var deviceCount = 0
  private var now = EventTime(microseconds: .min)

  init(_ sessions: [Session], willAdvance: ((EventTime) -> Bool)?) {
    seats = sessions.map { Seat(session: $0) }
    self.willAdvance = willAdvance
  }

  mutating func add(_ device: Device) {
    deviceCount += 1
    for index in seats.indices {
      seats[index].identifiers.append(seats[index].session.add(device))
    }
  }

  /// Returns false if the replay should end.
  mutating func play(_ entry: EventCursor.Entry) -> Bool {
    guard entry.device < deviceCount else { return true }
    if entry.event.time > now {
      guard advance(before: entry.event.time) else { return false }
      now = entry.event.time
      if let willAdvance, !willAdvance(now) { return false }
    }
    for seat in seats { seat.session.process(entry.event, from: seat.identifiers[entry.device]) }
    return true
  }

  /// Stops at each deadline on the way, so that a paced replay shows a hold when it begins.
  private mutating func advance(before time: EventTime) -> Bool {
    while let due = deadline, due < time, due > now {
      if let willAdvance, !willAdvance(due) { return false }
      now = due
      for seat in seats { seat.session.advance(to: due) }
    }
    return true
  }

  private var deadline: EventTime? {
    var earliest: EventTime?
    for seat in seats {
      guard let deadline = seat.session.deadline else { continue }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }
}
