import GlissEvents
import GlissGestures
import GlissHotkeys
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
    session.explain { _ in decisions += 1 }
    pinch.run(into: session)
    let once = (kept, removed, touches, decisions)
    #expect(once.0 > 10 && once.1 == once.0 && once.2 > 10 && once.3 > 0)
    for handler in [handler, touchHandler, handler] { handler.remove() }
    pinch.run(into: session)
    #expect((kept, decisions) == (2 * once.0, 2 * once.3))
    #expect((removed, touches) == (once.1, once.2))
  }

  @Test func aHandlerMayRemoveItselfAndOthers() {
    let session = Session()
    var calls: [String] = []
    var (first, third): (HandlerToken?, HandlerToken?)
    first = session.onGesture { _ in
      calls.append("first")
      for handler in [first, third] { handler?.remove() }
    }
    session.onGesture { _ in calls.append("second") }
    third = session.onGesture { _ in calls.append("third") }
    pinch.run(into: session)
    // not even the event that was being reported reaches the third
    #expect(calls.first == "first")
    #expect(calls.count > 10 && calls.dropFirst().allSatisfy { $0 == "second" })
  }

  /// Acts when it is released: an app's object that only a handler owns.
  private final class Owned {
    private let act: () -> Void
    init(_ act: @escaping () -> Void) { self.act = act }
    deinit { act() }
  }

  @Test func deinitializersMayAddAndRemoveHandlers() throws {
    let session = Session()
    let hotkeys = session.named
    let name = Hotkey.Name("test")
    var calls = 0
    let others = [
      session.onGesture { _ in calls += 100 },
      session.addLocalMonitor { _ in
        calls += 100
        return .pass
      },
      hotkeys.onPress(of: name) { calls += 100 },
    ]
    func owned() -> Owned {
      Owned {
        for other in others { other.remove() }
        session.onGesture { _ in calls += 1 }
        session.addLocalMonitor { _ in .pass }
        hotkeys.onPress(of: name) {}
        _ = try? session.registerHotkey("super+k") { _ in }
      }
    }
    func owners() -> [HandlerToken] {
      let owned = (0..<3).map { _ in owned() }
      return [
        session.onGesture { _ in withExtendedLifetime(owned[0]) {} },
        session.addLocalMonitor { _ in withExtendedLifetime(owned[1]) { .pass } },
        hotkeys.onPress(of: name) { withExtendedLifetime(owned[2]) {} },
      ]
    }
    for owner in owners() { owner.remove() }
    _ = hotkeys.onPress(of: name) { [owned = owned()] in withExtendedLifetime(owned) {} }
    hotkeys.removeHandlers(of: name)
    let id = try session.registerHotkey("super+t") { [owned = owned()] _ in
      withExtendedLifetime(owned) {}
    }
    session.unregisterHotkey(id)
    pinch.run(into: session)
    #expect(calls > 10 && calls % 5 == 0)
  }
}
