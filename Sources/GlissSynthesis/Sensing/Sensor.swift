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
    let period = 1 / random.uniform(pad.reportRate)
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
