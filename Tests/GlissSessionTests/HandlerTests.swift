import GlissEvents
import GlissGestures
import GlissRecognition
import GlissSession
import GlissSynthesis
import Testing

/// Which handlers are called, and until when.
@Suite struct HandlerTests {
  private let pinch = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1)

  @Test func onGestureReportsWhatAHandlerForGesturesDoes() {
    let session = Session()
    var (all, short) = ([GestureEvent](), [GestureEvent]())
    session.addHandler { if case .gesture(let gesture) = $0 { all.append(gesture) } }
    session.onGesture { short.append($0) }
    pinch.run(into: session)
    #expect(all.count > 10 && short == all)
  }

  @Test func aHandlerThatIsRemovedIsNotCalledAgain() {
    let session = Session()
    var (kept, removed, touches, decisions) = (0, 0, 0, 0)
    let handler = session.onGesture { _ in removed += 1 }
    session.onGesture { _ in kept += 1 }
    let touchHandler = session.addHandler(matching: .touch) { _ in touches += 1 }
    let decisionHandler = session.addDecisionHandler { _ in decisions += 1 }
    pinch.run(into: session)
    let once = (kept, removed, touches, decisions)
    #expect(once.0 > 10 && once.1 == once.0 && once.2 > 10 && once.3 > 0)
    for handler in [handler, touchHandler, decisionHandler, handler] {
      session.removeHandler(handler)
    }
    pinch.run(into: session)
    #expect(kept == 2 * once.0)
    #expect((removed, touches, decisions) == (once.1, once.2, once.3))
  }

  @Test func aHandlerMayRemoveItselfAndOthers() {
    let session = Session()
    var calls: [String] = []
    var (first, third): (HandlerID?, HandlerID?)
    first = session.onGesture { [unowned session] _ in
      calls.append("first")
      for handler in [first, third] { handler.map(session.removeHandler) }
    }
    session.onGesture { _ in calls.append("second") }
    third = session.onGesture { _ in calls.append("third") }
    pinch.run(into: session)
    // the event that was being reported still reaches the third
    #expect(calls.prefix(3) == ["first", "second", "third"])
    #expect(calls.count > 10 && calls.dropFirst(3).allSatisfy { $0 == "second" })
  }
}
