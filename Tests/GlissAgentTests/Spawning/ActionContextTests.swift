import GlissEvents
import GlissHotkeys
import Testing

@testable import GlissAgent
@testable import GlissConfiguration

@Suite struct ActionContextTests {
  private func variables(
    _ gesture: GestureEvent, _ moment: Activation.Moment = .end, mode: String? = nil
  ) -> [String] {
    let activation = Activation(time: .zero, rule: 0, moment: moment, cause: .gesture(gesture))
    return ActionContext(
      activation: activation, rule: "r", owner: RuleMember(place: .line(1), member: 0), mode: mode
    ).variables.map { "\($0.name)=\($0.value)" }
  }

  private func gesture(_ kind: GestureKind, _ phase: GesturePhase, _ fingers: Int) -> GestureEvent {
    GestureEvent(
      time: .zero, device: DeviceID(rawValue: 3), kind: kind, phase: phase, fingers: fingers)
  }

  @Test func aSwipeHasItsDirectionTravelAndSpeed() {
    var swipe = gesture(.swipe, .ended, 3)
    swipe.direction = .left
    swipe.direction8 = .upLeft
    swipe.translation.millimetres = Vector2(x: -30, y: -40)
    swipe.velocity = Vector2(x: -3, y: -4)
    #expect(
      variables(swipe, mode: "resize") == [
        "GLISS_GESTURE=swipe", "GLISS_PHASE=ended", "GLISS_FINGERS=3", "GLISS_DIRECTION=left",
        "GLISS_DIRECTION8=upLeft",
        "GLISS_TRANSLATION_X_MM=-30.000", "GLISS_TRANSLATION_Y_MM=-40.000",
        "GLISS_TRAVEL_MM=50.000", "GLISS_SPEED_MM_S=5.000", "GLISS_MOMENT=end",
        "GLISS_MODE=resize",
      ])
  }

  @Test func aPinchHasItsScaleAndItsSteps() {
    var pinch = gesture(.pinch, .changed, 2)
    pinch.scale = 1.25
    pinch.rotation = .pi / 2
    let told = variables(pinch, .back)
    #expect(told.contains("GLISS_SCALE=1.2500"))
    #expect(told.contains("GLISS_ROTATION_DEG=90.00"))
    #expect(told.contains("GLISS_STEP=-1"))
    #expect(told.contains("GLISS_MOMENT=back"))
    #expect(variables(pinch, .forward).contains("GLISS_STEP=1"))
  }

  @Test func aTapHasItsCount() {
    var tap = gesture(.tap, .recognized, 2)
    tap.count = 2
    #expect(
      variables(tap) == [
        "GLISS_GESTURE=tap", "GLISS_PHASE=recognized", "GLISS_FINGERS=2", "GLISS_COUNT=2",
        "GLISS_MOMENT=end",
      ])
  }

  @Test func aHotkeyHasItsText() throws {
    let event = HotkeyEvent(
      time: .zero, device: DeviceID(rawValue: 0), hotkey: HotkeyID(rawValue: 1), phase: .pressed,
      shouldAct: true)
    let activation = Activation(time: .zero, rule: 0, moment: .end, cause: .hotkey(event))
    #expect(
      ActionContext(
        activation: activation, rule: "r", owner: RuleMember(place: .line(1), member: 0),
        hotkey: "super+t"
      ).variables.map { "\($0.name)=\($0.value)" } == [
        "GLISS_HOTKEY=super+t", "GLISS_PHASE=pressed", "GLISS_MOMENT=end",
      ])
  }

  /// Whatever numbers a gesture has, a variable is one line of the characters of numbers and words.
  @Test func noValueIsEverMoreThanANumberOrAWord() {
    for value in [Double.nan, .infinity, -.infinity, 1e300, -0.0] {
      var pinch = gesture(.pinch, .changed, .max)
      pinch.scale = value
      pinch.rotation = value
      pinch.translation.millimetres = Vector2(x: value, y: value)
      pinch.velocity = Vector2(x: value, y: value)
      for entry in variables(pinch) {
        let value = entry.drop { $0 != "=" }.dropFirst()
        #expect(!value.isEmpty, "\(entry)")
        #expect(
          value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) },
          "\(entry)")
      }
    }
  }

  @Test func commandsGetTheAgentsEnvironmentButForWhatIsItsOwn() {
    let environment = CommandEnvironment(environment: [
      "HOME=/home/u", "PATH=/bin", "NOTIFY_SOCKET=/run/x", "GLISS_GESTURE=old", "LANG=C",
      "GLISS_SOCKET=/run/gliss/x", "WATCHDOG_USEC=1", "NOTHING",
    ])
    let command = Command(
      .arguments(["x"]),
      environment: [
        Command.Variable(name: "LANG", value: "de"), Command.Variable(name: "PATH", value: "/opt"),
        Command.Variable(name: "GLISS_FINGERS", value: "9"),
      ])
    var tap = gesture(.tap, .recognized, 2)
    tap.count = 1
    let context = ActionContext(
      activation: Activation(time: .zero, rule: 0, moment: .end, cause: .gesture(tap)), rule: "r",
      owner: RuleMember(place: .line(1), member: 0))
    #expect(
      environment.environment(of: command, on: context) == [
        "GLISS_COUNT=1", "GLISS_FINGERS=2", "GLISS_GESTURE=tap", "GLISS_MOMENT=end",
        "GLISS_PHASE=recognized", "GLISS_SOCKET=/run/gliss/x", "HOME=/home/u", "LANG=de",
        "PATH=/opt",
      ])
    #expect(environment.path(of: command) == "/opt")
    #expect(environment.folders.home == "/home/u")
  }
}
