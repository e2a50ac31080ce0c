import Glibc
import Gliss
import Synchronization

/// The progress of a long replay on standard error, shown only to people and only after a second.
struct Progress {
  /// Updated at most ten times a second.
  static let interval = EventInterval.milliseconds(100)
  private static let isShown = Atomic<Bool>(false)

  private let terminal: Terminal
  private let name: String
  private var next: EventTime

  /// - Parameter isWanted: False if the output itself goes to the same terminal.
  init(of name: String, isWanted: Bool) {
    terminal = isWanted ? Terminal(STDERR_FILENO) : .plain
    self.name = name.printable
    next = EventLoop.now + .milliseconds(1000)
  }

  /// - Parameters:
  ///   - read: The bytes read so far.
  ///   - total: The total, or `nil` for a stream.
  mutating func update(read: Int64, of total: Int64?) {
    guard terminal.hasCursor else { return }
    let now = EventLoop.now
    guard now >= next else { return }
    next = now + Self.interval
    let megabytes = Int(Double(read) / 1_000_000)
    var line = "\(name): \(megabytes) MB"
    if let total, total > 0 { line += ", \(Int(min(1, Double(read) / Double(total)) * 100)) %" }
    Self.show(line, on: terminal)
  }

  /// Replaces the progress line with `line`.
  static func show(_ line: String, on terminal: Terminal) {
    isShown.store(true, ordering: .relaxed)
    Interruption.markProgressShown(true)
    let text = "\r\u{1b}[K" + String(line.prefix(max(1, terminal.columns - 1)))
    Output.diagnostics.write(text: text)
  }

  /// Removes the progress line, if there is one.
  static func clear() {
    guard isShown.exchange(false, ordering: .relaxed) else { return }
    Output.diagnostics.write(text: "\r\u{1b}[K")
    Interruption.markProgressShown(false)
  }
}
