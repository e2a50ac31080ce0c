import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

/// `gliss devices` and `gliss doctor` as users with more and fewer rights, in the test machine (`tools/vm`) only: the
/// tests have seats and udev rules of their own.
@Suite(.serialized, .enabled(if: Live.isInGuest), .timeLimit(.minutes(15)))
struct DoctorTests {
  /// What `gliss` said, and its status.
  struct Answer {
    var status: Int32
    var text: String

    /// The findings of `doctor --format json` about one subject.
    func findings(_ subject: String) throws -> [[String: Any]] {
      let diagnosis = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let findings = try #require(diagnosis?["findings"] as? [[String: Any]])
      return findings.filter { $0["subject"] as? String == subject }
    }
  }

  /// Runs `gliss`, as root or as somebody who has no rights but `groups`.
  private func gliss(_ arguments: String, groups: String? = nil) throws -> Answer {
    let user = groups.map { "setpriv --reuid=nobody --regid=nogroup \($0) " } ?? ""
    return try run("\(user)'\(try Built.gliss().path)' \(arguments)")
  }

  private func run(_ line: String) throws -> Answer {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Answer(
      status: process.terminationStatus, text: String(decoding: output, as: UTF8.self))
  }

  private static func pad(on seat: String) -> Device {
    var device = Pad.medium.device
    device.name = "Pad of \(seat)"
    return device
  }

  private static func keyboard(on seat: String) -> Device {
    Device(name: "Keyboard of \(seat)", keys: Set((1..<100).map { Key(rawValue: $0) }))
  }

  /// A device on a seat of its own, set up by udev; a touchpad where nothing else is said.
  private func plugIn(on seat: String, _ device: Device? = nil) throws -> VirtualDevice {
    let rule = #"SUBSYSTEM=="input", ATTRS{name}=="* of \#(seat)", ENV{ID_SEAT}="\#(seat)""#
    let folder = "/run/udev/rules.d"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data((rule + "\n").utf8).write(to: URL(filePath: "\(folder)/71-\(seat).rules"))
    _ = try run("udevadm control --reload")
    return try VirtualDevice.settled(device ?? Self.pad(on: seat))
  }

  @Test func rootHasAllItNeeds() throws {
    let pad = try plugIn(on: "seat-root")
    defer { pad.close() }
    let answer = try gliss("doctor --seat seat-root --format json")
    #expect(answer.status == 0)
    #expect(try answer.findings("access").first?["verdict"] as? String == "ok")
    #expect(try answer.findings("size").first?["verdict"] as? String == "ok")
    #expect(try answer.findings("grab").first?["verdict"] as? String == "ok")
    let others = try gliss("doctor --seat seat-nobody --format json")
    #expect(others.status == 1 && others.text.contains("gliss doctor --seat seat-root"))
    let table = try gliss("devices --seat seat-root")
    #expect(table.text.contains("Pad of seat-root"))
    #expect(!(try gliss("devices").text.contains("Pad of seat-root")))
    #expect(try gliss("devices --all").text.contains("seat-root"))
  }

  @Test func withoutRightsItSaysWhichAreMissing() throws {
    let pad = try plugIn(on: "seat-poor")
    defer { pad.close() }
    let stranger = try gliss("doctor --seat seat-poor --format json", groups: "--clear-groups")
    #expect(stranger.status == 1)
    #expect(try stranger.findings("access").first?["verdict"] as? String == "problem")
    #expect(stranger.text.contains("group 'input'"))
    let member = try gliss(
      "doctor --seat seat-poor --format json",
      groups: "--groups $(getent group input | cut -d: -f3)")
    #expect(member.status == 0)
    let list = try gliss("devices --seat seat-poor --format json", groups: "--clear-groups")
    #expect(list.status == 0)
    #expect(
      list.text.contains(#""classes":["touchpad"]"#) && list.text.contains(#""readable":false"#))
    #expect(!list.text.contains("size_mm"))
  }

  /// The rule that is printed must be one that works: it is taken from the output as it is.
  @Test func theRuleThatIsPrintedGivesTouchpadsAwayAndNoKeyboard() throws {
    let seat = "seat-given"
    let devices = try [plugIn(on: seat), plugIn(on: seat, Self.keyboard(on: seat))]
    defer { for device in devices { device.close() } }
    try pretendThatNobodySits(at: seat)
    defer {
      // logind's folders mean that it runs, empty or not
      _ = try? run(
        """
        rm -r /etc/udev/rules.d/7?-gliss-* /run/systemd/se*s/{\(seat),c1}
        rmdir --ignore-fail-on-non-empty /run/systemd/{seats,sessions}
        """)
    }
    let before = try gliss("doctor --seat \(seat)", groups: "--clear-groups")
    #expect(before.status == 1)
    let commands = before.text.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.hasPrefix("echo ") || $0.hasPrefix("sudo udevadm") }
    #expect(commands.count == 3)
    for command in commands {
      #expect(try run("mkdir -p /etc/udev/rules.d; sudo() { \"$@\"; }; \(command)").status == 0)
    }
    _ = try run("udevadm settle --timeout=60")
    #expect(try gliss("doctor --seat \(seat)", groups: "--clear-groups").status == 0)
    #expect(try readable(on: seat) == ["touchpad": true, "keyboard": false])
    // behind the file that gives away what is tagged, the rule would do nothing
    _ = try run("cd /etc/udev/rules.d && mv 72-gliss-touchpads.rules 74-gliss-touchpads.rules")
    devices[0].close()
    let late = try plugIn(on: seat)
    defer { late.close() }
    #expect(try readable(on: seat) == ["touchpad": false, "keyboard": false])
  }

  /// Which classes of devices somebody without rights can read.
  private func readable(on seat: String) throws -> [String: Bool] {
    let answer = try gliss("devices --seat \(seat) --format json", groups: "--clear-groups")
    let devices = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [[String: Any]]
    var readable: [String: Bool] = [:]
    for device in try #require(devices) {
      let name = try #require((device["classes"] as? [String])?.first)
      readable[name] = device["readable"] as? Bool
    }
    return readable
  }

  /// What logind would write of a user `nobody` who sits before it.
  private func pretendThatNobodySits(at seat: String) throws {
    let number = try run("id -u nobody").text.filter(\.isNumber)
    for (folder, name, text) in [
      ("seats", seat, "IS_SEAT0=1\nACTIVE=c1\nACTIVE_UID=\(number)\nSESSIONS=c1\n"),
      ("sessions", "c1", "UID=\(number)\nACTIVE=1\nSTATE=active\nTYPE=tty\nSEAT=\(seat)\n"),
    ] {
      let folder = "/run/systemd/\(folder)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }
  }

  @Test func aProcessThatGrabsAPadIsNamed() throws {
    let pad = try plugIn(on: "seat-taken")
    defer { pad.close() }
    // evtest(1) has this as --grab; here it is the ioctl itself
    let program = """
      import fcntl, sys; f = open('\(pad.path)', 'rb'); fcntl.ioctl(f, 0x40044590, 1); print(flush=True); sys.stdin.read()
      """
    let answer = try run(
      """
      coproc python3 -c "\(program)"; read -u ${COPROC[0]}
      '\(try Built.gliss().path)' doctor --seat seat-taken --format json; status=$?
      kill $COPROC_PID; exit $status
      """)
    #expect(answer.status == 1)
    let finding = try #require(try answer.findings("grab").first)
    #expect(finding["verdict"] as? String == "problem")
    #expect((finding["text"] as? String)?.contains("open in python3 (") == true)
    #expect(try gliss("doctor --seat seat-taken").status == 0)
  }

  @Test func aPadThatTouchesSomethingIsLeftAlone() throws {
    let pad = try plugIn(on: "seat-busy")
    defer { pad.close() }
    try pad.write(.key(.touch, 1, at: .zero))
    try pad.write(.report(at: .zero))
    let answer = try gliss("doctor --seat seat-busy --format json")
    #expect(answer.status == 0)
    #expect(try answer.findings("grab").first?["verdict"] as? String == "note")
  }

  @Test func aPadOfUnknownSizeIsSaidToBe() throws {
    var device = Self.pad(on: "seat-size")
    for axis in device.axes.keys { device.axes[axis]?.resolution = 0 }
    let pad = try plugIn(on: "seat-size", device)
    defer { pad.close() }
    let answer = try gliss("doctor --seat seat-size --format json")
    #expect(answer.status == 0)
    #expect(try answer.findings("size").first?["verdict"] as? String == "note")
    #expect(answer.text.contains("measure touchpad-size"))
    let list = try gliss("devices --seat seat-size --format json")
    #expect(list.text.contains(#""size_mm":[100.0,65.0],"size_assumed":true"#))
  }
}
