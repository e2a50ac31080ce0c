import GlissEvents
import GlissSession

/// Feeds events to sessions and advances their time.
struct Player {
  /// A session, and its identifiers of the recording's devices.
  private typealias Seat = (session: Session, identifiers: [DeviceID])

  private let willAdvance: ((EventTime) -> Bool)?
  private var seats: [Seat]
  /// The turns of each device's wheels in its current packet.
  private var turns: [WheelTurn] = []
  private(set) var deviceCount = 0
  private var now = EventTime(microseconds: .min)

  init(_ sessions: [Session], willAdvance: ((EventTime) -> Bool)?) {
    seats = sessions.map { ($0, []) }
    self.willAdvance = willAdvance
  }

  /// - Parameter time: when the sessions report the device as added.
  mutating func add(_ device: Device, at time: EventTime) {
    deviceCount += 1
    turns.append(WheelTurn())
    for index in seats.indices {
      seats[index].identifiers.append(seats[index].session.add(device, at: time))
    }
  }

  /// Plays an event; `devices` are those that its stream has described so far. Returns false if
  /// the replay should end.
  mutating func play(_ entry: EventCursor.Entry, of devices: [Device]) -> Bool {
    if entry.event.time > now {
      guard advance(before: entry.event.time) else { return false }
      now = entry.event.time
      if let willAdvance, !willAdvance(now) { return false }
    }
    // devices that the beginning of the recording did not announce
    for device in devices.dropFirst(deviceCount) { add(device, at: entry.event.time) }
    guard entry.device < deviceCount else { return true }
    if entry.event.isReport, !turns[entry.device].isEmpty { turnWheel(entry) }
    let isOfWheel = entry.event.type == .relative && turns[entry.device].take(entry.event)
    if isOfWheel { return true }
    for seat in seats { seat.session.process(entry.event, from: seat.identifiers[entry.device]) }
    return true
  }

  /// Recordings have no acceleration, so only wheels are reported as what libinput makes of them.
  private mutating func turnWheel(_ entry: EventCursor.Entry) {
    for delta in turns[entry.device].deltas {
      for seat in seats {
        seat.session.process(
          ScrollEvent(
            time: entry.event.time, device: seat.identifiers[entry.device], source: .wheel,
            delta: delta))
      }
    }
    turns[entry.device].clear()
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
    seats.reduce(nil) { .earlier($0, $1.session.deadline) }
  }
}

/// Plays the recordings of a file one after the other, because each may restart the clock.
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

/// One stream of a recording's events: a window of them is in memory, the rest still in the file.
struct EventCursor {
  typealias Entry = (event: EvdevEvent, device: Int)

  private(set) var devices: [Device] = []
  /// The error that ended the stream early; everything before it is still delivered.
  private(set) var error: RecordingError?
  private(set) var reader: RecordingReader
  private(set) var bytesRead: Int64 = 0
  /// The time of the next event; it never goes back within a recording.
  private(set) var time = EventTime(microseconds: .min)
  /// Which of the file's recordings contains the next event.
  private(set) var recording = 0
  private var clock = RisingTime()

  private var window: [Entry] = []
  private var next = 0
  /// Everything was read, or an error ended the stream.
  private(set) var isAtEnd = false

  init(_ reader: RecordingReader) { self.reader = reader }

  /// A stream whose events, which `reader` has read, are all in memory.
  init(_ reader: RecordingReader, of events: [Entry]) {
    self.reader = reader
    window = events
    isAtEnd = true
    noteTime()
  }

  /// The position of the next event among those of other streams.
  var place: (Int, EventTime) { (recording, time) }

  var isExhausted: Bool { isAtEnd && next >= window.count }
  /// All events in memory were taken: call ``fill(from:with:)``.
  var needsMore: Bool { !isAtEnd && next >= window.count }

  /// The share of the events in memory that was taken, 0…1.
  var share: Double { window.isEmpty ? 1 : Double(next) / Double(window.count) }

  /// The next event, if it is in memory.
  var entry: Entry? { next < window.count ? window[next] : nil }

  mutating func takeEntry() {
    next += 1
    noteTime()
  }

  private mutating func noteTime() {
    guard next < window.count else { return }
    let recording = reader.libinput.recording(of: window[next].device)
    if recording != self.recording {
      self.recording = recording
      clock = RisingTime()
    }
    time = clock.rise(window[next].event.time)
    // writing the same time would copy events that are in use elsewhere, too
    if window[next].event.time != time { window[next].event.time = time }
  }

  mutating func fill(from input: RecordingInput, with buffer: inout [UInt8]) {
    var events: [Entry] = []
    var described: [Device] = []
    let take = { (item: RecordingItem) in
      switch item {
      case .device(let device): described.append(device)
      case .event(let event, let device): events.append((event, device))
      }
    }
    do throws(RecordingError) {
      let count = try input.read(into: &buffer, at: bytesRead)
      bytesRead &+= Int64(count)
      if count > 0 {
        try reader.consume(buffer.span.extracting(0..<count), take)
      } else {
        isAtEnd = true
        try reader.finish(take)
      }
    } catch {
      self.error = error
      isAtEnd = true
    }
    devices += described
    (window, next) = (events, 0)
    noteTime()
  }

  mutating func fillUntilEvent(from input: RecordingInput, with buffer: inout [UInt8]) {
    while needsMore { fill(from: input, with: &buffer) }
  }
}
