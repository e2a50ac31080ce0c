import GlissEvents

/// Turns what a command writes to standard error into lines, limited to what a log can bear.
struct ErrorOutput {
  /// Output is limited to bursts of this many lines, and to this many lines a second after that.
  static let burst = 20.0
  static let rate = 2.0
  /// The most lines of one command, however long it runs.
  static let lines = 500
  /// The most bytes of a line.
  static let length = 500

  private var line: [UInt8] = []
  /// How many more lines are allowed now.
  private var allowance = ErrorOutput.burst
  private var last: EventTime
  private var written = 0
  private var leftOut = 0

  init(from time: EventTime) { last = time }

  /// Adds output, and reports the lines that are complete.
  mutating func append(
    _ bytes: some Collection<UInt8>, at time: EventTime, _ write: (String) -> Void
  ) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        end(at: time, write)
      } else if line.count <= Self.length {
        line.append(byte)
      }
    }
  }

  /// Ends the output.
  mutating func finish(at time: EventTime, _ write: (String) -> Void) {
    if !line.isEmpty { end(at: time, write) }
    writeLeftOut(write)
  }

  private mutating func end(at time: EventTime, _ write: (String) -> Void) {
    defer { line.removeAll(keepingCapacity: true) }
    let text = line.prefix(Self.length)
    if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return }
    allowance = min(Self.burst, allowance + max(0, (time - last).seconds) * Self.rate)
    last = max(last, time)
    guard allowance >= 1, written < Self.lines else {
      leftOut += 1
      return
    }
    writeLeftOut(write)
    allowance -= 1
    written += 1
    write(String(decoding: text, as: UTF8.self) + (line.count > Self.length ? " …" : ""))
  }

  private mutating func writeLeftOut(_ write: (String) -> Void) {
    guard leftOut > 0 else { return }
    write("(\(leftOut) more lines were left out)")
    leftOut = 0
  }
}
