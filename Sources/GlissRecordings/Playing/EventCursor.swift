import GlissEvents

/// One stream of a recording's events: a window of them is in memory, the rest still in the file.
struct EventCursor {
  struct Entry {
    var event: EvdevEvent
    var device: Int
  }

  /// The devices described so far.
  private(set) var devices: [Device] = []
  /// The error that ended the stream early; everything before it is still delivered.
  private(set) var error: RecordingError?
  private(set) var reader: RecordingReader
  /// The number of bytes read.
  private(set) var bytesRead: Int64 = 0
  /// The time of the next event; it never goes back within a recording.
  private(set) var time = EventTime(microseconds: .min)
  /// Which of the file's recordings contains the next event.
  private(set) var recording = 0
  private var clock = RisingTime()

  private let start: Int64
  private var window: [Entry] = []
  private var next = 0
  /// Everything was read, or an error ended the stream.
  private(set) var isAtEnd = false

  init(_ reader: RecordingReader, from start: Int64 = 0) {
    self.reader = reader
    self.start = start
  }

  /// The position of the next event among those of other streams.
  var place: (Int, EventTime) { (recording, time) }

  /// No events are left.
  var isExhausted: Bool { isAtEnd && next >= window.count }
  /// All events in memory were taken: call ``fill(from:with:)``.
  var needsMore: Bool { !isAtEnd && next >= window.count }

  /// The next event, if it is in memory.
  var entry: Entry? { next < window.count ? window[next] : nil }

  mutating func takeEntry() {
    next += 1
    noteTime()
  }

  private mutating func noteTime() {
    guard next < window.count else { return }
    let recording = reader.recording(of: window[next].device)
    if recording != self.recording {
      self.recording = recording
      clock = RisingTime()
    }
    time = clock.rise(window[next].event.time)
    window[next].event.time = time
  }

  /// Reads one chunk.
  mutating func fill(from input: RecordingInput, with buffer: inout [UInt8]) {
    var window: [Entry] = []
    var devices: [Device] = []
    swap(&window, &self.window)
    swap(&devices, &self.devices)
    window.removeAll(keepingCapacity: true)
    let take = { (item: RecordingItem) in
      switch item {
      case .device(let device, index: _): devices.append(device)
      case .event(let event, let device): window.append(Entry(event: event, device: device))
      }
    }
    do throws(RecordingError) {
      let count = try input.read(into: &buffer, at: start &+ bytesRead)
      bytesRead &+= Int64(count)
      if count > 0 {
        try reader.consume(buffer.span.extracting(0..<count), take)
      } else {
        isAtEnd = true
        try reader.finish(take)
      }
      if reader.isOver { isAtEnd = true }
    } catch {
      self.error = error
      isAtEnd = true
    }
    swap(&window, &self.window)
    swap(&devices, &self.devices)
    next = 0
    noteTime()
  }

  /// Reads until there is an event or the end.
  mutating func fillUntilEvent(from input: RecordingInput, with buffer: inout [UInt8]) {
    while needsMore { fill(from: input, with: &buffer) }
  }
}
