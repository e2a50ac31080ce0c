import GlissDevices
import Testing

@testable import gliss_cli

@Suite struct DeviceMenuTests {
  private static let keyboard = FoundDevice(
    path: "/dev/input/event3", name: "A keyboard\u{1b}[31m", classes: [.keyboard, .key])
  private static let pad = FoundDevice(
    path: "/dev/input/event12", name: "A pad", classes: .touchpad)
  private static let odd = FoundDevice(path: "/elsewhere", name: "")

  private let menu = DeviceMenu(of: [keyboard, pad, odd])

  @Test func aLineForEachDeviceBeginsWithItsNumber() {
    #expect(
      menu.lines == [
        "          3  keyboard  A keyboard\u{fffd}[31m", "         12  touchpad  A pad",
        "  elsewhere  other     ",
      ])
  }

  @Test(
    arguments: [
      ("", [pad]), ("  ", [pad]), ("3", [keyboard]), ("12,3", [pad, keyboard]),
      (" 3 , 12 ", [keyboard, pad]), ("3 3", [keyboard]), ("elsewhere", [odd]), ("4", nil),
      ("3,x", nil), ("-3", nil), ("03", nil),
    ])
  func anAnswerPicksByNumber(_ answer: String, _ expected: [FoundDevice]?) {
    #expect(menu.choice(answer) == expected)
  }

  @Test func withoutATouchpadAnEmptyAnswerIsNone() {
    #expect(DeviceMenu(of: [Self.keyboard]).choice("") == nil)
  }
}
