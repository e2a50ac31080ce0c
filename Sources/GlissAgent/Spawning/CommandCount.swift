import GlissConfiguration

/// Counts running commands, and decides whether another may start.
struct CommandCount {
  enum Admission: Hashable {
    case granted
    /// The action has reached its own limit. `isNews` if this was not reported since it last
    /// started one.
    case fullForAction(Int, isNews: Bool)
    /// The common limit of all actions is reached.
    case full(Int, isNews: Bool)
  }

  private struct Entry {
    var running = 0
    /// How many were refused since one was last started.
    var leftOut = 0
  }

  /// How many commands may run at a time.
  var limit: Int
  private(set) var running = 0
  /// How many were ever started, and how many were refused.
  private(set) var started = 0
  private(set) var leftOut = 0
  private var entries: [Place: Entry] = [:]

  init(limit: Int) { self.limit = limit }

  /// Decides whether the action at `place` may start a command. If so, it counts as running.
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

  /// An admitted command could not be started.
  mutating func fail(_ place: Place) {
    started -= 1
    _ = end(place)
  }

  /// An admitted command has ended.
  ///
  /// - Returns: if it was the action's last running command, how many were refused meanwhile,
  ///   otherwise 0.
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
