import Foundation
import Testing

/// `gliss devices` and `gliss doctor`, on whatever machine this is: most that run tests have no input devices.
@Suite struct DoctorTests {
  private func array(_ text: String) throws -> [[String: Any]] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  // MARK: devices

  @Test(arguments: [[], ["--all"], ["--seat", "seat0"], ["--seat", "nowhere"]])
  func devicesAreListedInBothFormats(_ arguments: [String]) throws {
    let json = try Command.shell("gliss devices --format json \(arguments.joined(separator: " "))")
    let text = try Command.shell("gliss devices \(arguments.joined(separator: " "))")
    #expect(json.status == 0 && text.status == 0)
    let devices = try array(json.output)
    #expect(devices.isEmpty == json.errors.contains("there are no input devices"))
    #expect(devices.isEmpty == text.output.isEmpty)
    for device in devices {
      let path = try #require(device["path"] as? String)
      #expect(text.output.contains(try #require(path.split(separator: "/").last)))
      #expect((device["readable"] as? Bool == true) == (device["problem"] == nil))
      #expect(device["classes"] is [String] && device["seat"] is String)
    }
  }

  @Test func eachDeviceHasALineOfItsOwn() throws {
    let json = try Command.run("devices", "--all", "--format", "json")
    #expect(json.lines.count { $0.hasPrefix("  {\"path\":") } == (try array(json.output)).count)
  }

  @Test func aSeatThatIsNotThereHasNoDevices() throws {
    let command = try Command.run("devices", "--seat", "seat\u{1b}[31m", "--format", "json")
    #expect(command.status == 0 && command.output == "[]\n")
    #expect(command.errors.contains("gliss doctor"))
    #expect(!command.errors.contains("\u{1b}"))
  }

  // MARK: doctor

  @Test func theDoctorSaysTheSameInBothFormats() throws {
    let json = try Command.run("doctor", "--format", "json")
    let text = try Command.run("doctor")
    let diagnosis = try object(json.output)
    let isReady = try #require(diagnosis["ready"] as? Bool)
    #expect(json.status == (isReady ? 0 : 1) && text.status == json.status)
    #expect(json.errors == "" && text.errors == "")
    let summary = try #require(diagnosis["summary"] as? String)
    let end = text.output.components(separatedBy: "\n\n").last ?? ""
    #expect(end.split(separator: "\n").joined(separator: " ") == summary)
    for finding in try #require(diagnosis["findings"] as? [[String: Any]]) {
      let subject = try #require(finding["subject"] as? String)
      #expect(["ok", "note", "problem"].contains(finding["verdict"] as? String))
      #expect((finding["text"] as? String)?.isEmpty == false)
      #expect(finding["advice"] is [[String: Any]])
      #expect(text.lines.contains { $0.contains("  \(subject)") })
    }
  }

  @Test func onASeatThatIsNotThereNothingIsRecognized() throws {
    let command = try Command.run("doctor", "--seat", "nowhere", "--format", "json")
    #expect(command.status == 1)
    let diagnosis = try object(command.output)
    #expect(diagnosis["seat"] as? String == "nowhere")
    let findings = try #require(diagnosis["findings"] as? [[String: Any]])
    let subjects = Set(findings.compactMap { $0["subject"] as? String })
    #expect(
      subjects.isSuperset(of: ["kernel", "udev", "libinput", "session", "devices", "layout"]))
    let devices = findings.first { $0["subject"] as? String == "devices" }
    #expect(devices?["verdict"] as? String == "problem")
  }

  @Test(
    arguments: [
      ("us:intl", [:], "--layout"), ("", ["XKB_DEFAULT_LAYOUT": "us"], "XKB_DEFAULT_LAYOUT"),
      ("nowhere", [:], "no such layout"),
    ])
  func theDoctorSaysWhereTheLayoutIsFrom(
    _ layout: String, _ environment: [String: String], _ word: String
  ) throws {
    let command =
      layout.isEmpty
      ? try Command.run("doctor", environment: environment)
      : try Command.run("doctor", "--layout", layout, environment: environment)
    let words = command.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(word))
    #expect(command.status < 2)
  }
}
