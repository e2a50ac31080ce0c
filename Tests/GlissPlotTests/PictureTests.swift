import Foundation
import GlissEvents
import GlissGestures
import GlissPlot
import GlissSynthesis
import TestSupport
import Testing

/// The SVG files of strokes.
@Suite struct PictureTests {
  @Test(
    arguments: [
      "medium-pad/drag-converging", "small-pad/pinch-in-symmetric", "unsized-pad/thumb-pointing",
      "touchscreen/tap-drag",
    ])
  func areAsBefore(_ name: String) throws {
    let svg = StrokePicture([try Drawing.recording(name)]).svg
    let file = name.replacing("/", with: "-")
    try Repository.expect("Tests/GlissPlotTests/Golden/\(file).svg", is: svg)
  }

  /// The label at a curve's end shows no dashes, so a still finger needs another colour than a drag.
  @Test func aStillFingerHasItsOwnColour() throws {
    let svg = StrokePicture([try Drawing.recording("medium-pad/drag-converging")]).svg
    #expect(svg.contains("class=\"still d-still ") && !svg.contains("class=\"drag d-still "))
    #expect(svg.contains("class=\"small still\""))
  }

  /// Pads may count more fingers than they have slots.
  @Test func fingersWithoutASlotAreCounted() throws {
    var recording = PlottedRecording(name: "", origin: .zero)
    let device = DeviceID(rawValue: 0)
    for (milliseconds, phase) in [(0.0, Touch.Phase.began), (10, .moved), (20, .ended)] {
      var frame = TouchFrame(time: .zero + .milliseconds(milliseconds), device: device)
      frame.touches.append(
        Touch(
          id: TouchID(device: device, serial: 1), phase: phase, normalizedPosition: .zero,
          position: .zero))
      frame.fingerCount = phase == .moved ? 3 : 1
      recording.note(.touch(frame))
    }
    #expect(try #require(recording.strokes.first).most == 3)
  }

  @Test(arguments: GoldenRecording.all) func areValidAndSayWhatWasDecided(
    _ golden: GoldenRecording
  ) throws {
    let recording = try Drawing.recording(golden.description)
    let texts = try Drawing.texts(of: StrokePicture([recording]).svg)
    for stroke in recording.strokes {
      for gesture in stroke.gestures {
        let words = "\(gesture.latest.kind.spoken) of \(gesture.latest.fingers)"
        #expect(texts.contains { $0.hasPrefix(words) }, "\(words)")
      }
      #expect(stroke.contacts.indices.allSatisfy { texts.contains("finger \($0 + 1)") })
    }
  }

  /// The same values give the same bytes, and nothing is not a number.
  @Test func areDeterministic() throws {
    let name = "medium-pad/drag-converging"
    let (first, second) = (try Drawing.recording(name), try Drawing.recording(name))
    let svg = StrokePicture([first]).svg
    #expect(svg == StrokePicture([second]).svg)
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }

  @Test(
    arguments: [
      "<script>alert(1)</script>", "\" onload=\"alert(1)", "]]></style><script>",
      "a\u{0}b\u{1b}[31m\u{7f}\u{85}",
      "\u{202e}gnp.gnihton\u{2066}", "\u{fffe}\u{ffff}\u{feff}", "&amp;&lt;", "</text>",
      String(repeating: "long ", count: 1000), "",
    ])
  func hostileNamesAreOnlyText(_ name: String) throws {
    let trace = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1)
    var device = trace.device
    device.name = name
    let recording = Drawing.stroke(trace, on: device, name: name)
    let svg = StrokePicture([recording]).svg
    _ = try Drawing.texts(of: svg)
    #expect(!svg.contains("<script") && !svg.contains("onload=\""))
    #expect(
      svg.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(svg.unicodeScalars.allSatisfy { $0.properties.generalCategory != .format })
    let page = PlotPage(recording, grid: SettingsGrid(around: .init(), atMost: 0)).bytes
    let html = String(decoding: page, as: UTF8.self)
    // the page's own two
    #expect(html.components(separatedBy: "<script").count == 3)
    #expect(html.components(separatedBy: "</script").count == 3)
  }

  @Test func aRecordingWithoutTouchesIsAPictureToo() throws {
    let empty = PlottedRecording(name: "empty", origin: .zero)
    let texts = try Drawing.texts(of: StrokePicture([empty]).svg)
    #expect(texts.contains("no finger touched"))
  }

  @Test func onlyTheStrokeAskedForIsDrawn() throws {
    let recording = try Drawing.recording("demo/demo")
    #expect(recording.strokes.count > 3)
    let texts = try Drawing.texts(of: StrokePicture([recording], stroke: 3).svg)
    let titles = texts.filter { $0.contains("stroke ") && $0.contains(" of ") }
    #expect(Set(titles) == ["demo, stroke 3 of \(recording.strokes.count)"])
  }

  @Test func aLongNameLeavesTheNumber() throws {
    let name = String(repeating: "long", count: 50)
    let texts = try Drawing.texts(
      of: StrokePicture([try Drawing.recording("medium-pad/tap-double", called: name)]).svg)
    let number = "…, stroke 2 of 2"
    #expect(texts.contains { $0.count == 90 && $0.hasSuffix(number) }, "\(texts)")
  }

  @Test func palmsThatThePadNamesAreSaidToBePossible() throws {
    var recording = PlottedRecording(name: "", origin: .zero)
    let device = DeviceID(rawValue: 0)
    for (milliseconds, phase) in [(0.0, Touch.Phase.began), (20, .ended)] {
      var frame = TouchFrame(time: .zero + .milliseconds(milliseconds), device: device)
      var touch = Touch(
        id: TouchID(device: device, serial: 1), phase: phase, normalizedPosition: .zero,
        position: .zero)
      touch.isResting = true
      frame.touches.append(touch)
      recording.note(.touch(frame))
    }
    let words = StrokeWords.undecided(try #require(recording.strokes.first))
    #expect(words.contains("as the pad reports (MT_TOOL_PALM)"), "\(words)")
  }

  @Test func twoRecordingsStandSideBySide() throws {
    var careful = GestureConfiguration()
    try careful.set("lead.caution", to: 5)
    let name = "small-pad/pinch-in-symmetric"
    var other = try Drawing.recording(name, called: "B", careful)
    other.settings = "lead.caution=5"
    let svg = StrokePicture([try Drawing.recording(name, called: "A"), other]).svg
    let texts = try Drawing.texts(of: svg)
    #expect(texts.contains("A, stroke 1 of 1") && texts.contains("B, stroke 1 of 1"))
    #expect(texts.contains { $0.contains("with lead.caution=5") })
    #expect(svg.contains("width=\"1800\"") && svg.contains("translate(900 0)"))
    #expect(Self.clips(svg).count == Set(Self.clips(svg)).count)
  }

  private static func clips(_ svg: String) -> [String] {
    svg.matches(of: /clipPath id="([^"]+)"/).map { String($0.1) }
  }
}

/// What is collected from a session.
@Suite struct PlottedStrokeTests {
  /// The curve's last numbers before a decision are those that were decided on.
  @Test(arguments: GoldenRecording.all) func theCurveIsWhatWasDecidedOn(
    _ golden: GoldenRecording
  ) throws {
    for stroke in try Drawing.recording(golden.description).strokes {
      for decision in stroke.decisions
      where decision.fingers >= 2 && decision.timed == nil && decision.rested == nil {
        let here = stroke.evidence.filter { $0.time == decision.time }
        #expect(here.count == 1)
        #expect(here.first?.costs == decision.costs)
        #expect(here.first?.lead == decision.lead && here.first?.needed == decision.needed)
      }
      #expect(zip(stroke.evidence, stroke.evidence.dropFirst()).allSatisfy { $0.time < $1.time })
    }
  }

  /// A recording that is only compared keeps no points, but decides and explains the same.
  @Test(arguments: GoldenRecording.all) func aBriefOneDiffersInItsPointsOnly(
    _ golden: GoldenRecording
  ) throws {
    let whole = try Drawing.recording(golden.description).strokes
    let brief = try Drawing.recording(golden.description, isBrief: true).strokes
    #expect(whole.count == brief.count)
    for (stroke, other) in zip(whole, brief) {
      #expect(other.frames.isEmpty && other.contacts.allSatisfy(\.points.isEmpty))
      #expect(other.comesOut(as: stroke) && other.end == stroke.end)
      #expect(other.contacts.map(\.way) == stroke.contacts.map(\.way))
      #expect(
        other.decisions.map { DecisionSentence.motion($0, in: other) }
          == stroke.decisions.map { DecisionSentence.motion($0, in: stroke) })
    }
  }

  /// Before a decision by lead, no frame had the lead it needed, unless it waited for something else.
  @Test func theLineIsCrossedWhereItIsDecided() throws {
    var checked = 0
    for golden in GoldenRecording.all {
      for stroke in try Drawing.recording(golden.description).strokes {
        guard let decision = stroke.decisions.first, decision.rule == .lead, decision.waited == nil
        else { continue }
        let before = stroke.evidence.filter {
          $0.time < decision.time && $0.fingers == decision.fingers
        }
        #expect(before.allSatisfy { $0.lead < $0.needed }, "\(golden)")
        #expect(decision.lead >= decision.needed)
        checked += 1
      }
    }
    #expect(checked > 5)
  }

  @Test(arguments: GoldenRecording.all) func fingersArePointsOfEachFrameFromLandingToLifting(
    _ golden: GoldenRecording
  ) throws {
    for stroke in try Drawing.recording(golden.description).strokes {
      #expect(stroke.contacts.map(\.first).min() == 0)
      #expect(stroke.contacts.map(\.last).max() == stroke.frames.count - 1)
      for contact in stroke.contacts { #expect(contact.end != nil && contact.points.count > 1) }
    }
  }

  @Test func listeningToTheEvidenceChangesNothing() throws {
    for golden in GoldenRecording.all {
      let gestures = try Drawing.recording(golden.description).strokes.flatMap(\.gestures)
      let plain = try golden.replayed().split(separator: "\n").filter {
        $0.contains("\"phase\":\"began\"") || $0.contains("\"phase\":\"recognized\"")
      }
      #expect(gestures.count == plain.count, "\(golden)")
    }
  }
}

/// What other settings would have changed.
@Suite struct SettingsGridTests {
  private func grid(_ name: String, atMost limit: Int) throws -> (PlottedRecording, SettingsGrid) {
    let drawn = try Drawing.recording(name)
    let base = GestureConfiguration()
    var grid = SettingsGrid(around: base, atMost: limit)
    for variant in grid.variants(of: base) {
      grid.note(variant, try Drawing.recording(name, variant.configuration), against: drawn)
    }
    return (drawn, grid)
  }

  @Test func aChangeIsWhatThatSettingMakes() throws {
    let name = "small-pad/tap-5"
    let (drawn, grid) = try grid(name, atMost: 1000)
    #expect(grid.rows.count == GestureConfiguration.settings.count)
    let row = try #require(grid.rows.first { $0.setting.name == "tap.duration" })
    let change = try #require(row.changes.first)
    var other = GestureConfiguration()
    try other.set("tap.duration", to: row.values[change.value])
    let again = try Drawing.recording(name, other)
    #expect(StrokeWords.summary(again.strokes[change.stroke]) == StrokeWords.summary(change.result))
    #expect(StrokeWords.summary(drawn.strokes[change.stroke]) != StrokeWords.summary(change.result))
  }

  /// Both strokes are taps of one finger, whatever the gap.
  @Test func aDoubleTapIsNotTwoSingleOnes() throws {
    let (_, grid) = try grid("medium-pad/tap-double", atMost: 1000)
    let row = try #require(grid.rows.first { $0.setting.name == "tap.gap" })
    let change = try #require(row.changes.first)
    #expect(change.stroke == 1 && StrokeWords.summary(change.result) == "tap of 1")
  }

  /// With these sizes of motions change, and nothing else.
  @Test func anotherSizeIsNoChange() throws {
    var other = GestureConfiguration()
    try other.set("landing.settle", to: 0)
    let strokes = try Drawing.recording("demo/demo").strokes
    let others = try Drawing.recording("demo/demo", other).strokes
    #expect(strokes.count == others.count)
    #expect(zip(strokes, others).allSatisfy { $0.comesOut(as: $1) })
    #expect(zip(strokes, others).contains { StrokeWords.summary($0) != StrokeWords.summary($1) })
  }

  @Test(arguments: [0, 1, 7, 40, 100, 1000]) func noMoreIsTriedThanMayBe(_ limit: Int) {
    let grid = SettingsGrid(around: GestureConfiguration(), atMost: limit)
    let variants = grid.variants(of: GestureConfiguration())
    #expect(variants.count <= limit)
    #expect(limit == 0 || !variants.isEmpty)
    for row in grid.rows {
      #expect(row.values.contains(row.base) && row.values == row.values.sorted())
      #expect(row.values.allSatisfy(row.setting.range.contains))
    }
  }
}
