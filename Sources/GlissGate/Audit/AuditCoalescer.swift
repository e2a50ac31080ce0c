/// Makes few lines of many: the first time something happens is an entry at once, and what repeats within a minute
/// becomes one more entry with its count when the minute is over. So entries are only ever added, and all that a crash
/// can lose is a count.
///
/// A program that does a different thing each time gains nothing: it has so many lines a minute, its user has so many
/// programs, and all of them together so many lines; what goes beyond shares a line. None of that touches who was given
/// events: such an entry always names its client, and only its details are bounded, for there are no more of these
/// clients than somebody has granted something.
struct AuditCoalescer {
  struct Limits {
    /// How long repeats are gathered, in seconds.
    var window: Int64 = 60
    /// Different lines of one program in that time; and again as many that say what it was given.
    var linesPerProgram = 8
    /// Different programs of one uid.
    var programsPerUser = 8
    /// Different lines of all, but for those that say what somebody was given.
    var lines = 1024
  }

  private let limits: Limits
  /// Who was given what.
  private var given: AuditSheet
  private var others: AuditSheet

  init(_ limits: Limits = Limits()) {
    self.limits = limits
    given = AuditSheet(window: limits.window)
    others = AuditSheet(window: limits.window)
  }

  /// When ``advance(to:)`` has something to say; `nil` where nothing repeats.
  var deadline: WallTime? { [given.deadline, others.deadline].compactMap(\.self).min() }

  /// - Returns: what is to be written now.
  mutating func record(_ entry: AuditEntry) -> [AuditEntry] {
    let due = advance(to: entry.time)
    let new: AuditEntry?
    if entry.action.shelf == .given {
      new = given.record(bounded(entry, on: given))
    } else {
      new = others.record(admitted(entry))
    }
    return due + [new].compactMap(\.self)
  }

  /// Closes the windows that are over by `now`, and those that a clock set back has put into the future.
  mutating func advance(to now: WallTime) -> [AuditEntry] {
    (given.close(at: now) + others.close(at: now)).sorted {
      ($0.time, $0.detail) < ($1.time, $1.detail)
    }
  }

  /// Closes all of them.
  mutating func finish() -> [AuditEntry] { advance(to: WallTime(seconds: .max)) }

  /// The entry, or the one for what is too much of its program.
  private func bounded(_ entry: AuditEntry, on sheet: AuditSheet) -> AuditEntry {
    if sheet.has(entry) || sheet.lineCount(of: entry) < limits.linesPerProgram { return entry }
    return entry.gathered("too many to list")
  }

  /// The entry, or the one for what is too much of its program, of its user's programs, or of all users'.
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
  /// One for many.
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

/// Lines of programs, and how often each was repeated since it was written.
private struct AuditSheet {
  private struct Program: Hashable {
    var uid: UInt32
    var client: String

    init(_ entry: AuditEntry) {
      uid = entry.uid
      client = entry.client
    }
  }

  private struct Line: Hashable {
    var action: AuditAction
    var detail: String

    init(_ entry: AuditEntry) {
      action = entry.action
      detail = entry.detail
    }
  }

  private struct Window {
    var start: WallTime
    /// With the time of the last repeat, and how many there were.
    var repeats: AuditEntry
  }

  /// How long repeats are gathered, in seconds.
  private let window: Int64
  private var programs: [Program: [Line: Window]] = [:]
  /// How many lines there are.
  private(set) var count = 0

  init(window: Int64) { self.window = window }

  var deadline: WallTime? {
    programs.values.lazy.flatMap(\.values).filter { $0.repeats.count > 0 }.map { end(of: $0) }
      .min()
  }

  func has(_ entry: AuditEntry) -> Bool { programs[Program(entry)]?[Line(entry)] != nil }

  /// Of the same program.
  func lineCount(of entry: AuditEntry) -> Int { programs[Program(entry)]?.count ?? 0 }

  func programCount(of uid: UInt32) -> Int { programs.keys.count { $0.uid == uid } }

  /// - Returns: the entry where it is a new line.
  mutating func record(_ entry: AuditEntry) -> AuditEntry? {
    let program = Program(entry)
    let line = Line(entry)
    if programs[program]?[line] != nil {
      programs[program]?[line]?.repeats.count += entry.count
      programs[program]?[line]?.repeats.time = entry.time
      return nil
    }
    var none = entry
    none.count = 0
    programs[program, default: [:]][line] = Window(start: entry.time, repeats: none)
    count += 1
    return entry
  }

  /// - Returns: what was repeated in the windows that are over.
  mutating func close(at now: WallTime) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    for (program, lines) in programs {
      for (line, window) in lines where now < window.start || now >= end(of: window) {
        programs[program]?[line] = nil
        count -= 1
        if window.repeats.count > 0 { entries.append(window.repeats) }
      }
      if programs[program]?.isEmpty == true { programs[program] = nil }
    }
    return entries
  }

  private func end(of window: Window) -> WallTime {
    WallTime(seconds: window.start.seconds.addingReportingOverflow(self.window).partialValue)
  }
}
