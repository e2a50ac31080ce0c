import GlissEvents

/// Two touches that the pad reports as one contact.
struct MergedPair: BitwiseCopyable {
  /// The touch whose contact the pad still reports, in the middle of both.
  let whole: TouchID
  /// The touch that has no contact meanwhile.
  let part: TouchID
  /// From ``whole`` to ``part``, in mm.
  let separation: Vector2
  /// The offset of ``whole`` before the merge.
  let offset: Vector2
  let since: EventTime
  /// How often the merged contact was reported.
  var reports = 0

  /// Distances of two fingers whose contacts may merge, in mm. Closer contacts are one finger.
  static let separations = 3.0...15

  /// How far from the middle of both a merged contact may be reported, in mm. Two fingers this far
  /// apart are rarely one contact, so a finger that leaps as another lifts is more likely.
  static func error(at separation: Double) -> Double { (separation > 12 ? 0.15 : 0.6) * separation }

  /// How long pads merge two contacts: ``usual``, or 12 reports if these take longer, up to
  /// ``longest`` at 33 reports a second.
  static let usual = EventInterval.milliseconds(160)
  static let longest = EventInterval.milliseconds(360)

  /// Whether the missing finger has lifted.
  func isOver(at time: EventTime) -> Bool {
    let age = time - since
    // a finger that lies still makes few reports, even on a fast pad
    return age > Self.usual && (reports > 12 || age > .milliseconds(30 * Double(reports)))
  }
}

/// Pads with few reports a second exchange two slots, or merge two contacts for a few reports.
extension TouchTracker {
  // MARK: Slots that change places

  /// Each touch follows its finger into the other slot.
  mutating func untangle() {
    var count = 0
    for index in contacts.indices where leapt(contacts[index]) { count += 1 }
    if count > 1 && !frame.isBoundingBox { untangleLeaps() }
  }

  private func leapt(_ contact: Contact) -> Bool {
    contact.isSeen
      && (contact.touch.position - contact.before).lengthSquared >= Leap.least * Leap.least
  }

  private mutating func untangleLeaps() {
    var leaps = InlineList<16, Leap>(filler: Leap(contact: 0, from: .zero, to: .zero))
    for index in contacts.indices where leapt(contacts[index]) {
      let contact = contacts[index]
      leaps.append(Leap(contact: index, from: contact.expected, to: contact.touch.position))
    }
    // Each exchange brings the contacts closer to their expected places, so a few rounds suffice.
    for _ in leaps.indices where exchangeSlots(&leaps) {}
  }

  /// - Returns: whether a pair was exchanged.
  private mutating func exchangeSlots(_ leaps: inout InlineList<16, Leap>) -> Bool {
    for first in leaps.indices {
      for second in leaps.indices where second > first {
        guard leaps[first].changesPlaces(with: leaps[second]) else { continue }
        let (one, other) = (leaps[first].contact, leaps[second].contact)
        exchangeSlots(one, other)
        (leaps[first].contact, leaps[second].contact) = (other, one)
        (leaps[first].from, leaps[second].from) = (leaps[second].from, leaps[first].from)
        return true
      }
    }
    return false
  }

  private mutating func exchangeSlots(_ one: Int, _ other: Int) {
    let (first, second) = (contacts[one], contacts[other])
    follow(one, second)
    follow(other, first)
  }

  /// The touch at `index` continues where the pad sees `contact`.
  private mutating func follow(_ index: Int, _ contact: Contact) {
    contacts[index].slot = contact.slot
    contacts[index].generation = contact.generation
    contacts[index].touch.major = contact.touch.major
    contacts[index].touch.pressure = contact.touch.pressure
    place(index, at: contact.touch.position - contact.offset)
  }

  /// A long step of a contact between two frames.
  private struct Leap: BitwiseCopyable {
    var contact: Int
    /// Where its motion would have brought it, in mm.
    var from: Vector2
    var to: Vector2

    /// The shortest step that counts, in mm: the contacts of two fingers are farther apart.
    static let least = 4.0

    /// Whether each is far nearer to where the other should be than to where it should be itself.
    func changesPlaces(with other: Leap) -> Bool {
      let kept = (to - from).lengthSquared + (other.to - other.from).lengthSquared
      let changed = (to - other.from).lengthSquared + (other.to - from).lengthSquared
      return 4 * changed < kept
    }
  }

  // MARK: Contacts that merge

  /// Whether the contact at `index`, which is gone, has merged with one that leaps to their middle.
  mutating func merges(_ index: Int) -> Bool {
    guard merged == nil, !frame.isBoundingBox else { return false }
    let gone = contacts[index]
    for other in contacts.indices where other != index && contacts[other].isSeen {
      let whole = contacts[other]
      let touches = gone.expected - whole.expected
      let separation = touches - gone.offset + whole.offset
      let leap = whole.touch.position - whole.expected
      guard MergedPair.separations.contains(separation.length),
        leap.dot(separation) > 0.25 * separation.lengthSquared,
        // fast fingers speed up and slow down within a report
        (leap - separation * 0.5).length
          < MergedPair.error(at: separation.length) + 0.8 * whole.step.length
      else { continue }
      merged = MergedPair(
        whole: whole.touch.id, part: gone.touch.id, separation: touches, offset: whole.offset,
        since: frame.time)
      contacts[index].slot = Self.noSlot
      let position = whole.touch.position - whole.offset
      // The merged contact's size is not that of one finger.
      contacts[other].touch.major = gone.touch.major
      contacts[other].touch.pressure = gone.touch.pressure
      contacts[other].offset = whole.offset - separation * 0.5
      place(other, at: position)
      followMerged()
      return true
    }
    return false
  }

  /// The touch without a contact moves with the other until it has certainly lifted.
  mutating func followMerged() {
    merged?.reports += 1
    guard let pair = merged,
      let whole = contacts.firstIndex(where: { $0.touch.id == pair.whole }), contacts[whole].isSeen,
      let part = contacts.firstIndex(where: { $0.touch.id == pair.part }),
      !pair.isOver(at: frame.time)
    else { return }
    place(part, at: contacts[whole].touch.position + pair.separation - contacts[part].offset)
  }

  /// Whether the contact that appears in `raw` means that the merged touches are two again.
  mutating func splits(into raw: RawContact) -> Bool {
    guard let pair = merged,
      let whole = contacts.firstIndex(where: { $0.touch.id == pair.whole }),
      let part = contacts.firstIndex(where: { $0.touch.id == pair.part })
    else { return false }
    let (_, position) = geometry.place(x: raw.x, y: raw.y)
    let seen = contacts[whole].touch.position - contacts[whole].offset
    // Merged touches part around their middle.
    let middle = contacts[whole].expected - contacts[whole].offset
    let parted = (position - seen).length
    guard ((position + seen) * 0.5 - middle).length <= max(9, 0.35 * parted)
    else { return false }
    merged = nil
    contacts[part].slot = raw.slot
    contacts[part].generation = raw.generation
    contacts[whole].offset = pair.offset
    // The touch that was missing may now have the other contact.
    place(whole, at: seen)
    place(part, at: position)
    if (position - seen).dot(pair.separation) < 0 { exchangeSlots(whole, part) }
    keepStep(whole)
    keepStep(part)
    return true
  }

  /// Two fingers may land as one contact. When the second one appears at `position`, the first
  /// leaps away from it, which is no motion.
  ///
  /// - Returns: the step of both, in mm; zero if the contact at `position` landed by itself.
  mutating func splitStep(at position: Vector2) -> Vector2 {
    guard !frame.isBoundingBox else { return .zero }
    for index in contacts.indices where contacts[index].isSeen {
      let whole = contacts[index]
      let seen = whole.touch.position
      let apart = position - seen
      let parted = apart.length
      guard MergedPair.separations.contains(parted),
        // one that only brakes still comes closer
        (seen - whole.before).dot(apart) < -0.1 * parted * parted,
        ((position + seen) * 0.5 - whole.expected).length < MergedPair.error(at: parted)
      else { continue }
      keepStep(index)
      return whole.step
    }
    return .zero
  }

  /// What the contact at `index` did in this frame is not its motion.
  private mutating func keepStep(_ index: Int) {
    contacts[index].before = contacts[index].touch.position - contacts[index].step
  }

  private mutating func place(_ index: Int, at position: Vector2) {
    place(index, at: position, geometry.normalized(position))
  }
}
