import GlissEvents

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
