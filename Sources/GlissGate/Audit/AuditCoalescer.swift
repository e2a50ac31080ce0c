/// Turns many events into few lines. The first occurrence becomes an entry at once. Repeats within
/// a minute become one more entry, with their count, when the minute is over. Entries are only ever
/// added, and a crash can lose only a count.
///
/// A program cannot flood the audit by doing something different each time. Lines per minute are
/// limited for each program, programs for each user, and lines for everyone together; whatever
/// exceeds a limit shares a line. These limits never hide which client got events: such an entry
/// always names its client, and only its details are limited. Only clients with a grant can appear
/// there.
struct AuditCoalescer {
  struct Limits {
    /// How long repeats are gathered, in seconds.
    var window: Int64 = 60
    /// Different lines of one program in that time. Lines that say what the program was given have
    /// a separate limit of the same size.
    var linesPerProgram = 8
    /// Different programs of one uid.
    var programsPerUser = 8
    /// Different lines of all users, except those that say what somebody was given.
    var lines = 1024
  }

  private let limits: Limits
  /// A client and what it was given.
  private var given: AuditSheet
  private var others: AuditSheet

  init(_ limits: Limits = Limits()) {
    self.limits = limits
    given = AuditSheet(window: limits.window)
    others = AuditSheet(window: limits.window)
  }

  /// When ``advance(to:)`` has repeats to write; `nil` if nothing repeats.
  var deadline: WallTime? { [given.deadline, others.deadline].compactMap(\.self).min() }

  /// - Returns: the entries to write now.
  mutating func record(_ entry: AuditEntry) -> [AuditEntry] {
    let due = advance(to: entry.time)
    let new: AuditEntry?
    if entry.shelf == .given {
      new = given.record(bounded(entry, on: given))
    } else {
      new = others.record(admitted(entry))
    }
    return due + [new].compactMap(\.self)
  }

  /// Closes the windows that are over by `now`, and those that start in the future because the
  /// clock was set back.
  mutating func advance(to now: WallTime) -> [AuditEntry] {
    (given.close(at: now) + others.close(at: now)).sorted {
      ($0.time, $0.detail) < ($1.time, $1.detail)
    }
  }

  mutating func finish() -> [AuditEntry] { advance(to: WallTime(seconds: .max)) }

  /// The entry itself, or the collective entry once its program has too many lines.
  private func bounded(_ entry: AuditEntry, on sheet: AuditSheet) -> AuditEntry {
    if sheet.has(entry) || sheet.lineCount(of: entry) < limits.linesPerProgram { return entry }
    return entry.gathered("too many to list")
  }

  /// The entry itself, or a collective entry if its program, its user's programs or all users
  /// together have too many.
  private func admitted(_ entry: AuditEntry) -> AuditEntry {
    if others.has(entry) { return entry }
    if others.count >= limits.lines {
      return entry.gathered("too many users at once", uid: .max, client: "")
    }
    if others.lineCount(of: entry) == 0,
      others.programCount(of: entry.uid) >= limits.programsPerUser
    {
      return entry.gathered("too many programs to list", client: "")
    }
    return bounded(entry, on: others)
  }
}

extension AuditEntry {
  /// One entry that stands for many.
  fileprivate func gathered(
    _ detail: String, uid: UInt32? = nil, client: String? = nil
  ) -> AuditEntry {
    var entry = self
    entry.detail = detail
    entry.uid = uid ?? self.uid
    entry.client = client ?? self.client
    return entry
  }
}

/// Different entries, apart from their times, with the repeats of each since it was written.
private struct AuditSheet {
  private struct Window {
    var start: WallTime
    /// Has the time of the last repeat and the number of repeats.
    var repeats: AuditEntry
  }

  /// How long repeats are gathered, in seconds.
  private let window: Int64
  /// By user and entry.
  private var windows: [UInt32: [AuditEntry: Window]] = [:]
  private(set) var count = 0

  init(window: Int64) { self.window = window }

  var deadline: WallTime? {
    windows.values.lazy.flatMap(\.values).filter { $0.repeats.count > 0 }.map { end(of: $0) }.min()
  }

  private static func line(_ entry: AuditEntry) -> AuditEntry {
    var line = entry
    (line.time, line.count) = (WallTime(seconds: 0), 0)
    return line
  }

  func has(_ entry: AuditEntry) -> Bool { windows[entry.uid]?[Self.line(entry)] != nil }

  /// Lines of the entry's program.
  func lineCount(of entry: AuditEntry) -> Int {
    windows[entry.uid]?.keys.count { $0.client == entry.client } ?? 0
  }

  func programCount(of uid: UInt32) -> Int { Set((windows[uid] ?? [:]).keys.map(\.client)).count }

  /// - Returns: the entry if it starts a new line.
  mutating func record(_ entry: AuditEntry) -> AuditEntry? {
    let line = Self.line(entry)
    if windows[entry.uid]?[line] != nil {
      windows[entry.uid]?[line]?.repeats.count += entry.count
      windows[entry.uid]?[line]?.repeats.time = entry.time
      return nil
    }
    windows[entry.uid, default: [:]][line] = Window(start: entry.time, repeats: line)
    count += 1
    return entry
  }

  /// - Returns: the repeats of the windows that are over.
  mutating func close(at now: WallTime) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    for (uid, lines) in windows {
      for (line, window) in lines where now < window.start || now >= end(of: window) {
        windows[uid]?[line] = nil
        count -= 1
        if window.repeats.count > 0 { entries.append(window.repeats) }
      }
      if windows[uid]?.isEmpty == true { windows[uid] = nil }
    }
    return entries
  }

  private func end(of window: Window) -> WallTime {
    WallTime(seconds: window.start.seconds.addingReportingOverflow(self.window).partialValue)
  }
}
