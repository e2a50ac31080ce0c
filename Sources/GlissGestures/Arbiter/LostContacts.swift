import GlissEvents

/// The contacts of a gesture that are gone while others stay. Their fingers may have lifted, or the
/// pad may have lost them for a few frames.
struct LostContacts {
  /// For how long a pad loses a contact, at most: no finger lands again so soon.
  static let longest = EventInterval.milliseconds(60)
  /// For how long fingers of a tap slide before they lift, at most.
  private static let longestSlide = EventInterval.milliseconds(30)
  /// How far from its place a contact may come back, in mm.
  private static let distance = 10.0

  private struct Contact: BitwiseCopyable {
    /// A finger that stays.
    var neighbour: TouchID
    /// From the neighbour to this one when it was lost, in mm.
    var offset: Vector2
  }

  /// When the first of them was lost, and the last.
  private(set) var since = EventTime.zero
  private var last = EventTime.zero
  /// Whether it seems to be a tap whose fingers slide as they lift.
  private(set) var maySlide = false
  private var contacts = InlineList<5, Contact>(
    filler: Contact(neighbour: Touch.none.id, offset: .zero))

  /// When they have certainly lifted.
  var end: EventTime { last + Self.longest }

  /// `hand` no longer has some fingers of `before`, whose gesture began at `began`.
  ///
  /// - Parameter place: its time, and whether all fingers of `before` may tap.
  mutating func add(
    _ before: Hand, _ hand: Hand, began: EventTime, in place: Arbiter.FrameContext
  ) {
    if contacts.isEmpty || end < place.time {
      (since, contacts) = (place.time, Self().contacts)
      maySlide = since - began <= Self.longestSlide
    }
    maySlide = maySlide && place.maySlide
    last = place.time
    guard
      let staying = before.fingers.firstIndex(where: { finger in
        !finger.isPalm && !finger.isResting && hand.position(of: finger.id) != nil
      })
    else { return }
    let neighbour = before.fingers[staying]
    for index in contacts.indices where hand.position(of: contacts[index].neighbour) == nil {
      let gone = before.position(of: contacts[index].neighbour) ?? neighbour.position
      contacts[index].offset += gone - neighbour.position
      contacts[index].neighbour = neighbour.id
    }
    for index in before.fingers.indices where before.takesPart(index) {
      let finger = before.fingers[index]
      guard hand.position(of: finger.id) == nil else { continue }
      contacts.append(
        Contact(neighbour: neighbour.id, offset: finger.position - neighbour.position))
    }
  }

  /// Whether each finger that lands at `time` is one of these. A pad with fewer slots than fingers
  /// may show another one instead, anywhere.
  func contain(_ hand: Hand, at time: EventTime) -> Bool {
    if hand.count > hand.tracked { return true }
    for index in hand.fingers.indices where hand.fingers[index].landed == time {
      let place = hand.fingers[index].position
      let isNear = contacts.contains { contact in
        guard let neighbour = hand.position(of: contact.neighbour) else { return false }
        return (place - neighbour - contact.offset).length <= Self.distance
      }
      guard isNear && hand.takesPart(index) else { return false }
    }
    return true
  }
}

extension Hand {
  /// Where the finger is, in mm; `nil` if it is not down.
  fileprivate func position(of id: TouchID) -> Vector2? {
    fingers.firstIndex { $0.id == id }.map { fingers[$0].position }
  }
}
