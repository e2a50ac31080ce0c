import Glibc
import GlissDevices
import GlissEvents
import Synchronization
import TestSupport
import Testing

@testable import GlissFocus

/// An attempt that the test speaks for.
private final class PlayedAttempt: DesktopConnection {
  var report: ((DesktopActor.Outcome) -> Void)?
  func start(_ report: @escaping (DesktopActor.Outcome) -> Void) { self.report = report }
}

@Suite struct DesktopActorTests {
  private static let gone = DesktopFailure.unreachable("/nowhere", code: ENOENT)

  @Test func actionsAreDoneOneAfterTheOther() throws {
    let loop = try InputLoop()
    var attempts: [PlayedAttempt] = []
    var asked: [DesktopAction?] = []
    let actor = try DesktopActor(on: loop) {
      [
        ActionChoice(.sway) { _, action in
          let attempt = PlayedAttempt()
          attempts.append(attempt)
          asked.append(action)
          return attempt
        }
      ]
    }
    var done: [Int] = []
    actor.perform(.window(.close)) { _ in done.append(1) }
    actor.perform(.workspace(.next)) { _ in done.append(2) }
    #expect(asked == [.window(.close)])
    attempts[0].report?(.success(.sway))
    #expect(done == [1])
    #expect(asked == [.window(.close), .workspace(.next)])
    // an attempt that is over reports nothing any more
    attempts[0].report?(.success(.sway))
    #expect(done == [1])
    attempts[1].report?(.success(.sway))
    #expect(done == [1, 2])
  }

  @Test func aDesktopThatIsNotThereLeavesItToTheNext() throws {
    let loop = try InputLoop()
    let second = PlayedAttempt()
    let actor = try DesktopActor(on: loop) {
      [
        ActionChoice(.niri) { _, _ throws(DesktopFailure) in throw Self.gone },
        ActionChoice(.wayland) { _, _ in second },
        ActionChoice(.kwin) { _, _ in PlayedAttempt() },
      ]
    }
    var outcome: DesktopActor.Outcome?
    actor.perform(.window(.close)) { outcome = $0 }
    #expect(outcome == nil)
    second.report?(.failure(.refused("no window has the focus")))
    #expect(outcome == .failure(.refused("no window has the focus")))
  }

  @Test func withoutADesktopTheAdviceIsToStartItInASession() throws {
    let loop = try InputLoop()
    let actor = try DesktopActor(on: loop) {
      [ActionChoice(.niri) { _, _ throws(DesktopFailure) in throw Self.gone }]
    }
    var text = ""
    actor.find { if case .failure(let failure) = $0 { text = failure.description } }
    #expect(text.contains("start gliss in the desktop's session"))
  }

  /// Its advice is the right one only if that desktop is there.
  @Test func missingActionsAreRefusedWithAdviceOnceTheDesktopIsFound() throws {
    let attempt = PlayedAttempt()
    var asked: [DesktopAction?] = []
    let actor = try DesktopActor(on: InputLoop()) {
      [
        ActionChoice(.niri) { _, _ throws(DesktopFailure) in throw Self.gone },
        ActionChoice(.sway) { _, action in
          asked.append(action)
          return attempt
        },
      ]
    }
    var outcome: DesktopActor.Outcome?
    actor.perform(.window(.maximize)) { outcome = $0 }
    #expect(asked == [nil])
    #expect(outcome == nil)
    attempt.report?(.success(.sway))
    guard case .failure(.refused(let text))? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(text.contains("use window: fullscreen"))
  }

  @Test func aSlowDesktopHasALimitedQueue() throws {
    let loop = try InputLoop()
    let actor = try DesktopActor(on: loop) { [ActionChoice(.sway) { _, _ in PlayedAttempt() }] }
    var refused = 0
    for _ in 0...DesktopActor.capacity + 2 {
      actor.perform(.window(.close)) { if case .failure = $0 { refused += 1 } }
    }
    // one is being done, and the queue is full
    #expect(refused == 2)
  }

  /// Each action has its own connection, so a desktop that has restarted is found.
  @Test func hyprlandIsReachedOverItsSocket() throws {
    let requests = Mutex<[String]>([])
    try withExtendedLifetime(requests) {
      let desktop = try FakeDesktop(".socket.sock") { connection in
        let bytes = FakeDesktop.read(connection, upTo: 256)
        let request = String(decoding: bytes, as: UTF8.self)
        requests.withLock { $0.append(request) }
        FakeDesktop.write(
          Array((request.contains("hl.") ? "ok" : "error: use Lua").utf8), to: connection)
      }
      let loop = try InputLoop()
      // a busy machine must not end it
      let actor = try DesktopActor(on: loop, patience: .seconds(3600)) {
        [
          ActionChoice(.hyprland) { loop, action in
            HyprlandAction(action, desktop.folder, on: loop)
          }
        ]
      }
      var outcome: DesktopActor.Outcome?
      for _ in 0..<2 {
        outcome = nil
        actor.perform(.window(.close)) { outcome = $0 }
        try wait(loop) { outcome != nil }
        #expect(outcome == .success(.hyprland))
      }
      let pair = ["dispatch killactive", "dispatch hl.dsp.window.close()"]
      #expect(requests.withLock { $0 } == pair + pair)
    }
  }

  @Test func niriIsReachedOverItsSocket() throws {
    let desktop = try FakeDesktop("niri.sock") { connection in
      let isRight =
        FakeDesktop.read(connection, upTo: 256)
        == Array("{\"Action\":{\"FocusWorkspaceUp\":{}}}\n".utf8)
      FakeDesktop.write(
        Array((isRight ? "{\"Ok\":\"Handled\"}\n" : "{\"Err\":\"no\"}\n").utf8), to: connection)
    }
    let loop = try InputLoop()
    let actor = try DesktopActor(on: loop) {
      [
        ActionChoice(.niri) { loop, action throws(DesktopFailure) in
          try SocketConnection(desktop.path, on: loop, NiriAction(action))
        }
      ]
    }
    var outcome: DesktopActor.Outcome?
    actor.perform(.workspace(.previous)) { outcome = $0 }
    try wait(loop) { outcome != nil }
    #expect(outcome == .success(.niri))
  }
}
