import GlissEvents
import StrokeClasses
import Testing

@testable import GlissSynthesis

@Suite struct MotorTests {
  static let profiles: [SpeedProfile] = [
    .minimumJerk, .lognormal(sigma: 0.15), .lognormal(sigma: 0.3), .lognormal(sigma: 0.5),
  ]

  @Test(arguments: profiles) func speedHasOnePeakAndTheWayIsAllDone(profile: SpeedProfile) {
    #expect(profile.progress(0) == 0)
    #expect(profile.progress(1) == 1)
    let steps = 500
    let way = (0...steps).map { profile.progress(Double($0) / Double(steps)) }
    let speeds = zip(way, way.dropFirst()).map { $1 - $0 }
    #expect(speeds.allSatisfy { $0 >= 0 })
    let rises = zip(speeds, speeds.dropFirst()).map { $1 > $0 }
    let turns = zip(rises, rises.dropFirst()).filter { $0 != $1 }
    #expect(turns.count == 1)
    #expect(rises.first == true && rises.last == false)
    // next to nothing at both ends
    let fastest = speeds.max() ?? 0
    #expect((speeds.first ?? 1) < 0.06 * fastest && (speeds.last ?? 1) < 0.06 * fastest)
  }

  @Test func theLognormalPeakIsBeforeTheMiddleAndEarlierTheMoreItIsSkewed() {
    func half(_ sigma: Double) -> Double {
      (0...100).map { Double($0) / 100 }.first {
        SpeedProfile.lognormal(sigma: sigma).progress($0) >= 0.5
      } ?? 1
    }
    #expect(half(0.15) < 0.5)
    #expect(half(0.45) < half(0.3) && half(0.3) < half(0.15))
  }

  @Test(arguments: MotorModel.Profile.allCases)
  func aStrokeBeginsAndEndsWhereItWasPlanned(profile: MotorModel.Profile) throws {
    let stroke = Stroke.drag(by: Vector2(x: 30, y: -10)).with {
      $0.motor = .ideal
      $0.motor.profile = profile
    }
    let trace = stroke.trace(on: .large, seed: 5)
    let frames = Replay(trace.events, slots: 16).frames.filter { $0.contacts.count == 2 }
    for slot in 0...1 {
      let first = try #require(frames.first?.contacts[slot])
      let last = try #require(frames.last?.contacts[slot])
      let way = Pad.large.millimetres(last) - Pad.large.millimetres(first)
      #expect((way - Vector2(x: 30, y: -10)).length < 0.3)
    }
    let (start, onset) = (try #require(trace.truth.strokeStart), try #require(trace.truth.onset))
    #expect(start < onset && onset < trace.truth.lifted)
  }

  @Test func fingersOfAHandSpeedUpAlike() throws {
    let stroke = Stroke.drag(by: Vector2(x: 30, y: 0)).with { $0.motor.profile = .lognormal }
    for seed in 0..<20 as Range<UInt64> {
      var random = RandomSource(seed: seed, name: "stroke")
      var plan = Choreography(stroke: stroke, pad: .large).plan(using: &random)
      plan.perform(stroke.options.motor, using: &random)
      let sigmas = plan.fingers.compactMap { finger -> Double? in
        guard case .lognormal(let sigma)? = finger.moves.first?.speed else { return nil }
        return sigma
      }
      #expect(sigmas.count == 2)
      let (low, high) = (try #require(sigmas.min()), try #require(sigmas.max()))
      #expect(low > 0.13 && high < 0.51 && high / low < 1.28)
    }
  }

  @Test(arguments: TraceClass.all.map(\.name), MotorModel.Profile.allCases)
  func aTraceIsTheSameForTheSameSeed(name: String, motor: MotorModel.Profile) throws {
    let kind = try #require(TraceClass.named(name))
    let trace = kind.trace(index: 2, seed: 5, motor: motor)
    #expect(kind.trace(index: 2, seed: 5, motor: motor).events == trace.events)
    #expect(kind.trace(index: 2, seed: 5, motor: motor).truth == trace.truth)
    #expect(kind.trace(index: 2, seed: 6, motor: motor).events != trace.events)
  }

  /// The motor model is not among what is drawn: a hand means the same with either.
  @Test(arguments: TraceClass.all.map(\.name))
  func bothMotorModelsMeanTheSameStroke(name: String) throws {
    let kind = try #require(TraceClass.named(name))
    let pad = try #require(kind.pads.first)
    let first = kind.drawn(on: pad, index: 1, seed: 3, motor: .minimumJerk)
    var second = kind.drawn(on: pad, index: 1, seed: 3, motor: .lognormal)
    #expect(second.stroke.options.motor.profile == .lognormal)
    second.stroke.options.motor.profile = .minimumJerk
    #expect(first.stroke == second.stroke && first.pad == second.pad && first.seed == second.seed)
  }
}
