import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import StrokeClasses
import TestSupport
import Testing

extension LiveTests {
  /// A stroke that is read live and the recording of it give the same gestures.
  @Suite struct LiveEqualsReplayTests {
    private static let recordings = of { !$0.isTouchscreen }
    private static let ofScreens = of { $0.isTouchscreen }

    private static func of(_ kind: (Pad) -> Bool) -> [GoldenRecording] {
      GoldenRecording.all.filter { recording in
        Pad.named.contains { $0.name == recording.folder && kind($0.pad) }
      }
    }

    @Test func thereAreRecordingsOfBothKinds() {
      #expect(Self.recordings.count >= 40)
      #expect(Self.ofScreens.count >= 5)
    }

    /// What a screen reports comes by way of libinput, which has its own idea of rounding and of when a frame is over.
    @Test(arguments: ofScreens) func aRecordingOfAScreenGivesItsGestures(
      recording: GoldenRecording
    ) throws {
      let stroke = try PlayedStroke(recording)
      let outcome = try stroke.played()
      let live = WholeGesture.all(in: outcome.gestures)
      let replayed = WholeGesture.all(in: try outcome.raw.replayed())
      #expect(live.map(\.description) == replayed.map(\.description), "\(recording)")
      let origin = outcome.raw.events.first?.time ?? .zero
      for (live, replayed) in zip(live, replayed) {
        let difference = live.difference(
          from: replayed, live: origin, recorded: origin, patience: Self.frame, frames: 0)
        #expect(difference == nil, "\(recording), \(replayed)")
      }
    }

    /// Of a screen with 60 reports a second, in ms.
    private static let frame = 17.0

    @Test(arguments: recordings) func aRecordingPlayedLiveGivesItsGestures(
      recording: GoldenRecording
    ) throws {
      let stroke = try PlayedStroke(recording)
      let outcome = try stroke.played()
      Self.expectTheSameEvents(outcome.raw, stroke, "\(recording)")
      try Self.expectTheReplay(outcome, "\(recording)")
      Self.expectTheSameGestures(outcome, as: stroke, try stroke.replayed(), "\(recording)")
    }

    @Test(arguments: 0..<8) func aRandomStrokePlayedLiveGivesItsGestures(index: Int) throws {
      var random = Seed.source("live", index)
      let trace = Self.randomTrace(&random)
      let what = "\(trace.truth.className) on \(trace.device.name), \(Seed.advice)"
      let stroke = PlayedStroke(device: trace.device, events: trace.events)
      let outcome = try stroke.played()
      Self.expectTheSameEvents(outcome.raw, stroke, what)
      try Self.expectTheReplay(outcome, what)
    }

    /// A trace of any class, on any touchpad.
    private static func randomTrace(_ random: inout RandomSource) -> Trace {
      let positions: [AbsoluteAxis] = [.x, .y, .positionX, .positionY]
      while true {
        let kind = random.pick(TraceClass.all)
        let pad = random.pick(kind.pads)
        let trace = kind.trace(on: pad, index: 0, seed: random.next())
        // a new device's axes are at 0, and who lands there is not told of
        let isTold = trace.events.allSatisfy { event in
          event.type != .absolute || event.value != 0
            || !positions.contains(AbsoluteAxis(rawValue: event.code))
        }
        if isTold && !pad.isTouchscreen { return trace }
      }
    }

    /// The kernel tells only what changes: nothing is told of the place of a finger that lands where another left.
    @Test func aFingerLandsWhereAnotherLeftBeforeTheReaderCame() throws {
      let device = SampleDevice.pad.device
      let plugged = try VirtualDevice.settled(device)
      let kernel = try KernelEvents(plugged.path)
      _ = try plugged.played(Self.tap(identifier: 1), to: kernel)
      let reader = try LiveReader(plugged.path)
      let raw = try plugged.played(Self.tap(identifier: 2), to: kernel)
      #expect(!raw.contains { $0.code == AbsoluteAxis.positionX.rawValue })
      try reader.wait(until: try #require(raw.last).time)
      let places = try reader.stop().compactMap { event -> Vector2? in
        if case .gesture(let gesture) = event { gesture.centroid } else { nil }
      }
      #expect(places == [Vector2(x: 0.25, y: 0.75)])
    }

    private static func tap(identifier: Int32) -> [EvdevEvent] {
      let (down, up) = (EventTime.zero, EventTime(microseconds: 60_000))
      return [
        .absolute(.trackingID, identifier, at: down), .absolute(.positionX, 250, at: down),
        .absolute(.positionY, 750, at: down), .key(.touch, 1, at: down),
        .key(.toolFinger, 1, at: down), .report(at: down),
        .absolute(.trackingID, -1, at: up), .key(.touch, 0, at: up), .key(.toolFinger, 0, at: up),
        .report(at: up),
      ]
    }

    /// The kernel passes on what is played, and only the times are its own.
    private static func expectTheSameEvents(
      _ raw: PlayedStroke, _ stroke: PlayedStroke, _ what: String
    ) {
      let isSame = raw.events.map { $0.at(.zero) } == stroke.events.map { $0.at(.zero) }
      #expect(isSame, "\(what): other events came out of the kernel than were played")
    }

    /// With the kernel's times there is nothing left that may differ: what was told live is what a recording of the same
    /// events gives, to the last byte.
    private static func expectTheReplay(_ outcome: PlayedStroke.Outcome, _ what: String) throws {
      func text(_ gestures: [GestureEvent]) -> String {
        GestureLines.text(
          gestures, from: outcome.raw.events.first?.time ?? .zero, file: "",
          device: outcome.raw.device.name)
      }
      let replayed = text(try outcome.raw.replayed())
      let live = text(outcome.gestures)
      if live != replayed {
        Issue.record("\(what):\n\(SideBySide.text(expected: replayed, got: live))")
      }
    }

    /// With times of its own the kernel may move a decision, or what counts as the fingers' leaving, by a frame: all that
    /// has no time in it is the same, and numbers differ by no more than a frame's motion.
    private static func expectTheSameGestures(
      _ outcome: PlayedStroke.Outcome, as stroke: PlayedStroke, _ expected: [GestureEvent],
      _ what: String
    ) {
      let live = WholeGesture.all(in: outcome.gestures)
      let recorded = WholeGesture.all(in: expected)
      #expect(live.map(\.description) == recorded.map(\.description), "\(what)")
      guard let origin = outcome.raw.events.first?.time, let start = stroke.events.first?.time
      else { return }
      for (live, recorded) in zip(live, recorded) {
        let difference = live.difference(from: recorded, live: origin, recorded: start)
        #expect(difference == nil, "\(what), \(recorded)")
      }
    }
  }
}
