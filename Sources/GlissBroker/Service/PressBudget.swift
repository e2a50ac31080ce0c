import GlissEvents

/// How many chords a user's programs may press: so many at once, and so many a second after that.
///
/// It is far above what fingers ask for, and keeps a program that presses without end from drowning the desktop.
struct PressBudget: Hashable, Sendable {
  static let most = 256
  static let perSecond = 64

  /// In millionths of a chord.
  private var left = Int64(most) * 1_000_000
  private var time: EventTime

  init(at time: EventTime) { self.time = time }

  /// Takes `count` of them; `false`, and none is taken, where there are fewer.
  mutating func take(_ count: Int, at now: EventTime) -> Bool {
    let full = Int64(Self.most) * 1_000_000
    // clocks that go back give nothing, and no pause more than all
    let passed = min(max(0, (now - time).microseconds), full)
    left = min(full, left + passed * Int64(Self.perSecond))
    time = max(now, time)
    let wanted = Int64(count) * 1_000_000
    guard wanted <= left else { return false }
    left -= wanted
    return true
  }
}
