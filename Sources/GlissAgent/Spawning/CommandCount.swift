import GlissConfiguration

/// How many commands run, and who may start one more.
struct CommandCount {
  enum Admission: Hashable {
    case granted
    /// This action already has all it may; `isNews` where nothing of the kind was said since one was started.
    case fullForAction(Int, isNews: Bool)
    /// All together there are as many as may be.
    case full(Int, isNews: Bool)
  }

  private struct Entry {
    var running = 0
    /// Left out since one was started last.
    var leftOut = 0
  }

  /// How many of all may run at a time.
  var limit: Int
  private(set) var running = 0
  /// All that were ever started, and all that were left out.
  private(set) var started = 0
  private(set) var leftOut = 0
  private var entries: [Place: Entry] = [:]

  init(limit: Int) { self.limit = limit }

  /// May the action at `place` start one? If so it counts as running.
  mutating func admit(_ place: Place, atOnce: Int?) -> Admission {
    let known = entries[place] ?? Entry()
    let isNews = known.leftOut == 0
    if let atOnce, known.running >= atOnce {
      leaveOut(place, known)
      return .fullForAction(atOnce, isNews: isNews)
    }
    guard running < limit else {
      leaveOut(place, known)
      return .full(limit, isNews: isNews)
    }
    running += 1
    started += 1
    entries[place] = Entry(running: known.running + 1, leftOut: known.leftOut)
    return .granted
  }

  /// One that was admitted could not be started.
  mutating func fail(_ place: Place) {
    started -= 1
    _ = end(place)
  }

  /// One that was admitted runs no more.
  ///
  /// - Returns: how many of the same action were left out meanwhile, where it was the last that ran.
  mutating func end(_ place: Place) -> Int {
    guard let entry = entries[place], entry.running > 0 else { return 0 }
    running -= 1
    guard entry.running == 1 else {
      entries[place]?.running -= 1
      return 0
    }
    entries[place] = nil
    return entry.leftOut
  }

  private mutating func leaveOut(_ place: Place, _ entry: Entry) {
    leftOut += 1
    entries[place] = Entry(running: entry.running, leftOut: entry.leftOut + 1)
  }
}
