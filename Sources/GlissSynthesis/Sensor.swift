import GlissEvents

/// Scans a performed plan at the pad's report rate and writes the events of its driver.
struct Sensor {
  private let pad: Pad
  private let fingers: [SensedFinger]
  private let plan: Plan
  private var random: RandomSource
  private var driver: KernelDriver
  private var faults: ContactFaults
  private let sizes: [(major: Double, pressure: Double)]

  init(_ plan: Plan, on pad: Pad, model: MotorModel, seed: UInt64) {
    self.pad = pad
    self.plan = plan
    var random = RandomSource(seed: seed, name: "sensor")
    // All fingers of a hand tremble and sway together.
    let hand = [
      Oscillation.tremor(model, using: &random),
      Oscillation(
        amplitude: random.vector(length: random.uniform(model.sway)),
        rate: random.uniform(model.swayRate), phase: random.uniform(0...6.28)),
    ]
    fingers = plan.fingers.map { finger in
      SensedFinger(finger, in: plan, model: model, tremor: hand, using: &random)
    }
    sizes = plan.fingers.map { Self.size(of: $0.contact, using: &random) }
    faults = ContactFaults(pad: pad, seed: seed)
    driver = KernelDriver(pad: pad, firstTrackingID: Int32(random.integer(0...60000)))
    self.random = random
  }

  /// All events of the trace. Second 0 of the plan is at `origin`.
  mutating func scan(origin: EventTime) -> [EvdevEvent] {
    guard let first = plan.fingers.map(\.landing).min(),
      let last = plan.fingers.map(\.lifting).max()
    else { return [] }
    let period = 1 / min(max(random.uniform(pad.reportRate), 1), 10_000)
    var time = first - period * random.unit()
    while time < last + 2 * period {
      let seen = faults.applied(to: contacts(at: time), period: period)
      driver.report(seen, isButtonDown: isButtonDown(at: time), at: origin + time)
      let jitter = random.normal(deviation: pad.reportJitter, limit: 0.3)
      time += period * (1 + jitter)
    }
    return driver.events
  }

  private func isButtonDown(at time: Double) -> Bool {
    guard let click = plan.click else { return false }
    return time >= click.down && time < click.up
  }

  private mutating func contacts(at time: Double) -> [KernelDriver.Contact] {
    var contacts: [KernelDriver.Contact] = []
    for (i, finger) in fingers.enumerated() where finger.touches(at: time) {
      var position = finger.position(at: time, release: plan.click?.up)
      position += Vector2(x: random.normal(), y: random.normal()) * pad.noise
      let flatness = finger.flatness(at: time) * (1 + random.normal(deviation: 0.02, limit: 0.06))
      contacts.append(
        KernelDriver.Contact(
          finger: i, position: position, major: sizes[i].major * flatness,
          pressure: sizes[i].pressure * flatness, isPalm: finger.plan.contact == .palm))
    }
    return contacts
  }

  /// Contact diameter in mm, and pressure from 0 to 255.
  private static func size(
    of contact: Contact, using random: inout RandomSource
  ) -> (major: Double, pressure: Double) {
    switch contact {
    case .finger: (random.uniform(6...9), random.uniform(35...65))
    case .thumb: (random.uniform(11...15), random.uniform(70...110))
    case .palm: (random.uniform(22...38), random.uniform(130...220))
    }
  }
}

extension EventTime {
  /// The instant `seconds` later, to the microsecond.
  static func + (time: EventTime, seconds: Double) -> EventTime {
    time + EventInterval.milliseconds(seconds * 1000)
  }
}

/// A performed contact with all that a sensor sees besides the motion: shifts, tremor, rolling.
struct SensedFinger {
  /// A displacement that begins or ends at an instant and settles exponentially.
  private struct Shift {
    var time: Double
    var displacement: Vector2
    var settling: Double
  }

  let plan: FingerPlan
  private var landing: Shift
  private var lifting: Shift
  private var pushes: [Shift] = []
  private var tremors: [Oscillation] = []
  private var press: Shift?

  /// Creates one contact of `plan`; `tremor` belongs to the hand, and all its fingers share it.
  init(
    _ finger: FingerPlan, in plan: Plan, model: MotorModel, tremor: [Oscillation],
    using random: inout RandomSource
  ) {
    self.plan = finger
    func shift(_ time: Double, _ deviation: Double, limit: Double) -> Shift {
      let length = abs(random.normal(deviation: deviation, limit: limit))
      // Fingertips roll mostly along the finger.
      let direction = Vector2(x: 0.5, y: 1) * random.sign()
      let sideways = random.vector(length: length * 0.5)
      return Shift(
        time: time, displacement: direction * (length * 0.7) + sideways,
        settling: random.uniform(model.settlingMilliseconds) / 1000)
    }
    landing = shift(finger.landing, model.contactShift, limit: 1)
    lifting = shift(finger.lifting, model.contactShift, limit: 1)
    for other in plan.fingers where other.landing != finger.landing || other.start != finger.start {
      for time in [other.landing, other.lifting]
      where time > finger.landing && time < finger.lifting {
        pushes.append(shift(time, model.neighbourShift, limit: 4 * model.neighbourShift))
      }
    }
    tremors = tremor.map { $0.scaled(by: 0.8) }
    tremors.append(Oscillation.tremor(model, share: 0.6, using: &random))
    if finger.wobble > 0 {
      for rate in [0.3...0.8, 0.8...2.0] {
        tremors.append(
          Oscillation(
            amplitude: random.vector(length: finger.wobble / 3), rate: random.uniform(rate),
            phase: random.uniform(0...6.28)))
      }
    }
    if let click = plan.click, finger.press != .zero {
      press = Shift(time: click.down, displacement: finger.press, settling: 0.02)
    }
  }

  func touches(at time: Double) -> Bool { time >= plan.landing && time < plan.lifting }

  /// Where a perfect sensor would see the contact's middle, in mm.
  func position(at time: Double, release: Double?) -> Vector2 {
    var position = plan.position(at: time)
    position += landing.displacement * Self.decay(time - landing.time, landing.settling)
    position += lifting.displacement * Self.decay(lifting.time - time, lifting.settling)
    for push in pushes where time > push.time {
      position += push.displacement * (1 - Self.decay(time - push.time, push.settling))
    }
    for tremor in tremors { position += tremor.displacement(at: time) }
    if let press, time > press.time {
      var share = 1 - Self.decay(time - press.time, press.settling)
      if let release, time > release { share *= Self.decay(time - release, press.settling) }
      position += press.displacement * share
    }
    return position
  }

  /// How much of the full contact is present, 0…1: fingertips flatten when they land and peel off
  /// when they lift.
  func flatness(at time: Double) -> Double {
    let rising = 1 - 0.6 * Self.decay(time - plan.landing, 0.015)
    return rising * (1 - 0.5 * Self.decay(plan.lifting - time, 0.01))
  }

  private static func decay(_ elapsed: Double, _ settling: Double) -> Double {
    elapsed <= 0 ? 1 : Elementary.exp(-elapsed / settling)
  }
}

/// A small periodic motion.
struct Oscillation {
  var amplitude: Vector2
  /// In Hz.
  var rate: Double
  /// In radians.
  var phase: Double

  func displacement(at time: Double) -> Vector2 {
    amplitude * Elementary.sineCosine(2 * .pi * rate * time + phase).sine
  }

  func scaled(by factor: Double) -> Oscillation {
    Oscillation(amplitude: amplitude * factor, rate: rate, phase: phase)
  }

  /// Physiological tremor in a random direction.
  static func tremor(
    _ model: MotorModel, share: Double = 1, using random: inout RandomSource
  ) -> Oscillation {
    Oscillation(
      amplitude: random.vector(length: random.uniform(model.tremor) * share),
      rate: random.uniform(model.tremorRate), phase: random.uniform(0...6.28))
  }
}

/// The faults of slow pads: two contacts close to each other merge for a few reports, and contacts
/// swap slots.
struct ContactFaults {
  private let pad: Pad
  private var random: RandomSource
  /// Two fingers reported as one, and for how many more reports.
  private var merged: (first: Int, second: Int, reports: Int)?
  /// The finger that the pad reports each finger as; itself if missing.
  private var identities: [Int: Int] = [:]

  /// The probability that two close contacts merge at the next report, and for how many reports.
  private static let mergeChance = 0.2
  private static let mergedReports = 1...4

  init(pad: Pad, seed: UInt64) {
    self.pad = pad
    random = RandomSource(seed: seed, name: "faults")
  }

  /// The contacts as the pad sees them, `period` s after the last report.
  mutating func applied(
    to contacts: [KernelDriver.Contact], period: Double
  ) -> [KernelDriver.Contact] {
    guard pad.mergeDistance > 0 || pad.swapRate > 0 else { return contacts }
    var seen = contacts
    merge(&seen)
    swap(seen, period)
    for i in seen.indices { seen[i].finger = identities[seen[i].finger] ?? seen[i].finger }
    return seen
  }

  private mutating func merge(_ seen: inout [KernelDriver.Contact]) {
    if merged == nil, let (a, b) = closest(seen), random.chance(Self.mergeChance) {
      merged = (seen[a].finger, seen[b].finger, random.integer(Self.mergedReports))
    }
    guard let pair = merged else { return }
    merged = pair.reports > 1 ? (pair.first, pair.second, pair.reports - 1) : nil
    guard let a = seen.firstIndex(where: { $0.finger == pair.first }),
      let b = seen.firstIndex(where: { $0.finger == pair.second })
    else {
      merged = nil
      return
    }
    seen[a].position = (seen[a].position + seen[b].position) * 0.5
    seen[a].major += seen[b].major * 0.5
    seen[a].pressure += seen[b].pressure * 0.5
    seen.remove(at: b)
  }

  /// The two closest contacts, if they are close enough to merge.
  private func closest(_ seen: [KernelDriver.Contact]) -> (Int, Int)? {
    var found: (pair: (Int, Int), distance: Double)?
    for a in seen.indices {
      for b in seen.indices where b > a {
        let distance = (seen[a].position - seen[b].position).length
        if distance < found?.distance ?? pad.mergeDistance { found = ((a, b), distance) }
      }
    }
    return found?.pair
  }

  private mutating func swap(_ seen: [KernelDriver.Contact], _ period: Double) {
    guard seen.count > 1, pad.swapRate > 0, random.chance(pad.swapRate * period) else { return }
    let a = random.integer(0...seen.count - 2)
    let (first, second) = (seen[a].finger, seen[a + 1].finger)
    let before = identities[first] ?? first
    identities[first] = identities[second] ?? second
    identities[second] = before
  }
}

/// Turns contacts into evdev events like a kernel driver: slots, tracking ids, and only changed
/// values.
struct KernelDriver {
  /// A contact as measured by the sensor in one scan.
  struct Contact {
    /// The index of its finger in the plan.
    var finger: Int
    /// In mm from the pad's top left corner.
    var position: Vector2
    /// Diameter in mm.
    var major: Double
    /// Pressure, 0 to 255.
    var pressure: Double
    var isPalm: Bool
  }

  private struct Slot {
    var finger: Int?
    var trackingID: Int32 = -1
    /// The value the kernel last reported on each axis: it drops unchanged ones.
    var values: [AbsoluteAxis: Int32] = [:]
  }

  private(set) var events: [EvdevEvent] = []
  private let pad: Pad
  private var slots: [Slot]
  private var currentSlot = 0
  private var nextTrackingID: Int32
  private var values: [AbsoluteAxis: Int32] = [:]
  private var pressed: Set<Key> = []

  init(pad: Pad, firstTrackingID: Int32) {
    self.pad = pad
    slots = Array(repeating: Slot(), count: pad.slots)
    nextTrackingID = firstTrackingID
  }

  /// Processes one scan. Writes nothing if nothing changed.
  mutating func report(_ contacts: [Contact], isButtonDown: Bool, at time: EventTime) {
    let before = events.count
    release(all: contacts, at: time)
    for contact in contacts {
      guard let index = slot(for: contact.finger) else { continue }
      update(index, contact, at: time)
    }
    emulatePointer(fingers: contacts.count, at: time)
    if !pad.isTouchscreen { press(.leftButton, isButtonDown, at: time) }
    if events.count > before { events.append(.report(at: time)) }
  }

  private mutating func release(all contacts: [Contact], at time: EventTime) {
    for i in slots.indices {
      guard let finger = slots[i].finger, !contacts.contains(where: { $0.finger == finger }) else {
        continue
      }
      slots[i].finger = nil
      slots[i].trackingID = -1
      select(i, at: time)
      events.append(.absolute(.trackingID, -1, at: time))
    }
  }

  /// The finger's slot, or the lowest free one; `nil` if all are taken.
  private func slot(for finger: Int) -> Int? {
    slots.firstIndex { $0.finger == finger } ?? slots.firstIndex { $0.finger == nil }
  }

  private mutating func update(_ index: Int, _ contact: Contact, at time: EventTime) {
    if slots[index].finger == nil {
      slots[index].finger = contact.finger
      slots[index].trackingID = nextTrackingID
      nextTrackingID = (nextTrackingID + 1) & 0xffff
      select(index, at: time)
      events.append(.absolute(.trackingID, slots[index].trackingID, at: time))
    }
    let (x, y) = units(contact.position)
    set(.positionX, x, in: index, at: time)
    set(.positionY, y, in: index, at: time)
    if pad.reportsMajor {
      let major = Int32(rounding: contact.major * pad.unitsPerMillimetre.x)
      set(.touchMajor, major, in: index, at: time)
    }
    if pad.reportsPressure {
      let pressure = Int32(rounding: max(1, min(255, contact.pressure)))
      set(.touchPressure, pressure, in: index, at: time)
    }
    if pad.reportsPalms {
      set(.toolType, contact.isPalm ? ToolType.palm : ToolType.finger, in: index, at: time)
    }
  }

  private mutating func set(
    _ axis: AbsoluteAxis, _ value: Int32, in index: Int, at time: EventTime
  ) {
    // The kernel's slots start at 0 on every axis.
    guard slots[index].values.updateValue(value, forKey: axis) ?? 0 != value else { return }
    select(index, at: time)
    events.append(.absolute(axis, value, at: time))
  }

  private mutating func select(_ index: Int, at time: EventTime) {
    guard index != currentSlot else { return }
    currentSlot = index
    events.append(.absolute(.slot, Int32(clamping: index), at: time))
  }

  /// Adds the events of `input_mt_report_pointer_emulation`, for single-touch readers.
  private mutating func emulatePointer(fingers: Int, at time: EventTime) {
    press(.touch, fingers > 0, at: time)
    if !pad.isTouchscreen {
      for (index, tool) in Pad.tools.enumerated() { press(tool, fingers == index + 1, at: time) }
    }
    let held = slots.filter { $0.trackingID >= 0 }
    let oldest = held.min { age($0) > age($1) }
    if let oldest {
      setPointer(.x, oldest.values[.positionX, default: 0], at: time)
      setPointer(.y, oldest.values[.positionY, default: 0], at: time)
    }
    if pad.reportsPressure {
      setPointer(.pressure, oldest?.values[.touchPressure] ?? 0, at: time)
    }
  }

  /// How many tracking ids were assigned since the slot's own.
  private func age(_ slot: Slot) -> Int32 { (nextTrackingID &- slot.trackingID) & 0xffff }

  private mutating func setPointer(_ axis: AbsoluteAxis, _ value: Int32, at time: EventTime) {
    guard values.updateValue(value, forKey: axis) ?? 0 != value else { return }
    events.append(.absolute(axis, value, at: time))
  }

  private mutating func press(_ key: Key, _ isDown: Bool, at time: EventTime) {
    let isChanged = isDown ? pressed.insert(key).inserted : pressed.remove(key) != nil
    guard isChanged else { return }
    events.append(.key(key, isDown ? 1 : 0, at: time))
  }

  private func units(_ position: Vector2) -> (Int32, Int32) {
    func axis(_ value: Double, _ length: Double, _ units: Double, _ minimum: Int32) -> Int32 {
      minimum &+ Int32(rounding: max(0, min(length, value)) * units)
    }
    return (
      axis(position.x, pad.size.x, pad.unitsPerMillimetre.x, pad.minimumX),
      axis(position.y, pad.size.y, pad.unitsPerMillimetre.y, pad.minimumY)
    )
  }
}
