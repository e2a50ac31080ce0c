import GlissEvents
import GlissSynthesis
import StrokeClasses
import TestSupport
import Testing

@testable import GlissDevices

/// Any strokes, verdicts and losses at any time: the desktop gets every contact, and nothing stays down.
@Suite struct TwinPropertyTests {
  @Test(arguments: [false, true])
  func theDesktopGetsWhatThePadSaysOrWillIfNothingElseHappens(somethingRests: Bool) throws {
    var (hidden, waiting, late) = (0, 0, 0)
    for index in 0..<300 {
      var random = Seed.source("Twins", index)
      var rig = try #require(TwinRig(FingerCounts([3, 4, 5])))
      var most = 0
      for step in 0..<600 {
        Self.act(on: &rig, &random)
        rig.wait(milliseconds: 0)
        if somethingRests, step % 16 == 0 {
          rig.rest((0..<5).filter { _ in random.chance(0.3) })
        }
        let count = rig.pad.ids.count { $0 >= 0 }
        most = count == 0 ? 0 : max(most, count)
        let place = "\(index), step \(step), \(Seed.advice)"
        #expect(rig.twin.faults == [], "\(place)")
        if !rig.twin.palms.isEmpty { hidden += 1 }
        if rig.machine.isLate {
          waiting += 1
          if rig.twin.ids != rig.pad.ids { late += 1 }
          continue
        }
        #expect(rig.twin.places == rig.pad.places, "\(place)")
        #expect(rig.twin.keys == rig.pad.keys, "\(place)")
        #expect(rig.twin.current == rig.pad.current, "\(place)")
        if most < 3, !somethingRests {
          #expect(rig.twin.palms == [], "\(place): fewer than three are hidden")
        }
        if rig.twin.faults != [] || rig.twin.ids != rig.pad.ids { return }
      }
      for slot in rig.pad.slots.indices where rig.pad.slots[slot].id >= 0 { rig.lift(slot) }
      if !rig.pad.keys.isEmpty { rig.press(false) }
      rig.end()
      rig.finish()
      #expect(
        rig.twin.ids.allSatisfy { $0 < 0 } && rig.twin.keys.isEmpty, "\(index), \(Seed.advice)")
      #expect(rig.machine.deadline == nil, "\(index), \(Seed.advice)")
    }
    #expect(hidden > 1000, "hardly anything was ever hidden: \(hidden)")
    #expect(waiting > 1000, "hardly any frame ever waited: \(waiting)")
    #expect(late > 300, "hardly any contact began or ended meanwhile: \(late)")
  }

  private static func act(on rig: inout TwinRig, _ random: inout RandomSource) {
    let slot = Int.random(in: 0..<5, using: &random)
    let isDown = rig.pad.slots[slot].id >= 0
    // nothing waits while a button is held, so it is not held for long
    if !rig.pad.keys.isEmpty, random.chance(0.2) {
      rig.press(false)
      rig.end()
      return
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12:
      if isDown {
        rig.lift(slot)
      } else {
        rig.land(slot, x: Int32.random(in: 0...100, using: &random) * 10)
      }
      rig.end()
    case 12..<80:
      for slot in 0..<5 where rig.pad.slots[slot].id >= 0 {
        rig.move(slot, by: Int32.random(in: -3...12, using: &random))
      }
      rig.end()
    case 80..<84:
      rig.press(rig.pad.keys.isEmpty)
      rig.end()
    case 84..<88: rig.decide(keeps: Bool.random(using: &random))
    case 88..<92: rig.wait(milliseconds: Double.random(in: 1...100, using: &random))
    case 92..<94: rig.allow([FingerCounts([3, 4]), [], FingerCounts([3, 4, 5])][slot % 3])
    case 94..<96:
      // all of them, as at the end of a stroke
      for slot in 0..<5 where rig.pad.slots[slot].id >= 0 { rig.lift(slot) }
      rig.end()
    case _:
      if isDown {
        rig.lift(slot)
        if Bool.random(using: &random) { rig.land(slot, x: 700) }
      }
      rig.lose()
    }
  }

  /// Without the frames in which slots of palms that have lifted become fingers again, and nothing else happens.
  ///
  /// - Parameter twin: What the desktop knew before them, and then what it knows after them.
  private static func withoutRestoring(
    _ events: [EvdevEvent], _ twin: inout PadView
  ) -> [EvdevEvent] {
    var (others, frame): ([EvdevEvent], [EvdevEvent]) = ([], [])
    var (restores, isOther) = (false, false)
    for event in events {
      twin.take(event)
      frame.append(event)
      if event.isReport {
        if !restores || isOther { others += frame }
        frame.removeAll()
        (restores, isOther) = (false, false)
      } else if event.type == .absolute, event.code == AbsoluteAxis.toolType.rawValue {
        let isEmpty = twin.slots[twin.current].id < 0
        if isEmpty, event.value == ToolType.finger { restores = true } else { isOther = true }
      } else if event.type != .absolute || event.code != AbsoluteAxis.slot.rawValue {
        isOther = true
      }
    }
    return others + frame
  }

  /// In the same frames, with the same times: the desktop's pointer, scrolling and clicks are the pad's.
  /// So are strokes of more fingers that no rule wants, but later.
  @Test(arguments: [Pad.medium, .large, .unsized])
  func whatNoRuleWantsIsIdentical(on pad: Pad) throws {
    var (few, many) = (0, 0)
    for strokes in TraceClass.plain {
      for index in 0..<3 {
        var random = Seed.source("Given", index)
        let place = "\(strokes.name) \(index), \(Seed.advice)"
        let trace = strokes.trace(on: pad, index: index, seed: Seed.value)
        var machine = try #require(TwinMachine(of: trace.device))
        var packet: [EvdevEvent] = []
        machine.allow(FingerCounts([3, 4, 5]), into: &packet)
        var (count, most) = (0, 0)
        var (frame, said): ([EvdevEvent], [EvdevEvent]) = ([], [])
        var passed: [EvdevEvent] = []
        let slots = [PadView.Slot](repeating: .init(), count: trace.device.slotCount)
        var twin = PadView(slots: slots)
        for event in trace.events {
          if event.type == .absolute, event.code == AbsoluteAxis.trackingID.rawValue {
            count += event.value < 0 ? -1 : 1
            most = max(most, count)
          }
          frame.append(event)
          guard event.isReport else { continue }
          machine.process(frame, into: &packet)
          said += frame
          frame.removeAll()
          passed += Self.withoutRestoring(packet, &twin)
          packet.removeAll()
          #expect(machine.isLate ? said.starts(with: passed) : passed == said, "\(place)")
          if machine.isUndecided, random.chance(0.1) {
            machine.decide(StrokeVerdict(time: event.time, isKept: false), into: &packet)
          } else {
            machine.advance(to: event.time, into: &packet)
          }
        }
        while let deadline = machine.deadline { machine.advance(to: deadline, into: &packet) }
        passed += Self.withoutRestoring(packet, &twin)
        #expect(passed == said && machine.deadline == nil, "\(place)")
        if most < 3 { few += 1 } else { many += 1 }
      }
    }
    #expect(few > 30 && many > 30, "\(few), \(many)")
  }
}
