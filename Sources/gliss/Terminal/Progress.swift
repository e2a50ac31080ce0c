import Glibc
import Gliss
import Synchronization

/// How far a long replay has come, on standard error: only for a person, only after a second.
struct Progress {
  /// It is shown at most ten times a second.
  static let interval = EventInterval.milliseconds(100)
  private static let isShown = Atomic<Bool>(false)

  private let terminal: Terminal
  private let name: String
  private var next: EventTime

  /// - Parameter isWanted: false where the output itself is being watched on the same terminal.
  init(of name: String, isWanted: Bool) {
    terminal = isWanted ? Terminal(STDERR_FILENO) : .plain
    self.name = name.printable
    next = EventLoop.now + .milliseconds(1000)
  }

  /// - Parameters:
  ///   - read: bytes read so far.
  ///   - total: all there are, or `nil` for a stream.
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

  /// Puts `line` in place of the one that is there.
  static func show(_ line: String, on terminal: Terminal) {
    isShown.store(true, ordering: .relaxed)
    Interruption.markProgressShown(true)
    let text = "\r\u{1b}[K" + String(line.prefix(max(1, terminal.columns - 1)))
    Output.diagnostics.write(text: text)
  }

  /// Takes the line away, where there is one.
  static func clear() {
    guard isShown.exchange(false, ordering: .relaxed) else { return }
    Output.diagnostics.write(text: "\r\u{1b}[K")
    Interruption.markProgressShown(false)
  }
}
