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
  /// How many fingers took part before.
  private var fingers = 0
  /// What may still happen to the gesture if they come back.
  private(set) var course = ActiveGesture.Course.settled

  /// When they have certainly lifted.
  var end: EventTime { last + Self.longest }

  /// `hand` no longer has some fingers of `before`, whose gesture began at `began`.
  ///
  /// - Parameter place: its time, and whether all fingers of `before` may tap.
  mutating func add(
    _ before: Hand, _ hand: Hand, began: EventTime, _ course: ActiveGesture.Course,
    in place: Arbiter.FrameContext
  ) {
    if contacts.isEmpty || end < place.time {
      (since, contacts, fingers) = (place.time, Self().contacts, before.count)
      self.course = course
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
    if hand.count > hand.tracked { return hand.count <= fingers }
    return hand.fingers.indices.allSatisfy { index in
      hand.fingers[index].landed != time
        || hand.takesPart(index) && contact(near: hand.fingers[index].position, hand) != nil
    }
  }

  fileprivate func contact(near place: Vector2, _ hand: Hand) -> Int? {
    contacts.firstIndex { contact in
      guard let neighbour = hand.position(of: contact.neighbour) else { return false }
      return (place - neighbour - contact.offset).length <= Self.distance
    }
  }

  /// Where the contact was lost, in mm, if its neighbour's motion is measured from then.
  fileprivate func place(of contact: Int, _ hand: Hand) -> Vector2? {
    let neighbour = hand.fingers.firstIndex { $0.id == contacts[contact].neighbour }
    return neighbour.map { hand.fingers[$0].baseline + contacts[contact].offset }
  }
}

extension Hand {
  /// The motion of fingers that land at `time` counts from where the pad has lost their contacts.
  mutating func continueMotion(of lost: LostContacts, at time: EventTime) {
    for index in fingers.indices where fingers[index].landed == time {
      guard let contact = lost.contact(near: fingers[index].position, self),
        let place = lost.place(of: contact, self)
      else { continue }
      fingers[index].baseline = place
    }
  }

  /// Where the finger is, in mm; `nil` if it is not down.
  fileprivate func position(of id: TouchID) -> Vector2? {
    fingers.firstIndex { $0.id == id }.map { fingers[$0].position }
  }
}
