import GlissEvents
import Testing

@testable import GlissDevices
@testable import gliss_cli

@Suite struct DeviceMenuTests {
  private static let keyboard = FoundDevice(
    path: "/dev/input/event3", name: "A keyboard\u{1b}[31m", classes: [.keyboard, .key])
  private static let mouse = FoundDevice(
    path: "/dev/input/event4", name: "A mouse", classes: [.mouse])
  private static let screen = FoundDevice(
    path: "/dev/input/event11", name: "A screen", classes: .touchscreen)
  private static let pad = FoundDevice(
    path: "/dev/input/event12", name: "A pad", classes: .touchpad)
  private static let other = FoundDevice(
    path: "/dev/input/event13", name: "Another", classes: .touchpad)
  private static let odd = FoundDevice(path: "/elsewhere", name: "")

  private let menu = DeviceMenu(of: [odd, keyboard, mouse, screen, pad, other])

  @Test func touchpadsComeFirstAndNumbersCountFromOne() {
    #expect(
      menu.lines == [
        "  1  touchpad     A pad", "  2  touchpad     Another", "  3  touchscreen  A screen",
        "  4  keyboard     A keyboard\u{fffd}[31m", "  5  mouse        A mouse",
        "  6  other        ",
      ])
  }

  @Test(
    arguments: [
      ("", [pad]), ("  ", [pad]), ("4", [keyboard]), ("1,4", [pad, keyboard]),
      (" 4 , 1 ", [keyboard, pad]), ("4 4", [keyboard]), ("6", [odd]), ("7", nil), ("0", nil),
      ("4,x", nil), ("-3", nil), ("03", nil),
    ])
  func anAnswerPicksByNumber(_ answer: String, _ expected: [FoundDevice]?) {
    #expect(menu.choice(answer) == expected)
  }

  @Test func withoutATouchpadAnEmptyAnswerIsNone() {
    #expect(DeviceMenu(of: [Self.keyboard]).choice("") == nil)
  }

  @Test func silenceIsSaidOnceAfterFiveSeconds() {
    var silence = SilenceMachine(from: .milliseconds(100))
    #expect(silence.deadline == .milliseconds(5100))
    #expect(silence.advance(to: .milliseconds(5099)) == false)
    #expect(silence.advance(to: .milliseconds(5100)) == true)
    #expect(silence.deadline == nil)
    #expect(silence.advance(to: .milliseconds(50_000)) == false)
  }

  @Test func anEventEndsTheSilence() {
    var silence = SilenceMachine(from: .zero)
    silence.end()
    #expect(silence.deadline == nil)
    #expect(silence.advance(to: .milliseconds(6000)) == false)
  }
}

extension EventTime {
  fileprivate static func milliseconds(_ count: Double) -> EventTime {
    .zero + EventInterval.milliseconds(count)
  }
}
