import Glibc
import GlissEvents
import Testing

@testable import GlissDevices

/// What is wrong with a laptop, and what must be said of it.
struct Ailment: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var subject: Finding.Subject
  var verdict: Finding.Verdict
  /// What the finding or its advice says, among other things.
  var words: [String]
  var isReady: Bool
  var change: @Sendable (inout Circumstances) -> Void

  init(
    _ description: String, _ subject: Finding.Subject, _ verdict: Finding.Verdict,
    _ words: [String], isReady: Bool = true,
    _ change: @escaping @Sendable (inout Circumstances) -> Void
  ) {
    testDescription = description
    self.subject = subject
    self.verdict = verdict
    self.words = words
    self.isReady = isReady
    self.change = change
  }
}

extension Finding {
  /// All that is said, in one line.
  var everything: String {
    ([text] + advice.flatMap { [$0.text] + $0.commands }).joined(separator: " ")
  }
}

@Suite struct DiagnosisTests {
  @Test func aLaptopOnWhichAllIsWellIsReady() {
    let diagnosis = Diagnosis(.laptop)
    #expect(diagnosis.isReady)
    #expect(diagnosis.findings.allSatisfy { $0.verdict == .ok })
    #expect(diagnosis.findings.allSatisfy { $0.advice.isEmpty })
    #expect(diagnosis.summary.contains("event5 (Pad)"))
    let subjects = Set(Finding.Subject.allCases).subtracting([.focus, .desktop, .broker, .portal])
    #expect(Set(diagnosis.findings.map(\.subject)) == subjects)
  }

  private func check(_ ailment: Ailment) {
    var circumstances = Circumstances.laptop
    ailment.change(&circumstances)
    let diagnosis = Diagnosis(circumstances)
    let findings = diagnosis.findings.filter {
      $0.subject == ailment.subject && $0.verdict == ailment.verdict
    }
    let said = findings.map(\.everything).joined(separator: "\n")
    #expect(!findings.isEmpty)
    for word in ailment.words { #expect(said.contains(word)) }
    #expect(diagnosis.isReady == ailment.isReady)
    #expect(diagnosis.summary.hasPrefix(ailment.isReady ? "Gestures can" : "No gesture can"))
    #expect(!said.contains("  ") && !said.contains(".."))
  }

  @Test func commandsToTypeAreListedAsCommands() {
    var laptop = Circumstances.laptop
    laptop.pressingFailure = SystemError("/dev/uinput", "No such file", code: ENOENT)
    let advice = Diagnosis(laptop).findings.first { $0.subject == .pressing }?.advice
    #expect(advice?.map(\.commands) == [["sudo modprobe uinput"]])
  }

  @Test(
    arguments: [
      Ailment("no evdev", .kernel, .problem, ["modprobe evdev"], isReady: false) {
        $0.kernel.nodeCount = 0
        $0.devices = []
      },
      Ailment("no uinput", .pressing, .note, ["modprobe uinput"], isReady: true) {
        $0.pressingFailure = SystemError("/dev/uinput", "No such file", code: ENOENT)
      },
      Ailment(
        "a container without nodes", .kernel, .problem, ["container", "--device"], isReady: false
      ) {
        $0.kernel.hasInputFolder = false
        $0.kernel.isContainer = true
        $0.refuse(.missing, to: [.touchpad, .keyboard])
      },
      Ailment("a server", .kernel, .problem, ["no input devices", "plug"], isReady: false) {
        $0.kernel.nodeCount = 0
        $0.kernel.inputCount = 0
        $0.devices = []
      },
      Ailment("no sysfs", .devices, .problem, ["cannot be listed", "mount sysfs"], isReady: false) {
        $0.failure = SystemError("/sys/class", "not there", advice: "mount sysfs on /sys")
        $0.devices = []
      },
      Ailment("udev is not there", .udev, .note, ["plugged in later"]) { $0.isUdevRunning = false },
      Ailment("udev came late", .udev, .problem, ["event5", "udevadm trigger"]) {
        $0.devices[0].found.isInitialized = false
      },
      Ailment("udev never ran", .udev, .problem, ["event3", "start systemd-udevd"]) {
        $0.isUdevRunning = false
        $0.devices[1].found.isInitialized = false
      },
      Ailment("no logind", .session, .note, ["logind does not run"]) { $0.hasLogind = false },
      Ailment("a service", .session, .note, ["no login"]) { $0.login = nil },
      Ailment("ssh", .session, .note, ["session 2", "network"]) { $0.login?.isRemote = true },
      Ailment("another user is active", .session, .note, ["not the active one"]) {
        $0.login?.isActive = false
      },
      Ailment("a login without a seat", .session, .note, ["has no seat"]) { $0.login?.seat = nil },
      Ailment("a login elsewhere", .session, .note, ["--seat seat1"]) { $0.login?.seat = "seat1" },
      Ailment("an unknown layout", .layout, .problem, ["'xx'", "base.lst", "XKB_DEFAULT_LAYOUT"]) {
        let error = SystemError("keyboard layout 'xx'", "unknown", advice: "base.lst lists them")
        $0.layout = .unusable(.environment, error)
      },
      Ailment(
        "two layouts", .layout, .note, ["English and Greek", "cannot be read", "600 ms, 25 times"]
      ) {
        $0.layout = .found(
          KeyboardLayout(layout: "us,gr"), .locale1, groups: ["English", "Greek"])
      },
    ])
  func theSystem(_ ailment: Ailment) { check(ailment) }

  @Test(
    arguments: [
      Ailment("no touch device", .devices, .problem, ["only 1 keyboard"], isReady: false) {
        $0.devices.removeFirst()
      },
      Ailment(
        "another seat has one", .devices, .problem, ["gliss doctor --seat seat7"], isReady: false
      ) {
        $0.devices[0].found.seat = "seat7"
      },
      Ailment(
        "not in the group", .access, .problem, ["event5 (Pad)", "'input'", "uaccess"],
        isReady: false
      ) {
        $0.isRoot = false
        $0.refuse(.notPermitted(group: "input", isMember: false), to: .touchpad)
      },
      Ailment("joined since", .access, .problem, ["log out", "sg input"], isReady: false) {
        $0.isRoot = false
        $0.refuse(.notPermitted(group: "input", isMember: true), to: .touchpad)
      },
      Ailment("a unit with DevicePolicy", .access, .problem, ["DeviceAllow"], isReady: false) {
        $0.refuse(.notAllowedHere, to: .touchpad)
      },
      Ailment("one of two", .access, .problem, ["event6 (Screen) cannot"]) {
        $0.devices.append(.screen())
        $0.refuse(.notPermitted(group: "input", isMember: false), to: .touchscreen)
      },
      Ailment("keyboards for nobody", .keyboards, .note, ["cannot be read", "hotkeys"]) {
        $0.refuse(.notPermitted(group: "input", isMember: false), to: .keyboard)
      },
      Ailment(
        "keyboards for all programs", .keyboards, .note, ["all your programs", "gpasswd -d"]
      ) {
        $0.isRoot = false
      },
      Ailment(
        "the pad is taken", .grab, .problem, ["event5", "keyd (77)", "synaptics"], isReady: false
      ) {
        $0.devices[0].grab = .taken
        $0.devices[0].holders = [.init(name: "keyd", process: 77)]
      },
      Ailment("taken by somebody", .grab, .problem, ["root can see which"], isReady: false) {
        $0.isRoot = false
        $0.devices[0].grab = .taken
      },
      Ailment("the keyboard is taken", .grab, .note, ["event3", "passes them on"]) {
        $0.devices[1].grab = .taken
      },
      Ailment("a finger lies there", .grab, .note, ["event5", "not tried"]) {
        $0.devices[0].grab = .busy
      },
      Ailment(
        "the pad has no size", .size, .note,
        ["100 × 65 mm", "touchpad-size", "systemd-hwdb update"]
      ) {
        $0.devices[0] = .pad(resolution: 0)
      },
      Ailment("the screen has no size", .size, .note, ["3200 by 3200 units", "EVDEV_ABS_00"]) {
        $0.devices[0] = .screen(resolution: 0)
      },
      Ailment("the pad has no extent", .size, .problem, ["no positions"], isReady: false) {
        $0.devices[0] = .pad(end: 0)
      },
      Ailment("libinput does not support it", .access, .problem, ["libinput"], isReady: false) {
        $0.devices[0] = .screen()
        $0.devices[0].isAccepted = false
      },
      Ailment("two slots", .slots, .note, ["2 fingers apart", "counted"]) {
        $0.devices[0] = .pad(slots: 2)
      },
      Ailment("two slots and no count", .slots, .note, ["2 fingers apart", "not noticed"]) {
        $0.devices[0] = .pad(slots: 2, keys: [.toolFinger])
      },
      Ailment("one finger", .slots, .note, ["one finger only"]) { $0.devices[0] = .pad(slots: 1) },
      Ailment("semi-mt", .slots, .note, ["box around two fingers"]) {
        $0.devices[0] = .pad(slots: 2, properties: [.pointer, .semiMultitouch])
      },
    ])
  func theDevices(_ ailment: Ailment) { check(ailment) }

  @Test func otherReadersAreNoProblem() throws {
    var laptop = Circumstances.laptop
    laptop.devices[0].holders = [
      .init(name: "logind", process: 2), .init(name: "sway", process: 9),
    ]
    laptop.devices[1].holders = laptop.devices[0].holders
    let finding = try #require(Diagnosis(laptop).findings.first { $0.subject == .grab })
    #expect(finding.verdict == .ok)
    #expect(finding.text.hasSuffix("; open in logind (2), sway (9)"))
  }

  @Test(arguments: [
    (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"), ([], ""),
  ])
  func namesAreListedAsPeopleDo(_ names: [String], _ text: String) {
    #expect(listed(names) == text)
  }
}
