import GlissConfiguration
import GlissEvents

/// Counts running commands, and decides whether another may start.
struct CommandCount {
  enum Admission: Hashable {
    case granted
    /// `isNews` if this was not reported since the action last started one.
    case refused(String, isNews: Bool)
  }

  private struct Entry {
    var running = 0
    /// How many were refused while some ran.
    var leftOut = 0
    /// Whether one was refused since one was last started.
    var hasRefused = false
  }

  var limit: Int
  private(set) var running = 0
  /// How many were ever started, and how many were refused.
  private(set) var started = 0
  private(set) var leftOut = 0
  private var entries: [RuleAction: Entry] = [:]

  init(limit: Int) { self.limit = limit }

  /// Decides whether the action may start a command. If so, it counts as running.
  mutating func admit(_ action: RuleAction, atOnce: Int?) -> Admission {
    let known = entries[action] ?? Entry()
    if let reason = refusal(known, atOnce: atOnce) {
      leftOut += 1
      entries[action] = Entry(
        running: known.running, leftOut: known.leftOut + 1, hasRefused: true)
      return .refused(reason, isNews: !known.hasRefused)
    }
    running += 1
    started += 1
    entries[action] = Entry(
      running: known.running + 1, leftOut: known.running == 0 ? 0 : known.leftOut)
    return .granted
  }

  private func refusal(_ entry: Entry, atOnce: Int?) -> String? {
    if let atOnce, entry.running >= atOnce {
      return "\(atOnce) already running (atOnce)"
    }
    return running < limit ? nil : "\(counted(limit, "command")) already running (limits: running)"
  }

  mutating func fail(_ action: RuleAction) {
    started -= 1
    _ = end(action)
  }

  /// An admitted command has ended.
  ///
  /// - Returns: if it was the action's last running command, how many were refused while some ran,
  ///   otherwise 0.
  mutating func end(_ action: RuleAction) -> Int {
    guard let entry = entries[action], entry.running > 0 else { return 0 }
    running -= 1
    guard entry.running == 1 else {
      entries[action]?.running -= 1
      return 0
    }
    entries[action] = nil
    return entry.leftOut
  }
}

/// Turns what a command writes to standard error into lines, limited to what a log can bear.
struct ErrorOutput {
  /// Output is limited to bursts of this many lines, and to this many lines a second after that.
  static let burst = 20.0
  static let rate = 2.0
  /// The most lines of one command, however long it runs.
  static let lines = 500
  static let length = 500

  private var line: [UInt8] = []
  private var allowance = ErrorOutput.burst
  private var last: EventTime
  private var written = 0
  private var leftOut = 0

  init(from time: EventTime) { last = time }

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
    write("(\(counted(leftOut, "more line")) left out)")
    leftOut = 0
  }
}
