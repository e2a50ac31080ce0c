import Testing

@testable import GlissDevices

@Suite struct AccessAdviceTests {
  private func commands(
    _ reason: RefusedDevice.Reason, _ classes: DeviceClasses = .touchpad, hasLogind: Bool = true
  ) -> [String] {
    var circumstances = Circumstances()
    circumstances.hasLogind = hasLogind
    return circumstances.advice(on: reason, for: classes).flatMap(\.commands)
  }

  private static let stranger = RefusedDevice.Reason.notPermitted(group: "input", isMember: false)

  @Test func theRuleForTouchpadsComesBeforeTheGroup() throws {
    let commands = commands(Self.stranger)
    let rule = try #require(commands.firstIndex { $0.contains("uaccess") })
    let group = try #require(commands.firstIndex { $0.contains("usermod") })
    #expect(rule < group)
    #expect(
      commands[rule]
        == #"echo 'SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_TOUCHPAD}=="1", TAG+="uaccess"' | sudo tee /etc/udev/rules.d/72-gliss-touchpads.rules"#
    )
  }

  /// udev runs its files by name: input devices get their classes in 60, tags are given away in 73.
  @Test(arguments: [DeviceClasses.touchpad, .touchscreen, [.touchpad, .touchscreen]])
  func rulesAreReadBetweenClassesAndSeats(_ classes: DeviceClasses) {
    let files = commands(Self.stranger, classes).filter { $0.contains("uaccess") }
      .compactMap { $0.split(separator: "/").last.map { String($0) } }
    #expect(files.count == classes.rawValue.nonzeroBitCount)
    for file in files {
      #expect(file > "60-input-id.rules" && file < "73-seat-late.rules" && file.hasSuffix(".rules"))
    }
  }

  @Test func noRuleGivesAwayMoreThanWasAskedFor() {
    let touchpads = commands(Self.stranger, [.touchpad, .keyboard, .mouse])
    #expect(!touchpads.contains { $0.contains("TOUCHSCREEN") || $0.contains("KEY") })
    #expect(touchpads.filter { $0.contains("uaccess") }.allSatisfy { $0.contains("TOUCHPAD") })
  }

  @Test func withoutLogindThereIsNobodyToGiveThemTo() {
    let commands = commands(Self.stranger, hasLogind: false)
    #expect(commands == ["sudo usermod -aG input $USER"])
  }

  @Test func nobodyIsAdvisedToJoinTheGroupRoot() {
    for isMember in [false, true] {
      let reason = RefusedDevice.Reason.notPermitted(group: "root", isMember: isMember)
      #expect(!commands(reason).contains { $0.contains("usermod") || $0.contains("sg ") })
      let refused = RefusedDevice(path: "/dev/input/event5", name: "Pad", reason: reason)
      #expect(!refused.description.contains("usermod"))
    }
  }

  @Test func newMembersOfTheGroupAreAdvisedToLogInAgain() {
    var circumstances = Circumstances()
    circumstances.hasLogind = true
    let advice = circumstances.advice(
      on: .notPermitted(group: "input", isMember: true), for: .touchpad)
    #expect(advice.first?.text.contains("log out") == true)
    #expect(!advice.contains { $0.commands.contains { $0.contains("usermod") } })
  }
}
