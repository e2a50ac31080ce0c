import GlissEvents

/// A gesture in progress: its total motion so far, even if fingers come and go.
struct ActiveGesture {
  let kind: GestureKind
  let began: EventTime
  /// The number of fingers when the gesture was recognized.
  let fingers: Int
  let edge: Edge?
  let isAfterTap: Bool
  /// How far the fingers had gone together before their contacts settled, in mm.
  let way: Vector2
  /// The motion up to the last change of fingers. ``fit`` since then is added to it.
  private(set) var folded = Similarity()
  private(set) var fit = Similarity()
  /// Velocity of the fingers' middle, in mm on the pad, as if every finger had stayed down.
  private(set) var velocity: VelocityWindow
  /// Where the middle was before it moved.
  let origin: Vector2
  /// The middle of the fingers when they were last seen, 0…1 over the device.
  private(set) var centroid: Vector2

  /// How many fingers must stay for the gesture to go on.
  var fewestFingers: Int {
    switch kind {
    case .drag: isAfterTap ? 1 : 2
    case .pinch, .rotate: 2
    case .swipe: 3
    case .edgeSwipe, .tap, .hold: fingers
    }
  }

  /// One finger alone says nothing about its motion.
  var isAroundCentre: Bool { kind == .pinch || kind == .rotate }

  /// How far the centroid has moved since the gesture began, in mm.
  var translation: Vector2 { way + folded.translation + fit.translation }
  private var scale: Double { folded.scale * fit.scale }
  private var turn: Double { folded.turn + fit.turn }

  /// Updates the fit since the fingers last changed.
  mutating func update(_ new: Similarity, _ hand: Hand, at time: EventTime) -> Bool {
    var new = new
    // The fit wraps at half a turn, so the turn is unwrapped here.
    new.turn += ((fit.turn - new.turn) / (2 * .pi)).rounded() * 2 * .pi
    let moved =
      new.translation != fit.translation || new.scale != fit.scale || new.turn != fit.turn
    fit = new
    centroid = hand.centroid
    velocity.append(origin + translation, at: time)
    return moved
  }

  /// Call before the fingers change: keeps the motion so far, and measures again from here.
  mutating func fold() {
    folded.translation += fit.translation
    folded.scale = scale
    folded.turn = turn
    fit = Similarity()
  }

  /// Clears the velocity: the gesture ends with its fingers still on the pad.
  mutating func stop() { velocity.removeAll() }

  /// The event that reports the current state as `phase`.
  func event(
    _ phase: GesturePhase, at time: EventTime, device: DeviceID, gain: Double
  ) -> GestureEvent {
    var event = GestureEvent(
      time: time, device: device, kind: kind, phase: phase, fingers: fingers)
    event.centroid = centroid
    event.isAfterTap = isAfterTap
    event.edge = edge
    let isStart = phase == .began
    if !isStart { event.translation = Translation(millimetres: translation, gain: gain) }
    event.velocity = velocity.value(at: time)
    switch kind {
    case .pinch, .rotate:
      event.scale = isStart ? 1 : scale
      event.rotation = isStart ? 0 : -turn
    case .swipe where !isStart, .edgeSwipe where !isStart:
      event.direction = Direction.ofFour(translation)
      event.direction8 = Direction.ofEight(translation)
    case .drag, .swipe, .edgeSwipe, .tap, .hold: break
    }
    return event
  }
}

/// The last few positions of a moving point, to compute its velocity.
struct VelocityWindow {
  private struct Sample: BitwiseCopyable {
    var time: EventTime
    var place: Vector2
  }

  private static let capacity = 8

  private let length: EventInterval
  /// A ring buffer; the oldest sample is at `first`.
  private var samples = InlineArray<8, Sample>(repeating: Sample(time: .zero, place: .zero))
  private var first = 0
  private var count = 0

  init(length: EventInterval) { self.length = length }

  /// Adds a position; replaces the last one if `time` is not later.
  mutating func append(_ place: Vector2, at time: EventTime) {
    if count > 0 && samples[index(count - 1)].time >= time {
      samples[index(count - 1)].place = place
      return
    }
    while count > 0 && (count == Self.capacity || time - samples[first].time > length) {
      // after a lost contact, the motion since then counts
      if count == 1 && time - samples[first].time <= LostContacts.longest { break }
      first = index(1)
      count -= 1
    }
    samples[index(count)] = Sample(time: time, place: place)
    count += 1
  }

  mutating func removeAll() { count = 0 }

  /// In units per second; 0 if the last sample is older than the window.
  func value(at time: EventTime) -> Vector2 {
    guard count > 1 else { return .zero }
    let (oldest, newest) = (samples[first], samples[index(count - 1)])
    guard time - newest.time <= length else { return .zero }
    let seconds = (newest.time - oldest.time).seconds
    return seconds > 0 ? (newest.place - oldest.place) * (1 / seconds) : .zero
  }

  private func index(_ offset: Int) -> Int { (first + offset) % Self.capacity }
}

extension ActiveGesture {
  /// What may still happen to it.
  enum Course {
    /// Another kind may still replace it.
    case correctable(until: EventTime)
    case settled
    /// Some of its contacts are gone, others stay: the pad may only have lost them.
    case paused

    func isCorrectable(at time: EventTime) -> Bool {
      if case .correctable(let until) = self { time <= until } else { false }
    }
  }
}

/// The contacts of a gesture that are gone while others stay: lifted, or lost for a few frames.
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
  mutating func add(
    _ before: Hand, _ hand: Hand, began: EventTime, _ course: ActiveGesture.Course,
    maySlide: Bool, at time: EventTime
  ) {
    if contacts.isEmpty || end < time {
      (since, contacts, fingers) = (time, Self().contacts, before.count)
      self.course = course
      self.maySlide = since - began <= Self.longestSlide
    }
    self.maySlide = self.maySlide && maySlide
    last = time
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

  /// Whether each finger that lands at `time` is one of these. A pad that lacks slots may show any.
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
