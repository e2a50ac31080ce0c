import Foundation
import GlissEvents
import GlissRecordings
import GlissSynthesis
import StrokeClasses

/// One trace, to be written as a recording with its truth beside it.
struct Labelled {
  var kind: TraceClass
  var pad: Pad
  var index: Int
  var seed: UInt64
  var motor = MotorModel.Profile.minimumJerk
  var name: String

  /// Writes NAME.yml and NAME.truth.json into the folder; returns the truth in a line of words.
  @discardableResult func write(to folder: String) throws -> String {
    let trace = kind.trace(on: pad, index: index, seed: seed, motor: motor)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let bytes = RecordingWriter.bytes(of: RecordedDevice(trace.device), trace.events)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name).yml"))
    let origin = trace.events.first?.time ?? .zero
    let truth = TruthText(truth: trace.truth, origin: origin)
    try Data(truth.json.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).truth.json"))
    return truth.words
  }
}

/// A trace's truth, for machines and for people. Times are seconds since the recording's first event.
struct TruthText {
  var truth: Truth
  var origin: EventTime

  var json: String {
    var fields = ["\"class\":\"\(truth.className)\""]
    fields.append("\"expected\":[" + truth.expected.map(json(of:)).joined(separator: ",") + "]")
    let tolerated = truth.tolerated.map(\.name).sorted().map { "\"\($0)\"" }
    if !tolerated.isEmpty { fields.append("\"tolerated\":[\(tolerated.joined(separator: ","))]") }
    if let start = truth.strokeStart { fields.append("\"stroke_start\":\(seconds(start))") }
    if let onset = truth.onset { fields.append("\"onset\":\(seconds(onset))") }
    fields.append("\"landed\":\(seconds(truth.landed))")
    fields.append("\"lifted\":\(seconds(truth.lifted))")
    return "{\(fields.joined(separator: ","))}\n"
  }

  private func json(of answer: Truth.Expectation) -> String {
    var fields = ["\"gesture\":\"\(answer.kind.name)\"", "\"fingers\":\(answer.fingers)"]
    if let directions = answer.directions {
      let names = directions.map(\.name).sorted().map { "\"\($0)\"" }
      fields.append("\"directions\":[\(names.joined(separator: ","))]")
    }
    if let sign = answer.scaleSign { fields.append("\"scale\":\"\(sign > 0 ? "out" : "in")\"") }
    if let sign = answer.rotationSign {
      fields.append("\"rotation\":\"\(sign > 0 ? "counterclockwise" : "clockwise")\"")
    }
    if let count = answer.count { fields.append("\"count\":\(count)") }
    if let edge = answer.edge { fields.append("\"edge\":\"\(edge.name)\"") }
    if answer.isAfterTap { fields.append("\"afterTap\":true") }
    return "{\(fields.joined(separator: ","))}"
  }

  /// With six decimals, as everywhere.
  private func seconds(_ time: EventTime) -> String {
    let microseconds = (time - origin).microseconds
    let digits = String(microseconds.magnitude)
    let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    return (microseconds < 0 ? "-" : "") + padded.dropLast(6) + "." + padded.suffix(6)
  }

  /// As `pinch of 2, out` or `nothing`.
  var words: String {
    guard !truth.expected.isEmpty else { return "no gesture" }
    return truth.expected.map { answer in
      var words = "\(answer.kind.name) of \(answer.fingers)"
      if let directions = answer.directions {
        words += " " + directions.map(\.name).sorted().joined(separator: " or ")
      }
      if let sign = answer.scaleSign { words += sign > 0 ? " out" : " in" }
      if let sign = answer.rotationSign {
        words += sign > 0 ? " counter-clockwise" : " clockwise"
      }
      if let count = answer.count { words += count == 1 ? "" : " × \(count)" }
      if let edge = answer.edge { words += " from the \(edge.name)" }
      if answer.isAfterTap { words += " after a tap" }
      return words
    }.joined(separator: ", or ")
  }
}
