import GlissEvents
import GlissSynthesis
import Testing

/// One line for each value.
@Suite struct DescriptionTests {
  private let device = DeviceID(rawValue: 3)
  private let time = EventTime(microseconds: 1_500_000)

  @Test func valuesAreReadable() {
    let texts: [(Any, String)] = [
      (time, "1.5 s"), (EventInterval.milliseconds(40), "40 ms"),
      (EventInterval.seconds(-2.5), "-2.5 s"), (EventInterval.zero, "0 ms"),
      (Vector2(x: 3.0404, y: -0.0001), "(3.04, 0)"),
      (Translation(millimetres: Vector2(x: 25.4, y: 0)), "(25.4, 0) mm, (72, 0) pt"),
      (device, "device 3"), (HotkeyID(rawValue: 2), "hotkey 2"),
      (TouchID(device: device, serial: 5), "touch 5 of device 3"), (Key.t, "KEY_T"),
      (Modifiers([.leftShift, .rightControl]), "shift+ctrl"),
      (EventMask([.gesture, .lost]), "gesture, lost"),
      (KeyClasses([.media, .function]), "function, media"),
      (Pad.medium.device, "“\(Pad.medium.device.name)”, touchpad of \(Pad.medium.device.size)"),
    ]
    for (value, text) in texts { #expect("\(value)" == text) }
  }

  @Test func eventsAreReadable() throws {
    var key = KeyEvent(
      time: time, device: device, key: .t, state: .down, modifiers: .leftShift)
    key.typed = try #require(KeyText("T"))
    var touch = Touch(
      id: TouchID(device: device, serial: 5), phase: .moved, isResting: true,
      normalizedPosition: .zero, position: Vector2(x: 20.1, y: 30))
    var frame = TouchFrame(time: time, device: device)
    frame.touches.append(touch)
    touch.isResting = false
    frame.touches.append(touch)
    let events: [(InputEvent, String)] = [
      (.key(key), "KEY_T down with shift types “T”"),
      (
        .touch(frame), "touch 5 moved at (20.1, 30) mm, resting; touch 5 moved at (20.1, 30) mm"
      ),
      (
        .button(ButtonEvent(time: time, device: device, button: .leftButton, isDown: false)),
        "BTN_LEFT up"
      ),
      (
        .motion(MotionEvent(time: time, device: device, delta: Vector2(x: 1, y: -2))),
        "moved by (1, -2)"
      ),
      (
        .scroll(ScrollEvent(time: time, device: device, source: .wheel, delta: .zero)),
        "wheel scrolled by (0, 0)"
      ),
      (.device(DeviceEvent(time: time, device: device, change: .added)), "device 3 added"),
      (.lost(LossEvent(time: time, device: device)), "events of device 3 were lost"),
      (
        .hotkey(
          HotkeyEvent(
            time: time, device: device, hotkey: HotkeyID(rawValue: 2), phase: .pressed,
            shouldAct: true)),
        "hotkey 2 pressed"
      ),
    ]
    for (event, text) in events { #expect("\(event)" == text) }
    let (first, _) = events[0]
    #expect("\(GlobalEvent.input(first, device: "Keys"))" == "\(first) on “Keys”")
    #expect("\(GlobalEvent.session(.locked, at: time))" == "the seat is locked")
  }
}
