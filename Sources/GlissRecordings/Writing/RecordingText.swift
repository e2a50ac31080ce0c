import GlissEvents

/// Builds the text of a libinput recording.
struct RecordingText {
  var buffer = TextBuffer(capacity: 4096)
  /// Whether an event was written since the last SYN_REPORT.
  private(set) var isInPacket = false
  private var lastReport: EventTime?

  init(deviceCount: Int) {
    buffer.append("# libinput record\nversion: 1\nndevices: ")
    buffer.append(Int64(deviceCount))
    buffer.append("\nlibinput:\n  version: \"1.22.1\"\ndevices:\n")
  }

  mutating func add(_ recorded: RecordedDevice) {
    isInPacket = false
    lastReport = nil
    DeviceDescription.append(recorded, to: &buffer)
    buffer.append("  events:\n")
  }

  mutating func write(_ event: EvdevEvent) {
    if !isInPacket { buffer.append("  - evdev:\n") }
    // Seconds are rounded down, so that microseconds are never negative.
    let (quotient, remainder) = event.time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    buffer.append("    - [")
    buffer.append(remainder < 0 ? quotient - 1 : quotient, width: 3)
    buffer.append(", ")
    buffer.append(remainder < 0 ? remainder + 1_000_000 : remainder, width: 6)
    buffer.append(", ")
    buffer.append(Int64(event.type.rawValue), width: 3)
    buffer.append(", ")
    buffer.append(Int64(event.code), width: 3)
    buffer.append(", ")
    buffer.append(Int64(event.value), width: 7)
    buffer.append("] # ")
    if event.type == .synchronization { synchronizationComment(event) } else { comment(event) }
    buffer.append("\n")
    isInPacket = !event.isReport
  }

  private mutating func synchronizationComment(_ event: EvdevEvent) {
    let name = EventNames.name(of: event.code, type: event.type)
    buffer.append("------------ \(name) (\(event.value)) ----------")
    guard event.isReport else { return }
    let milliseconds = (lastReport.map { event.time - $0 } ?? .zero).microseconds / 1000
    buffer.append(milliseconds < 0 ? " " : " +")
    buffer.append(milliseconds)
    buffer.append("ms")
    lastReport = event.time
  }

  private mutating func comment(_ event: EvdevEvent) {
    let name = EventNames.name(of: event.code, type: event.type)
    buffer.append("\(EventNames.name(of: event.type)) / ")
    buffer.append(name)
    for _ in 0..<max(0, 20 - name.utf8.count) { buffer.append(" ") }
    buffer.append(" ")
    buffer.append(Int64(event.value), width: 6)
  }
}

extension TextBuffer {
  /// Appends `value`, padded on the left with blanks to `width` characters.
  fileprivate mutating func append(_ value: Int64, width: Int) {
    var length = value < 0 ? 2 : 1
    var rest = value.magnitude / 10
    while rest > 0 {
      length += 1
      rest /= 10
    }
    for _ in 0..<max(0, width - length) { append(" ") }
    append(value)
  }
}
