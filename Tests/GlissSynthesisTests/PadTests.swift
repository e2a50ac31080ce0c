import GlissEvents
import Testing

@testable import GlissSynthesis
@testable import StrokeClasses

@Suite struct PadTests {
  @Test(arguments: [.nan, .infinity, -1e300, 1e300, 60])
  func anySizeAndNumberOfSlotsMakesADevice(_ width: Double) {
    for slots in [Int.min, 0, 5, .max] {
      let pad = Pad(
        name: "x", size: Vector2(x: width, y: 60), unitsPerMillimetre: Vector2(x: 20, y: 20),
        slots: slots, reportRate: 1e9...1e9)
      let most = pad.device.axes[.slot]?.maximum
      #expect(most == Int32(min(max(1, slots), 256) - 1))
      #expect(Stroke.tap().trace(on: pad, seed: 1).events.count < 100_000)
    }
  }

  @Test func wideClassesAreDrawnOnPadsOfAnySpeedAndPrecision() {
    for kind in TraceClass.wide {
      let rates = kind.variation == .any ? 40.0...200 : 40.0...60
      for index in 0..<30 {
        let drawn = kind.drawn(on: kind.pads[index % kind.pads.count], index: index, seed: 2)
        #expect(rates.lowerBound * 0.999 <= drawn.pad.reportRate.lowerBound)
        #expect(drawn.pad.reportRate.upperBound <= rates.upperBound * 1.001)
        #expect((10...100).contains(drawn.pad.unitsPerMillimetre.x))
        let tremor = drawn.stroke.options.motor.tremor
        #expect(tremor.lowerBound >= 0.00499 && tremor.upperBound <= 0.1001)
      }
    }
  }

  @Test func allPlainClassesAreOfTheTuningHalfAndHalfOfTheWideOnes() {
    #expect(TraceClass.plain.count == 53)
    #expect(TraceClass.plain.allSatisfy { $0.half == .tuning })
    let heldOut = TraceClass.wide.count { $0.half == .heldOut }
    #expect(abs(2 * heldOut - TraceClass.wide.count) <= 2)
    // what is drawn alike but for its sign is of one half, unless it is the pad that is tried
    for kind in TraceClass.widePinches where kind.name.hasPrefix("pinch-in") {
      let other = TraceClass.named(kind.name.replacing("pinch-in", with: "pinch-out"))
      #expect(other?.half == kind.half)
    }
  }

  private static func drag(_ change: (inout Pad) -> Void, separation: Double) -> (
    [Replay.Frame], Pad
  ) {
    var pad = Pad.large
    pad.reportRate = 50...50
    change(&pad)
    let stroke = Stroke.drag(by: Vector2(x: 60, y: 0)).with {
      $0.motor = .ideal
      $0.durationMilliseconds = 900
      $0.separation = separation
    }
    return (Replay(stroke.trace(on: pad, seed: 4).events, slots: 16).frames, pad)
  }

  @Test func contactsThatAreCloseAreOneNowAndThen() {
    let (frames, _) = Self.drag({ $0.mergeDistance = 10 }, separation: 8)
    let alone = frames.filter { $0.contacts.count == 1 }.count
    #expect(alone > 2 && alone < frames.count)
    let (apart, _) = Self.drag({ $0.mergeDistance = 10 }, separation: 12)
    #expect(apart.filter { $0.contacts.count == 1 }.count <= 1)
  }

  @Test func slotsThatChangePlacesKeepTheirIdentities() {
    let (frames, pad) = Self.drag({ $0.swapRate = 8 }, separation: 30)
    let pairs = zip(frames, frames.dropFirst()).filter {
      $0.contacts.count == 2 && $1.contacts.count == 2
    }
    let jumps = pairs.filter { before, after in
      guard let a = before.contacts[0], let b = after.contacts[0] else { return false }
      #expect(a.trackingID == b.trackingID)
      return (pad.millimetres(a) - pad.millimetres(b)).length > 20
    }
    #expect(!jumps.isEmpty && jumps.count < pairs.count / 2)
  }
}
