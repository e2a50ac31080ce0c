import GlissEvents
import Testing

@testable import GlissGestures

@Suite struct TypingMachineTests {
  /// 100 ms after a key, 300 ms after several.
  private func machine(disables: Double = 1) -> TypingMachine {
    var limits = GestureConfiguration().typing
    limits.disables = disables
    limits.afterKey = 100
    limits.afterKeys = 300
    return TypingMachine(limits)
  }

  @Test func aKeyHoldsForAShortTimeAndSeveralForALongerOne() {
    var typing = machine()
    func press(_ time: Int64) { _ = typing.pressed(.a, with: [], at: .milliseconds(time)) }
    func isTyping(_ time: Int64) -> Bool { typing.isTyping(at: .milliseconds(time)) }
    #expect(!isTyping(0))
    press(1000)
    #expect(isTyping(1000) && isTyping(1099) && !isTyping(1100))
    // over: the next one is the first again
    press(1150)
    #expect(isTyping(1249) && !isTyping(1250))
    press(2000)
    press(2099)
    #expect(isTyping(2398) && !isTyping(2399))
    press(3000)
    press(3050)
    press(3340)
    #expect(isTyping(3639) && !isTyping(3640))
  }

  @Test(
    arguments: [
      ([], true), (.leftShift, true), ([.rightShift, .rightAlt], true), (.leftControl, false),
      (.rightControl, false), (.leftAlt, false), (.leftSuper, false), (.rightSuper, false),
      ([.leftShift, .leftControl], false),
    ] as [(Modifiers, Bool)])
  func commandsAreNoTyping(modifiers: Modifiers, isTyping: Bool) {
    var typing = machine()
    let counts = typing.pressed(.a, with: modifiers, at: .zero)
    #expect(counts == isTyping)
    let after = typing.isTyping(at: .milliseconds(50))
    #expect(after == isTyping)
  }

  /// What a typewriter has.
  @Test(
    arguments: [
      "KEY_1", "KEY_0", "KEY_EQUAL", "KEY_BACKSPACE", "KEY_Q", "KEY_P", "KEY_ENTER", "KEY_A",
      "KEY_GRAVE", "KEY_BACKSLASH", "KEY_Z", "KEY_SLASH", "KEY_SPACE", "KEY_102ND", "KEY_RO",
      "KEY_YEN",
    ])
  func lettersDigitsAndSignsAreTyped(name: String) throws {
    let key = try #require(Key(name: name))
    #expect(key.isTypewritten)
  }

  @Test(
    arguments: [
      "KEY_ESC", "KEY_TAB", "KEY_LEFTSHIFT", "KEY_RIGHTSHIFT", "KEY_LEFTCTRL", "KEY_RIGHTCTRL",
      "KEY_LEFTALT", "KEY_RIGHTALT", "KEY_LEFTMETA", "KEY_CAPSLOCK", "KEY_FN", "KEY_COMPOSE",
      "KEY_KPASTERISK", "KEY_F1", "KEY_F12", "KEY_KP5", "KEY_UP", "KEY_DELETE", "KEY_MUTE",
      "KEY_PLAYPAUSE", "BTN_LEFT",
    ])
  func otherKeysAreNot(name: String) throws {
    let key = try #require(Key(name: name))
    #expect(!key.isTypewritten)
    var typing = machine()
    let counts = typing.pressed(key, with: [], at: .zero)
    #expect(!counts)
  }

  @Test func turnedOffItSaysNothing() {
    var typing = machine(disables: 0)
    let counts = typing.pressed(.a, with: [], at: .zero)
    let isTyping = typing.isTyping(at: .zero)
    #expect(!counts && !isTyping)
  }

  @Test func timesAtTheEndOfTimeTrapNothing() {
    for edge in [Int64.min, .max] {
      var typing = machine()
      _ = typing.pressed(.a, with: [], at: EventTime(microseconds: edge))
      _ = typing.isTyping(at: EventTime(microseconds: .max))
      _ = typing.isTyping(at: EventTime(microseconds: .min))
    }
  }
}

/// Whose palms are over which pad.
@Suite struct TypedOverTests {
  private static func device(_ bus: UInt16, _ vendor: UInt16, _ product: UInt16) -> Device {
    var device = Device.pad()
    device.identifier = Device.Identifier(bus: bus, vendor: vendor, product: product)
    return device
  }

  private static let (usb, bluetooth, ps2, i2c): (UInt16, UInt16, UInt16, UInt16) = (
    0x03, 0x05, 0x11, 0x18
  )

  @Test(
    arguments: [
      (device(ps2, 1, 1), device(i2c, 2, 2), true), (device(0, 0, 0), device(0, 0, 0), true),
      (device(usb, 1, 1), device(i2c, 2, 2), false),
      (device(ps2, 1, 1), device(usb, 2, 2), false),
      (device(bluetooth, 1, 1), device(bluetooth, 1, 2), false),
      (device(bluetooth, 1, 1), device(ps2, 2, 1), false),
      // a keyboard with a pad
      (device(usb, 1, 1), device(usb, 1, 1), true),
      (device(bluetooth, 1, 1), device(bluetooth, 1, 1), true),
      // nobody said who made them
      (device(usb, 0, 0), device(usb, 0, 0), false),
    ])
  func keyboardsAndPads(keyboard: Device, pad: Device, isOver: Bool) {
    #expect(keyboard.isTyped(over: pad) == isOver)
  }

  @Test func onlyTouchpads() {
    let keyboard = Self.device(Self.ps2, 1, 1)
    for kind in [Device.pad(properties: [.direct]), Device(name: "Keys", keys: [.a])] {
      #expect(!keyboard.isTyped(over: kind))
    }
  }
}
