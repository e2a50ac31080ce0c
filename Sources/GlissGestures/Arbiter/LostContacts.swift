import GlissEvents

/// The contacts of a gesture that are gone while others stay. Their fingers may have lifted, or the
/// pad may have lost them for a few frames.
struct LostContacts {
  /// For how long a pad loses a contact, at most: no finger lands again so soon.
  static let longest = EventInterval.milliseconds(60)
  /// How far from its place a contact may come back, in mm.
  private static let distance = 10.0

  /// When the first of them was lost.
  private(set) var since = EventTime.zero
  /// Their places in mm, as if nothing had moved since the fingers' baselines.
  private var places = InlineList<5, Vector2>(filler: .zero)

  /// When they have certainly lifted.
  var end: EventTime { since + Self.longest }

  init() {}

  /// The fingers of `before` that `hand` no longer has, at `time`.
  init(_ before: Hand, _ hand: Hand, at time: EventTime) {
    since = time
    add(before, hand, at: time)
  }

  /// Adds further ones.
  mutating func add(_ before: Hand, _ hand: Hand, at time: EventTime) {
    let way = hand.way(until: time)
    for index in before.fingers.indices where before.takesPart(index) {
      let finger = before.fingers[index]
      if hand.fingers.firstIndex(where: { $0.id == finger.id }) == nil {
        places.append(finger.position - way)
      }
    }
  }

  /// The baselines are about to follow the fingers of `hand` that landed before `time`.
  mutating func rebase(_ hand: Hand, at time: EventTime) {
    let way = hand.way(until: time)
    for index in places.indices { places[index] += way }
  }

  /// Whether each finger that lands at `time` is one of these. A pad with fewer slots than fingers
  /// may show another one instead, anywhere.
  func contain(_ hand: Hand, at time: EventTime) -> Bool {
    if hand.count > hand.tracked { return true }
    let way = hand.way(until: time)
    for index in hand.fingers.indices where hand.fingers[index].landed == time {
      let place = hand.fingers[index].position - way
      let isNear = places.firstIndex { ($0 - place).length <= Self.distance } != nil
      guard isNear && hand.takesPart(index) else { return false }
    }
    return true
  }
}

extension Hand {
  /// The mean displacement of the participating fingers that landed before `time`, in mm.
  fileprivate func way(until time: EventTime) -> Vector2 {
    var (sum, count) = (Vector2.zero, 0.0)
    for index in fingers.indices where takesPart(index) && fingers[index].landed < time {
      sum += fingers[index].displacement
      count += 1
    }
    return count > 0 ? sum * (1 / count) : .zero
  }
}
