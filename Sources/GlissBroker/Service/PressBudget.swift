import GlissEvents

/// How many chords a user's programs may press: a burst, and then a rate per second.
///
/// This is far more than fingers need, and keeps a runaway program from flooding the desktop.
struct PressBudget: Hashable, Sendable {
  static let most = 256
  static let perSecond = 64

  /// In millionths of a chord.
  private var left = Int64(most) * 1_000_000
  private var time: EventTime

  init(at time: EventTime) { self.time = time }

  /// Takes `count` chords. If fewer are left, takes none and returns `false`.
  mutating func take(_ count: Int, at now: EventTime) -> Bool {
    let full = Int64(Self.most) * 1_000_000
    // a clock that goes back adds nothing, and no pause adds more than the maximum
    let passed = min(max(0, (now - time).microseconds), full)
    left = min(full, left + passed * Int64(Self.perSecond))
    time = max(now, time)
    let wanted = Int64(count) * 1_000_000
    guard wanted <= left else { return false }
    left -= wanted
    return true
  }
}
