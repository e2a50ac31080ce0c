/// Makes few lines of many: the first time something happens is an entry at once, and what repeats within a minute
/// becomes one more entry with its count when the minute is over. So entries are only ever added, and all that a crash
/// can lose is a count.
///
/// A client that does a different thing each time gains nothing: a uid has so many lines a minute, and so have all of
/// them together; what goes beyond shares a line.
struct AuditCoalescer {
  struct Limits {
    /// How long repeats are gathered, in seconds.
    var window: Int64 = 60
    /// Different lines of one uid in that time.
    var linesPerUser = 32
    /// Different lines of all.
    var lines = 256
  }

  private struct Kind: Hashable {
    var action: AuditAction
    var uid: UInt32
    var client: String
    var detail: String
  }

  private struct Window {
    var start: WallTime
    var last: WallTime
    var repeats: Int64 = 0
  }

  private let limits: Limits
  private var windows: [Kind: Window] = [:]

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// When ``advance(to:)`` has something to say; `nil` where nothing repeats.
  var deadline: WallTime? {
    windows.values.lazy.filter { $0.repeats > 0 }.map { end(of: $0) }.min()
  }

  /// - Returns: what is to be written now.
  mutating func record(_ entry: AuditEntry) -> [AuditEntry] {
    var entries = advance(to: entry.time)
    let kind = admitted(
      Kind(action: entry.action, uid: entry.uid, client: entry.client, detail: entry.detail))
    if windows[kind] != nil {
      windows[kind]?.repeats += entry.count
      windows[kind]?.last = entry.time
    } else {
      windows[kind] = Window(start: entry.time, last: entry.time)
      entries.append(Self.entry(of: kind, at: entry.time, count: entry.count))
    }
    return entries
  }

  /// Closes the windows that are over by `now`, and those that a clock set back has put into the future.
  mutating func advance(to now: WallTime) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    for (kind, window) in windows where now < window.start || now >= end(of: window) {
      windows[kind] = nil
      if window.repeats > 0 {
        entries.append(Self.entry(of: kind, at: window.last, count: window.repeats))
      }
    }
    return entries.sorted { ($0.time, $0.detail) < ($1.time, $1.detail) }
  }

  /// Closes all of them.
  mutating func finish() -> [AuditEntry] { advance(to: WallTime(seconds: .max)) }

  /// The line for it, or the one for what is too much.
  private func admitted(_ kind: Kind) -> Kind {
    if windows[kind] != nil { return kind }
    if windows.count >= limits.lines {
      return Kind(action: kind.action, uid: .max, client: "", detail: "too many users at once")
    }
    let lines = windows.keys.count { $0.uid == kind.uid }
    guard lines >= limits.linesPerUser else { return kind }
    return Kind(action: kind.action, uid: kind.uid, client: "", detail: "too many to list")
  }

  private func end(of window: Window) -> WallTime {
    WallTime(seconds: window.start.seconds.addingReportingOverflow(limits.window).partialValue)
  }

  private static func entry(of kind: Kind, at time: WallTime, count: Int64) -> AuditEntry {
    AuditEntry(
      time: time, action: kind.action, uid: kind.uid, client: kind.client, detail: kind.detail,
      count: count)
  }
}
