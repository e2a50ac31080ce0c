import GlissEvents
import Testing

@testable import GlissGestures

@Suite struct HoldMachineTests {
  typealias Action = HoldMachine.Action

  private func machine() -> HoldMachine {
    var limits = GestureConfiguration().hold
    limits.duration = 500
    limits.movement = 1
    return HoldMachine(limits)
  }

  @Test func fingersThatLieStillHoldUntilOneLifts() {
    var hold = machine()
    #expect(hold.deadline == nil)
    let none = hold.fingersChanged(to: 2, at: .milliseconds(100))
    #expect(none == nil)
    #expect(hold.deadline == .milliseconds(600))
    let still = hold.moved(by: 1)
    #expect(still == nil)
    let early = hold.advance(to: .milliseconds(599))
    #expect(early == nil)
    let began = hold.advance(to: .milliseconds(600))
    #expect(began == Action(phase: .began, fingers: 2))
    #expect(hold.deadline == nil)
    let again = hold.advance(to: .milliseconds(900))
    #expect(again == nil)
    let ended = hold.fingersChanged(to: 1, at: .milliseconds(1000))
    #expect(ended == Action(phase: .ended, fingers: 2))
    // the finger that stays holds anew, and later, being alone
    #expect(hold.deadline == .milliseconds(1900))
  }

  @Test(
    arguments: [(400, nil), (500, Action(phase: .cancelled, fingers: 3))] as [(Int64, Action?)])
  func motionFailsAHoldThatWaitsAndCancelsOneThatHasBegun(
    after: Int64, expected: Action?
  ) {
    var hold = machine()
    _ = hold.fingersChanged(to: 3, at: .zero)
    _ = hold.advance(to: .milliseconds(after))
    let action = hold.moved(by: 1.1)
    #expect(action == expected)
    #expect(hold.deadline == nil)
    let later = hold.advance(to: .milliseconds(9000))
    #expect(later == nil)
  }

  @Test func noFingerHoldsNothing() {
    var hold = machine()
    _ = hold.fingersChanged(to: 1, at: .zero)
    let lifted = hold.fingersChanged(to: 0, at: .milliseconds(100))
    #expect(lifted == nil)
    #expect(hold.deadline == nil)
    let failed = hold.fail()
    #expect(failed == nil)
  }

  @Test func timesAtTheEndOfTimeTrapNothing() {
    var hold = machine()
    _ = hold.fingersChanged(to: 1, at: EventTime(microseconds: .max))
    #expect(hold.deadline == EventTime(microseconds: .max))
    let began = hold.advance(to: EventTime(microseconds: .max))
    #expect(began == Action(phase: .began, fingers: 1))
  }
}
