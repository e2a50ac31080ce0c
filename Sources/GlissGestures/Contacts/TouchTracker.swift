public import GlissEvents

/// Turns raw frames into touch frames: gives each contact an identity, a phase and a position.
package struct TouchTracker: Sendable {
  /// The frame made from the last raw frame.
  package private(set) var frame: TouchFrame

  struct Contact: BitwiseCopyable {
    /// The slot the pad reports it in; ``noSlot`` while it is merged with another.
    var slot: UInt8
    var generation: UInt32
    var isSeen: Bool
    /// It began during typing, and no key has been typed since: it rests until typing is over.
    var waits = false
    /// From where the pad sees it to where the finger is, in mm.
    var offset = Vector2.zero
    var touch: Touch
    /// Its position in the frame before, and its last step then, in mm.
    var before: Vector2
    var step = Vector2.zero

    /// Where it would be if it had repeated its last step.
    var expected: Vector2 { before + step }

    init(_ touch: Touch, _ raw: RawContact) {
      slot = raw.slot
      generation = raw.generation
      isSeen = true
      self.touch = touch
      before = touch.position
    }

    mutating func open() {
      isSeen = false
      step = touch.position - before
      before = touch.position
    }
  }

  /// Slots are numbered from 0 to 15.
  static let noSlot = UInt8.max

  private struct Silent: BitwiseCopyable {
    var slot: UInt8
    /// It rested when it was interrupted.
    var isResting = false
    var generation: UInt32

    func isPart(of raw: RawContact) -> Bool { slot == raw.slot && generation == raw.generation }
  }

  let geometry: PadGeometry
  var contacts = InlineList<16, Contact>(filler: Contact(.none, .none))
  /// Contacts that were interrupted: ignored until they lift.
  private var silent = InlineList<16, Silent>(filler: Silent(slot: 0, generation: 0))
  /// A contact that appears before this time is one of two that were merged at the interruption.
  private var partsUntil: EventTime?
  /// The pad's button was down at the interruption, and still is.
  private var isButtonSilent = false
  private var lastSerial: UInt32 = 0
  /// Two touches that the pad takes for one.
  var merged: MergedPair?
  private var palmSize: Double
  private var typing: TypingMachine

  /// Creates a tracker for `device`.
  package init(
    for device: Device, palm: GestureConfiguration.Palm = GestureConfiguration().palm,
    typing: GestureConfiguration.Typing = GestureConfiguration().typing
  ) {
    geometry = PadGeometry(of: device)
    palmSize = palm.size
    self.typing = TypingMachine(typing)
    frame = TouchFrame(time: .zero, device: device.id)
    frame.isBoundingBox = device.properties.contains(.semiMultitouch)
  }

  /// Changes the tracker's parameters. Call this only while nothing touches the device.
  package mutating func configure(
    palm: GestureConfiguration.Palm, typing: GestureConfiguration.Typing
  ) {
    palmSize = palm.size
    self.typing = TypingMachine(typing)
  }

  /// Processes a raw frame into ``frame``. Returns `false` if only interrupted contacts are on the
  /// pad, so that there is nothing to report.
  @discardableResult package mutating func process(_ raw: RawFrame) -> Bool {
    let wasSilenced = isSilenced
    open(at: raw.time)
    if raw.isAfterLoss { endAll(as: .cancelled) }
    for index in contacts.indices { contacts[index].open() }
    for index in raw.contacts.indices { follow(raw.contacts[index]) }
    if contacts.count > 1 { untangle() }
    if merged != nil { followMerged() }
    endUnseen()
    for index in raw.contacts.indices { beginIfNew(raw.contacts[index]) }
    for index in contacts.indices { frame.touches.append(contacts[index].touch) }
    frame.fingerCount = merged == nil ? raw.fingerCount : max(raw.fingerCount, contacts.count)
    frame.isMerged = merged != nil
    frame.isButtonDown = raw.isButtonDown
    if isSilenced { silence(raw) }
    return !wasSilenced || !frame.touches.isEmpty
  }

  /// Cancels every touch: the device is gone or its stream broke.
  package mutating func cancel(at time: EventTime) {
    open(at: time)
    endAll(as: .cancelled)
    frame.fingerCount = 0
    frame.isButtonDown = false
    silent.removeAll()
    isButtonSilent = false
  }

  /// Cancels every touch while the stream goes on. Current contacts, and the button if it is down,
  /// are ignored until they are up. Those that `isResting` names still rest.
  package mutating func interrupt(
    at time: EventTime, isResting: (TouchID) -> Bool = { _ in false }
  ) {
    let isDown = isButtonSilent || frame.isButtonDown
    partsUntil = merged.map { $0.since + MergedPair.longest }
    var silent = silent
    for index in contacts.indices {
      let (contact, touch) = (contacts[index], contacts[index].touch)
      silent.append(
        Silent(
          slot: contact.slot, isResting: touch.isResting || isResting(touch.id),
          generation: contact.generation))
    }
    cancel(at: time)
    self.silent = silent
    isButtonSilent = isDown
  }

  /// Something that was interrupted is still down.
  private var isSilenced: Bool { !silent.isEmpty || isButtonSilent }

  /// Removes interrupted contacts from the frame, and forgets those that have lifted.
  private mutating func silence(_ raw: RawFrame) {
    for index in silent.indices.reversed()
    where raw.contacts.firstIndex(where: silent[index].isPart(of:)) == nil {
      silent.remove(at: index)
    }
    // Fingers beyond the slots cannot be distinguished from interrupted ones.
    if !silent.isEmpty { frame.fingerCount = min(frame.fingerCount, contacts.count) }
    isButtonSilent = isButtonSilent && raw.isButtonDown
    if isButtonSilent { frame.isButtonDown = false }
  }

  /// A key went down, with `modifiers` held, beside this device; returns whether it is typing.
  ///
  /// Touches that begin during typing may be palms: they rest until typing is over, or until they
  /// lift if more is typed meanwhile.
  package mutating func keyPressed(
    _ key: Key, with modifiers: Modifiers, at time: EventTime
  ) -> Bool {
    guard typing.pressed(key, with: modifiers, at: time) else { return false }
    for index in contacts.indices { contacts[index].waits = false }
    return true
  }

  /// Whether there are any touches.
  package var isTouching: Bool { !contacts.isEmpty }

  private mutating func open(at time: EventTime) {
    frame.time = time
    frame.hasContinued = false
    frame.touches.removeAll()
  }

  private mutating func endAll(as phase: Touch.Phase) {
    while !contacts.isEmpty { end(contacts.count - 1, as: phase) }
  }

  private mutating func end(_ index: Int, as phase: Touch.Phase) {
    var touch = contacts[index].touch
    touch.phase = phase
    frame.touches.append(touch)
    if let pair = merged, pair.part == touch.id || pair.whole == touch.id { merged = nil }
    contacts.remove(at: index)
  }

  private mutating func endUnseen() {
    for index in contacts.indices.reversed() where !contacts[index].isSeen && !merges(index) {
      end(index, as: .ended)
    }
  }

  /// The slots of resting contacts, as bits: palms and the like, and those that `isResting` names.
  package func restingSlots(_ isResting: (TouchID) -> Bool) -> UInt32 {
    var slots: UInt32 = 0
    for index in contacts.indices {
      let contact = contacts[index]
      guard contact.slot < 32, contact.touch.isResting || isResting(contact.touch.id) else {
        continue
      }
      slots |= 1 << UInt32(contact.slot)
    }
    for index in silent.indices where silent[index].isResting && silent[index].slot < 32 {
      slots |= 1 << UInt32(silent[index].slot)
    }
    return slots
  }

  /// Updates the touch that this contact continues. A new generation in its slot ends the touch.
  private mutating func follow(_ raw: RawContact) {
    guard let index = contacts.firstIndex(where: { $0.slot == raw.slot }) else { return }
    guard contacts[index].generation == raw.generation else { return end(index, as: .ended) }
    if contacts[index].waits && !typing.isTyping(at: frame.time) {
      contacts[index].waits = false
      contacts[index].touch.isResting = false
    }
    move(index, raw)
  }

  /// Begins a touch for a contact that has none; in the next frame if this one has no room.
  private mutating func beginIfNew(_ raw: RawContact) {
    guard contacts.firstIndex(where: { $0.slot == raw.slot }) == nil,
      frame.touches.count + contacts.count < TouchFrame.capacity,
      silent.firstIndex(where: { $0.isPart(of: raw) }) == nil
    else { return }
    if merged != nil && splits(into: raw) { return }
    if let until = partsUntil {
      partsUntil = nil
      if frame.time <= until {
        silent.append(Silent(slot: raw.slot, generation: raw.generation))
        return
      }
    }
    if raw.isContinued { frame.hasContinued = true }
    let (normalized, position) = geometry.place(x: raw.x, y: raw.y)
    lastSerial &+= 1
    var touch = Touch(
      id: TouchID(device: frame.device, serial: lastSerial), phase: .began,
      normalizedPosition: normalized, position: position)
    let isPalm = describe(&touch, raw)
    let isTyping = typing.isTyping(at: frame.time)
    touch.isResting = isPalm || isTyping
    var contact = Contact(touch, raw)
    contact.waits = isTyping && !isPalm
    contact.before = position - splitStep(at: position)
    contacts.append(contact)
  }

  private mutating func move(_ index: Int, _ raw: RawContact) {
    let (normalized, position) = geometry.place(x: raw.x, y: raw.y)
    place(index, at: position, normalized)
    // The merged contact's size is not that of one finger.
    if let merged, merged.whole == contacts[index].touch.id { return }
    if describe(&contacts[index].touch, raw) {
      contacts[index].touch.isResting = true
      contacts[index].waits = false
    }
  }

  /// The pad sees the contact at `position`.
  mutating func place(_ index: Int, at position: Vector2, _ normalized: Vector2) {
    var (normalized, position) = (normalized, position)
    if contacts[index].offset != .zero {
      position += contacts[index].offset
      normalized = geometry.normalized(position)
    }
    contacts[index].touch.phase = contacts[index].before == position ? .stationary : .moved
    contacts[index].touch.position = position
    contacts[index].touch.normalizedPosition = normalized
    contacts[index].isSeen = true
  }

  /// - Returns: whether it is a palm, because the device says so or by its size.
  private func describe(_ touch: inout Touch, _ raw: RawContact) -> Bool {
    touch.major = Float(raw.major)
    touch.pressure = Float(raw.pressure)
    let diameter = Double(raw.major) * geometry.majorInMillimetres
    return raw.isPalm || diameter >= palmSize
  }
}

/// Converts a device's units into shares of the pad and mm.
struct PadGeometry: Sendable {
  private let minimum: (x: Double, y: Double)
  private let inverse: (x: Double, y: Double)
  /// Width and height in mm.
  let size: Vector2
  /// mm per unit of contact diameter; 0 if unknown.
  let majorInMillimetres: Double

  init(of device: Device) {
    let (h, v) = (device.horizontal, device.vertical)
    minimum = (Double(h?.minimum ?? 0), Double(v?.minimum ?? 0))
    inverse = (Self.inverse(h), Self.inverse(v))
    size = device.size.millimetres
    majorInMillimetres = Self.majorUnit(device)
  }

  /// - Returns: the position as a share of the pad and in mm. Some drivers report a range that is
  ///   too small; beyond it, mm go on for another length of the pad.
  func place(x: Int32, y: Int32) -> (normalized: Vector2, position: Vector2) {
    let (x, y) = ((Double(x) - minimum.x) * inverse.x, (Double(y) - minimum.y) * inverse.y)
    let position = Vector2(x: min(max(x, -1), 2) * size.x, y: min(max(y, -1), 2) * size.y)
    return (Vector2(x: min(max(x, 0), 1), y: min(max(y, 0), 1)), position)
  }

  /// A position in mm as a share of the pad, 0…1.
  func normalized(_ position: Vector2) -> Vector2 {
    Vector2(
      x: size.x > 0 ? min(max(position.x / size.x, 0), 1) : 0,
      y: size.y > 0 ? min(max(position.y / size.y, 0), 1) : 0)
  }

  private static func inverse(_ axis: AxisRange?) -> Double {
    guard let axis, axis.maximum > axis.minimum else { return 0 }
    return 1 / (Double(axis.maximum) - Double(axis.minimum))
  }

  /// The kernel defines diameters in the unit of positions, but many devices ignore that: they are
  /// used only if the largest one would be 15 to 80 mm.
  private static func majorUnit(_ device: Device) -> Double {
    guard let major = device.axes[.touchMajor], let position = device.horizontal else { return 0 }
    let resolution = major.resolution > 0 ? major.resolution : position.resolution
    guard resolution > 0 else { return 0 }
    let largest = Double(major.maximum) / Double(resolution)
    return (15...80).contains(largest) ? 1 / Double(resolution) : 0
  }
}

/// Detects typing, so that palms beside the keys are not taken for fingers (disable-while-typing):
/// a typing key starts a short period, and another one within that a longer one.
struct TypingMachine: Sendable {
  private let limits: GestureConfiguration.Typing
  /// When the period ends; `nil` if nobody types.
  private var until: EventTime?

  init(_ limits: GestureConfiguration.Typing) { self.limits = limits }

  /// A key went down, with `modifiers` held; returns whether it counts as typing.
  mutating func pressed(_ key: Key, with modifiers: Modifiers, at time: EventTime) -> Bool {
    guard limits.disables != 0, key.isTypewritten, modifiers.isDisjoint(with: .commands) else {
      return false
    }
    let isMore = isTyping(at: time)
    until = time + .milliseconds(isMore ? limits.afterKeys : limits.afterKey)
    return true
  }

  /// Whether a touch that begins at `time` counts as a palm.
  mutating func isTyping(at time: EventTime) -> Bool {
    if let until, time < until { return true }
    until = nil
    return false
  }
}

extension Key {
  /// A key that a typewriter has: those of libinput 1.31, and three of ISO and Japanese keyboards.
  var isTypewritten: Bool {
    switch rawValue {
    // digits and Backspace; Q to Enter; A to `; \ to /; space
    case 2...14, 16...28, 30...41, 43...53, 57: true
    // KEY_102ND, KEY_RO, KEY_YEN
    case 86, 89, 124: true
    case _: false
    }
  }
}

extension Device {
  /// Connected by USB (3) or Bluetooth (5): not part of the machine.
  private var isExternal: Bool { identifier.bus == 3 || identifier.bus == 5 }

  /// Whether people who type on this device have their palms over `touchpad`: both are built in, or
  /// they are two parts of one device. A touchscreen never counts.
  public func isTyped(over touchpad: Device) -> Bool {
    guard touchpad.kind == .touchpad else { return false }
    if !isExternal && !touchpad.isExternal { return true }
    let (own, other) = (identifier, touchpad.identifier)
    let isKnown = own.vendor != 0 || own.product != 0
    return isKnown && own.vendor == other.vendor && own.product == other.product
  }
}
