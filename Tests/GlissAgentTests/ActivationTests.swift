import GlissConfiguration
import GlissEvents
import Testing

@testable import GlissAgent

@Suite struct ActivationTests {
  @Test func anActivationOfNoRuleDoesNothing() {
    let event = GestureEvent(
      time: .zero, device: DeviceID(rawValue: 0), kind: .swipe, phase: .ended, fingers: 3)
    let activation = Activation(time: .zero, rule: 7, moment: .end, cause: .gesture(event))
    #expect(Configuration().actions(of: activation) == [])
  }
}
