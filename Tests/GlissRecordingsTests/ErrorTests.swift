import GlissEvents
import Testing

@testable import GlissRecordings

@Suite struct ErrorTests {
  private struct Case: Sendable {
    var text: String
    var line: Int
    var problem: String
    var events: Int
  }

  private static let header = "N: Pad\nA: 35 0 9 0 0\nE: 0.000001 3 35 1\n"
  private static let event =
    "Event: time 0.000001, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 1\n"

  private static let cases = [
    Case(text: header + "E: x\n", line: 4, problem: "its time", events: 1),
    Case(text: header + "E: 1.0 3 zz 1\n", line: 4, problem: "type and code", events: 1),
    Case(text: header + "E: 1.0 3 35\n", line: 4, problem: "its value", events: 1),
    Case(text: header + "E: 1.0 3 35 99999999999\n", line: 4, problem: "32 bits", events: 1),
    Case(text: header + "E: 1.0 33333 35 1\n", line: 4, problem: "type and code", events: 1),
    Case(
      text: header + "E: 1.0 3 35 1 junk\n", line: 4, problem: "after the last number", events: 1),
    Case(text: header + "Q: 1\n", line: 4, problem: "not a line of an evemu recording", events: 1),
    Case(
      text: header + "E: 9223372036854775807.0 3 35 1\n", line: 4, problem: "its time", events: 1),
    Case(text: header + "N: Pad\n", line: 4, problem: "another recording", events: 1),
    Case(text: header + "A: 35 0 99 0 0\n", line: 4, problem: "another recording", events: 1),
    Case(
      text: event + "Input driver version is 1.0.1\n", line: 2, problem: "another recording",
      events: 1),
    Case(text: "BZh91AY&SY\n\u{1}\n", line: 1, problem: "the file is compressed", events: 0),
    Case(
      text: "$ libinput debug-events\n-event3   DEVICE_ADDED   Pad\n event7   POINTER_MOTION  1\n",
      line: 1, problem: "a log of libinput debug-events", events: 0),
    Case(text: "-event3 is no log\n", line: 1, problem: "not a recording", events: 0),
    Case(text: "box:\n    version: 1\n", line: 1, problem: "not a recording", events: 0),
    Case(text: "I\u{0}n\u{0}p\u{0}\n\u{0}", line: 1, problem: "text in UTF-16", events: 0),
    Case(text: "\u{0}I\u{0}n\u{0}p\u{0}\n", line: 1, problem: "text in UTF-16", events: 0),
    Case(text: event + "Event: ti\n" + event, line: 2, problem: "a line of evtest", events: 1),
    Case(
      text: event + "Event: tiEvent: time 1.0, type 0 (0), code 0 (0), value 0\n", line: 2,
      problem: "a line of evtest", events: 1),
    Case(text: event + "34\n" + event, line: 2, problem: "a line of evtest", events: 1),
    Case(
      text: event + "vent: time 1.0, type 3 (EV_ABS), code 57 (ABS), value -1\n" + event, line: 2,
      problem: "a line of evtest", events: 1),
    Case(
      text: event + "-------------- SYN_REPORT\n" + event, line: 2, problem: "a line of evtest",
      events: 1),
    Case(
      text: Samples.libinput + "text\n---\n" + "version: 1\n", line: 54,
      problem: "not a line of a libinput recording", events: 7),
    Case(
      text: Samples.libinput + "text\n- node: /dev/input/event5\n", line: 54,
      problem: "not a line of a libinput recording", events: 7),
    Case(
      text: Samples.libinput + "```\n```\n" + "version: 1\n", line: 54,
      problem: "not a line of a libinput recording", events: 7),
    Case(text: "A: 35 0\n", line: 1, problem: "a minimum and a maximum", events: 0),
    Case(text: "B: 01 1ff\n", line: 1, problem: "bytes as hexadecimal", events: 0),
    Case(text: event + "Event: time 1, type 3\n", line: 2, problem: "its time", events: 1),
    Case(text: event + "Event: time 1.0, typo\n", line: 2, problem: "its type", events: 1),
    Case(
      text: event + "Event: time 1.0, type 3 (EV_ABS), code 53 (ABS), value x\n", line: 2,
      problem: "its value", events: 1),
    Case(
      text: Samples.libinput + "  - evdev:\n    - [1, 2, 3, 4]\n", line: 55,
      problem: "[seconds, microseconds, type, code, value]", events: 7),
    Case(
      text: Samples.libinput + "  - evdev:\n    - [1, 2, 3, 65536, 1]\n", line: 55,
      problem: "[seconds, microseconds, type, code, value]", events: 7),
    Case(
      text: Samples.libinput + "  - evdev:\n    - [9223372036854775807, 0, 0, 0, 0]\n", line: 55,
      problem: "64 bits", events: 7),
    Case(
      text: Samples.libinput + "  - evdev:\n    - [-9223372036854, -999999, 0, 0, 0]\n", line: 55,
      problem: "64 bits", events: 7),
    Case(
      text: Samples.libinput + "  - evdev:\n    nonsense\n", line: 55,
      problem: "not an event of a device", events: 7),
    Case(
      text: Samples.libinput + "  - evdev: [[0, 0, 0, 0, 0]]\n", line: 54,
      problem: "one to a line", events: 7),
    Case(
      text: Samples.libinput.replacing("[0, 4, 0, 0, 0]", with: "[0, x, 0, 0, 0]"), line: 22,
      problem: "an axis needs a number", events: 0),
    Case(
      text: Samples.libinput.replacing("absinfo:", with: "absinfo: {"), line: 19,
      problem: "did not find", events: 0),
    Case(text: "version: 1\nndevices: 1\n", line: 1, problem: "describes no device", events: 0),
  ]

  @Test(arguments: cases.indices)
  func badInputSaysWhereAndWhatAfterAllBeforeItWasDelivered(index: Int) throws {
    let example = Self.cases[index]
    let outcome = read(example.text, description: pad)
    let error = try #require(outcome.error, "\(example.text.suffix(80))")
    #expect(error.line == example.line)
    #expect(error.problem.contains(example.problem), "\(error)")
    #expect(outcome.events.count == example.events)
  }

  @Test(arguments: [[0xff, 0xfe], [0xfe, 0xff]] as [[UInt8]])
  func textInUTF16GetsTheCommandThatConvertsIt(mark: [UInt8]) {
    let error = read(mark + [0x23, 0, 0x0a, 0]).error
    #expect(error?.advice == "convert it: iconv -f UTF-16 -t UTF-8 FILE | gliss replay -")
  }

  @Test(arguments: ["> ", ">", "> > ", "    "], [Samples.libinput, Samples.evemu, Samples.evtest])
  func aQuotedRecordingGetsTheCommandThatUnquotesIt(prefix: String, text: String) {
    let lines = text.split(separator: "\n").map { prefix + $0 }
    let error = read(lines.joined(separator: "\n")).error
    #expect(error?.problem == "the lines of the recording begin with \"\(prefix)\"")
    #expect(error?.advice == "remove that: sed 's/^\(prefix)//' FILE | gliss replay -")
  }

  @Test func aLineWithoutAnEndIsRefused() {
    var bytes = Array("E: 0.0 3 35 1\nE: ".utf8)
    bytes += [UInt8](repeating: 0x31, count: RecordingReader.longestLine + 1)
    let outcome = read(bytes, description: pad)
    #expect(outcome.error?.line == 2)
  }

  @Test func aHeadWithoutAnEndIsRefused() {
    var text = "version: 1\ndevices:\n"
    while text.utf8.count <= LibinputReader.largestHead { text += "# and on and on and on\n" }
    #expect(read(text).error?.problem.contains("longer than") == true)
  }
}
