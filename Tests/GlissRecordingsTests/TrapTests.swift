import GlissEvents
import GlissSession
import Testing

@testable import GlissRecordings

/// What real files hold that a format's description does not mention.
@Suite struct TrapTests {
  static let samples = [Samples.libinput, Samples.evemu, Samples.evtest]

  @Test(arguments: samples)
  func linesMayEndInCarriageReturnAndLineFeed(text: String) {
    let outcome = read(text.replacing("\n", with: "\r\n"))
    #expect(outcome.error == nil)
    #expect(outcome.items == read(text).items)
  }

  @Test(arguments: samples)
  func aByteOrderMarkMayComeFirst(text: String) {
    #expect(read("\u{feff}" + text).items == read(text).items)
  }

  @Test(arguments: samples)
  func aRecordingMayBeCutOffAnywhere(text: String) {
    let whole = read(text)
    let bytes = Array(text.utf8)
    for end in 1..<bytes.count {
      let cut = read(Array(bytes[..<end]))
      // a value may have lost digits, but only the last event's
      let sure = max(0, cut.events.count - 1)
      #expect(cut.events.prefix(sure) == whole.events.prefix(sure), "cut off after \(end) bytes")
      let hasEvents = !cut.events.isEmpty
      if hasEvents { #expect(cut.error == nil, "cut off after \(end) bytes") }
    }
  }

  /// To YAML it ends a line.
  @Test func aCarriageReturnWithinALineIsAnErrorAndNoTrap() {
    let head = "a# libinput record\r\nversion: 1\r\n\nversion: 1\r\n"
    let report = "REPORT (0) ---------- +9msvi"
    let text = head + "nes: 1\r\(report)nes: 1\r\(report)ce vY# li, 53, 5raw0: [1, 2 state\r\n"
    #expect(read(text).error?.line != nil)
  }

  @Test func aTruncatedLastLineIsPassedOverWithAWarning() {
    let text = "N: Pad\nA: 35 0 9 0 0\nE: 1.000001 0003 0035 5\nE: 1.0000"
    let outcome = read(text)
    #expect(outcome.error == nil)
    #expect(outcome.events == [.at(1_000_001, .positionX, 5)])
    let problem = "the last line is incomplete and ignored; everything else is played"
    #expect(outcome.warnings.kept == [RecordingWarning(line: 4, problem)])
  }

  @Test func aWholeLastLineNeedsNoLineFeed() {
    let outcome = read("N: Pad\nA: 35 0 9 0 0\nE: 1.000001 0003 0035 5")
    #expect(outcome.warnings.isEmpty)
    #expect(outcome.events == [.at(1_000_001, .positionX, 5)])
  }

  @Test(arguments: samples)
  func timesThatRepeatJumpOrGoBackAreDelivered(text: String) {
    let again = text + tail(of: text)
    let outcome = read(again)
    let whole = read(text)
    #expect(outcome.error == nil)
    #expect(outcome.events.count > whole.events.count)
    #expect(outcome.warnings.kept.contains { $0.problem.hasPrefix("time goes back by") })
  }

  /// The first event once more, at its old time.
  private func tail(of text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let event = lines.first { line in
      line.hasPrefix("E: ") || line.hasPrefix("Event: ") || line.contains("- [")
    }
    return (text.hasPrefix("# libinput") ? "  - evdev:\n" : "") + (event ?? "") + "\n"
  }

  @Test func warningsStayFewHoweverManyThereAre() {
    var text = "N: Pad\nA: 35 0 9 0 0\n"
    for step in 0..<200 { text += "E: \(step % 2).000000 0003 0035 5\n" }
    let warnings = read(text).warnings
    #expect(warnings.kept.count == RecordingWarnings.capacity)
    #expect(
      warnings.kept[0].description
        == "5: time goes back by 1 s; it stands still until it has caught up")
    #expect(warnings.omitted == 99 - RecordingWarnings.capacity)
  }

  @Test(
    arguments: [
      ("7.951824", "2.048 s; later times go on from there"),
      ("9.987500", "12.5 ms; it stands still until it has caught up"),
    ])
  func aStepBackIsSaidWithWhatFollows(_ time: String, _ words: String) {
    let text = "N: Pad\nA: 35 0 9 0 0\nE: 10.000000 0003 0035 5\nE: \(time) 0003 0035 6\n"
    #expect(read(text).warnings.kept.map(\.problem) == ["time goes back by \(words)"])
  }

  @Test func axesMayLackResolutionFuzzAndFlat() {
    for line in ["A: 35 -10 90", "A: 35 -10 90 0", "A: 35 -10 90 0 0", "A: 35 -10 90 0 0 0"] {
      let outcome = read(line + "\nE: 0.000000 0000 0000 0\n")
      #expect(outcome.devices.first?.axes[.positionX] == AxisRange(minimum: -10, maximum: 90))
    }
    let yaml = Samples.libinput.replacing("53: [0, 3206, 0, 0, 31]", with: "53: [0, 3206, 0, 0]")
    #expect(read(yaml).devices.first?.axes[.positionX]?.resolution == 0)
  }

  @Test func keysRedactedToAAreStillKeys() {
    let text =
      Samples.libinput
      + "  - evdev:\n    - [  2,      0,   1,  30,       1] # EV_KEY / KEY_A                1 (obfuscated)\n"
    #expect(read(text).events.last == .key(.a, 1, at: EventTime(microseconds: 2_000_000)))
  }

  @Test(
    arguments: [
      ("E: 7.5 0003 0035 1", 7_000_005), ("E: 7.000005 3 35 1", 7_000_005),
      ("E: 7.000005999 3 35 1", 7_000_005), ("E: 18446744073709.551615 3 35 1", -1),
      ("E: -0.500000 3 35 1", -500_000), ("E: -1.500000 3 35 1", -1_500_000),
    ] as [(String, Int64)])
  func timesAreWrittenInMoreThanOneWay(line: String, microseconds: Int64) {
    let outcome = read(line + "\n", description: pad)
    #expect(outcome.events == [.at(microseconds, .positionX, 1)])
  }

  @Test func aTimeBeforeTheFirstDevicesIsNegative() {
    // the recorder subtracts unsigned
    let text = Samples.libinput + "  - evdev:\n    - [18446744073709, 551615,   0,   0,       0]\n"
    #expect(read(text).events.last?.time == EventTime(microseconds: -1))
  }

  @Test func valuesMayBePrintedUnsigned() {
    let outcome = read("E: 0.000000 0003 0039 4294967295\n", description: pad)
    #expect(outcome.events == [.at(0, .trackingID, -1)])
  }

  @Test func listsMayBeIndentedInEveryWayYamlAllows() {
    let deeper = Samples.libinput.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("- ") || $0.hasPrefix("  ") ? "    " + $0 : String($0) }
    let text = deeper.joined(separator: "\n")
      .replacing("      version: \"1.22", with: "  version: \"1.22")
      .replacing("      git:", with: "  git:").replacing("      os:", with: "  os:")
    #expect(read(text).events == Samples.libinputEvents)
  }

  @Test func keysMayFollowTheEvents() {
    let text = Samples.libinput + "  quirks:\n  - ModelAppleTouchpad=1\n"
    let outcome = read(text)
    #expect(outcome.error == nil)
    #expect(outcome.events == Samples.libinputEvents)
  }

  @Test(arguments: [Samples.libinput, Samples.twoDevices, Samples.evtest])
  func whatAForumPutsAfterARecordingIsPassedOverWithAWarning(text: String) throws {
    let outcome = read(text + "```\n\nThis is mine.\n")
    #expect(outcome.error == nil)
    #expect(outcome.items == read(text).items)
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(outcome.warnings.kept.map(\.line) == [line, line + 2])
    #expect(outcome.warnings.kept.allSatisfy { $0.problem.hasSuffix("everything else is played") })
    var recording = try Recording(bytes: Array((text + "```\n").utf8))
    try recording.run(into: Session())
    #expect(recording.warnings.map(\.line) == [line])
  }

  @Test(arguments: ["Notes:\n- a list\n---\n      indented\n", "Yours\n-- \nMe\n"])
  func textThatResemblesYamlMayFollowARecording(text: String) {
    let outcome = read(Samples.libinput + text)
    #expect(outcome.error == nil)
    #expect(outcome.items == read(Samples.libinput).items)
    #expect(outcome.warnings.kept.count == text.split(separator: "\n").count)
  }

  @Test func whatIsTypedWhileEvtestPrintsIsPassedOverWithAWarning() {
    let whole = read(Samples.evtest)
    let last = "Event: time 5110340.376000, type 3"
    let alone = read(Samples.evtest.replacing(last, with: "^[[A\n\(last)"))
    let before = read(Samples.evtest.replacing(last, with: "^[[A\(last)"))
    for outcome in [alone, before] {
      #expect(outcome.error == nil)
      #expect(outcome.items == whole.items)
      #expect(outcome.warnings.kept.count == 1)
    }
    #expect(before.warnings.kept.first?.problem == "the text before the event is ignored")
  }

  private static let described =
    "N: Pad\nA: 2f 0 1 0 0 0\nA: 35 0 1000 0 0 10\nA: 36 0 600 0 0 10\n"

  @Test(
    arguments: [
      ("0035 1100\n0035 -100", nil), ("0036 0\n002f 1", nil),
      ("0035 1101\n0035 5000", "5: ABS_MT_POSITION_X 1101 lies outside its range 0…1000"),
      ("0036 9\n0036 -61", "6: ABS_MT_POSITION_Y -61 lies outside its range 0…600"),
      ("002f 7\n002f 2", "5: ABS_MT_SLOT 7 lies outside its range 0…1"),
      ("0039 5\n0039 5\n0039 -1\n002f 1\n0039 5", nil),
      (
        "0039 5\n002f 1\n0039 5\n0000 0000 0\n0039 5\n0000 0000 0",
        "8: ABS_MT_TRACKING_ID 5 is in slots 0 and 1 at once"
      ),
      // within a frame they may change places
      (
        "0039 5\n002f 1\n0039 6\n0000 0000 0\n0039 5\n002f 0\n0039 6\n0000 0000 0", nil
      ),
    ] as [(String, String?)])
  func whatContradictsTheDescriptionIsSaidOnce(_ events: String, _ warning: String?) {
    let lines = events.split(separator: "\n").map { event in
      "E: 1.000000 \(event.hasPrefix("0000") ? "" : "0003 ")\(event)\n"
    }
    let outcome = read(Self.described + lines.joined())
    #expect(outcome.events.count == lines.count)
    #expect(outcome.warnings.kept.count == (warning == nil ? 0 : 1), "\(outcome.warnings.kept)")
    if let warning {
      #expect(outcome.warnings.kept.first?.description.hasPrefix(warning + ": the kernel") == true)
    }
  }

  @Test(
    arguments: [
      ("0 0", "0…0"), ("1000 0", "1000…0"), ("-2147483648 2147483647", "-2147483648…2147483647"),
    ])
  func aRangeThatHoldsNoPositionsIsSaidOnce(_ numbers: String, _ range: String) {
    let device = Self.described.replacing("35 0 1000", with: "35 \(numbers)")
    let outcome = read(device + "E: 1.000000 0003 0035 5\nE: 1.000000 0003 0035 6\n")
    let problem =
      "ABS_MT_POSITION_X has the range \(range), so positions are unknown: the kernel, the hwdb or the description is wrong"
    #expect(outcome.warnings.kept == [RecordingWarning(line: 5, problem)])
  }

  @Test func contactsWithoutSlotsAreSaidOnce() {
    let frame = ["0003 0035 5", "0000 0002 0", "0003 0035 7", "0000 0002 0", "0000 0000 0"]
      .map { "E: 1.000000 \($0)\n" }.joined()
    let slotless = Self.described.replacing("A: 2f 0 1 0 0 0\n", with: "")
    let problem =
      "the device reports contacts without slots (protocol A): only the last one of each frame is followed"
    #expect(read(slotless + frame + frame).warnings.kept == [RecordingWarning(line: 5, problem)])
    #expect(read(Self.described + frame).warnings.isEmpty)
  }

  @Test func manyFramesAtTheSameTimeAreSaidOnce() {
    func frames(_ count: Int, at time: String) -> String {
      String(repeating: "E: \(time) 0003 0035 5\nE: \(time) 0000 0000 0\n", count: count)
    }
    let eight = Self.described + frames(8, at: "1.000000")
    #expect(read(eight + frames(8, at: "1.000001")).warnings.isEmpty)
    let problem =
      "more than 8 frames in a row have the same time, so speeds and durations are unknown"
    let warnings = read(eight + frames(9, at: "1.000000") + frames(9, at: "2.000000")).warnings
    #expect(warnings.kept == [RecordingWarning(line: 22, problem)])
  }

  @Test func afterALossATrackingIdMayComeAgain() {
    let events = [
      "0003 0039 5", "0000 0000 0", "0000 0003 0", "0003 002f 1", "0003 0039 5", "0000 0000 0",
    ]
    let outcome = read(Self.described + events.map { "E: 1.000000 \($0)\n" }.joined())
    #expect(outcome.warnings.isEmpty)
  }
}
