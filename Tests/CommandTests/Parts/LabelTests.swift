import GlissEvents
import GlissRecordings
import GlissSession
import GlissSynthesis
import Testing

@testable import gliss_cli

/// Strokes with labels: `gliss record --label`.
@Suite struct LabelTests {
  private static func events(from start: Double) -> [EvdevEvent] {
    let trace = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1)
    // the stroke before it has ended in another slot
    let first = EvdevEvent.absolute(.slot, 0, at: trace.events.first?.time ?? .zero)
    return ([first] + trace.events).map { event in
      var event = event
      event.time = event.time + .milliseconds(start)
      return event
    }
  }

  @Test func aStrokeEndsWhenAllFingersHaveBeenUpForAWhile() throws {
    var machine = LabelMachine()
    let events = Self.events(from: 1000)
    #expect(machine.deadline == nil)
    for event in events {
      #expect(machine.advance(to: event.time) == nil)
      machine.take(event)
    }
    let due = try #require(machine.deadline)
    #expect(machine.advance(to: due + .milliseconds(-1)) == nil)
    let taken = machine.advance(to: due)
    let stroke = try #require(taken)
    #expect(stroke.first?.time == .zero)
    #expect(machine.deadline == nil && machine.advance(to: due) == nil)
  }

  /// Each stroke of a session is recognized as it would be in one recording, and by itself.
  @Test func eachStrokeIsARecordingOfItsOwn() throws {
    var machine = LabelMachine()
    let trace = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1)
    for start in [0.0, 5000, 10000] {
      for event in Self.events(from: start) { machine.take(event) }
      let due = try #require(machine.deadline)
      let taken = machine.advance(to: due)
      let stroke = try #require(taken)
      let bytes = RecordingWriter.bytes(
        of: RecordedDevice(trace.device), stroke, label: "pinch-out")
      #expect(RecordingLabel.found(in: bytes) == "pinch-out")
      let gestures: [GestureEvent] = try Recording(bytes: bytes).gestures()
      #expect(gestures.last?.kind == .pinch && gestures.last?.phase == .ended)
      #expect(gestures.filter { $0.phase == .began }.count == 1)
    }
  }

  /// The kernel does not repeat a position when a finger lands where another one was.
  @Test func aStrokeHasPositionsThatWereReportedBefore() throws {
    var machine = LabelMachine()
    func tap(_ identifier: Int32, at milliseconds: Double, _ position: [(AbsoluteAxis, Int32)]) {
      let (down, up) = (
        EventTime.zero + .milliseconds(milliseconds),
        EventTime.zero + .milliseconds(milliseconds + 50)
      )
      machine.take(.absolute(.trackingID, identifier, at: down))
      for (axis, value) in position { machine.take(.absolute(axis, value, at: down)) }
      machine.take(.key(.touch, 1, at: down))
      machine.take(.report(at: down))
      machine.take(.absolute(.trackingID, -1, at: up))
      machine.take(.key(.touch, 0, at: up))
      machine.take(.report(at: up))
    }
    tap(1, at: 0, [(.positionX, 700), (.positionY, 400)])
    _ = machine.advance(to: .zero + .milliseconds(1000))
    // only y is different
    tap(2, at: 2000, [(.positionY, 410)])
    let taken = machine.advance(to: .zero + .milliseconds(3000))
    let stroke = try #require(taken)
    let device = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1).device
    let recorded = RecordingWriter.bytes(of: RecordedDevice(device), stroke, label: "tap1x1")
    var touches: [Touch] = []
    let session = Session()
    session.addHandler(matching: .touch) { event in
      if case .touch(let frame) = event {
        touches += frame.touches.indices.map { frame.touches[$0] }
      }
    }
    var recording = try Recording(bytes: recorded)
    try recording.run(into: session)
    let first = try #require(touches.first)
    let range = try #require(device.axes[.positionX])
    let x = Double(700 - range.minimum) / Double(range.maximum - range.minimum)
    #expect(abs(first.normalizedPosition.x - x) < 0.001, "\(first)")
  }

  @Test func theSecondOfTwoTapsBelongsToTheStroke() throws {
    var machine = LabelMachine()
    func press(_ value: Int32, at milliseconds: Double) {
      let time = EventTime.zero + .milliseconds(milliseconds)
      machine.take(EvdevEvent(time: time, type: .key, code: Key.touch.rawValue, value: value))
      machine.take(.report(at: time))
    }
    press(1, at: 0)
    press(0, at: 80)
    press(1, at: 300)
    #expect(machine.deadline == nil)
    press(0, at: 380)
    let taken = machine.advance(to: .zero + .milliseconds(2000))
    let stroke = try #require(taken)
    #expect(stroke.count { $0.type == .key } == 4)
  }

  @Test(
    arguments: [
      ("version: 1\n# gliss label: tap1x1\n", nil), ("# libinput record\n", nil), ("", nil),
      ("# libinput record\n# gliss label: tap2x1\nversion: 1\n", "tap2x1"),
    ] as [(String, String?)])
  func aLabelStandsAtTheBeginning(_ text: String, _ label: String?) {
    #expect(RecordingLabel.found(in: Array(text.utf8)) == label)
  }

  @Test func labelsAreThoseThatAreScored() {
    let labels = LabelledStroke.all.map(\.label)
    #expect(Set(labels).count == labels.count)
    #expect(labels.allSatisfy { !$0.contains("/") && !$0.contains(" ") })
  }
}
