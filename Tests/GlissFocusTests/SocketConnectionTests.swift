import Glibc
import GlissDevices
import GlissEvents
import TestSupport
import Testing

@testable import GlissFocus

@Suite struct SocketConnectionTests {
  private static let start =
    SwayMachineTests.subscribed + swayFrame(4, SwayMachineTests.emptyTree)

  private func watch(_ desktop: FakeDesktop, on loop: InputLoop) throws -> FocusWatch {
    try FocusWatch(on: loop) {
      [
        FocusChoice(.sway) { loop, _ throws(DesktopFailure) in
          try SocketConnection(desktop.path, on: loop, SwayMachine())
        }
      ]
    }
  }

  /// Far more than fits into the socket, so the desktop waits for this reader.
  @Test func aReaderThatWasStalledEndsAtTheRightState() throws {
    let title = String(repeating: "x", count: 2000)
    let desktop = try FakeDesktop("s") { connection in
      FakeDesktop.write(Self.start, to: connection)
      for number in 0..<1000 {
        let event = SwayMachineTests.window(
          "focus", SwayMachineTests.foot(number, "app\(number)", title))
        FakeDesktop.write(event, to: connection)
      }
      FakeDesktop.waitForEnd(connection)
    }
    let loop = try InputLoop()
    let watch = try watch(desktop, on: loop)
    var changes = 0
    watch.didChange = { _ in changes += 1 }
    try wait(loop) { watch.window?.names == ["app999"] }
    // many at once are one change
    #expect(changes < 900)
  }

  @Test func aDesktopThatHasRestartedIsConnectedAgain() throws {
    let desktop = try FakeDesktop("s") { connection in
      // the question, then a whole life of one window
      _ = FakeDesktop.read(connection, upTo: 4096)
      FakeDesktop.write(
        Self.start + SwayMachineTests.window("focus", SwayMachineTests.foot(1, "one")),
        to: connection)
    }
    let loop = try InputLoop()
    let watch = try watch(desktop, on: loop)
    var found = 0
    var lost = 0
    watch.didChangeStatus = {
      switch $0 {
      case .watching: found += 1
      case .missing: lost += 1
      case .searching: break
      }
    }
    try wait(loop) { found >= 3 && lost >= 2 }
  }

  /// Its folder may be in /tmp, where anybody can make it.
  @Test func hyprlandsSocketsAreUsedOnlyIfTheRightUserServesThem() throws {
    let desktop = try FakeDesktop(".socket2.sock") { FakeDesktop.waitForEnd($0) }
    let loop = try InputLoop()
    let failure = DesktopFailure.foreign(desktop.path, user: getuid())
    #expect(throws: failure) {
      _ = try HyprlandFocus(desktop.folder, on: loop, servedBy: [getuid() + 1])
    }
    #expect("\(failure)" == "\(desktop.path): user \(getuid()) serves it, not you or root")
    _ = try HyprlandFocus(desktop.folder, on: loop)
  }

  @Test func hyprlandIsAskedForWhatItsEventCannotSay() throws {
    let events = try FakeDesktop(".socket2.sock") { connection in
      FakeDesktop.write(Array("workspace>>2\nactivewindow>>a,b,c\n".utf8), to: connection)
      FakeDesktop.waitForEnd(connection)
    }
    let answers = try FakeDesktop(".socket.sock", in: events.folder) { connection in
      guard FakeDesktop.read(connection, upTo: 64) == Array(HyprlandMachine.question.utf8) else {
        return
      }
      FakeDesktop.write(Array(#"{"class":"a,b","title":"#.utf8), to: connection)
      FakeDesktop.write(Array(#""c","pid":3}"#.utf8), to: connection)
    }
    let loop = try InputLoop()
    let watch = try FocusWatch(on: loop) {
      [
        FocusChoice(.hyprland) { loop, _ throws(DesktopFailure) in
          try HyprlandFocus(events.folder, on: loop)
        }
      ]
    }
    try withExtendedLifetime(answers) {
      try wait(loop) { watch.window == FocusedWindow(names: ["a,b"], title: "c", pid: 3) }
    }
  }

  @Test func aLauncherTakesTheFocusThatTheEventsStillReport() throws {
    let (events, list) = (PlayedSource(), PlayedSource())
    let source = LauncherAwareFocus(events, list: list)
    var reports: [Focus] = []
    try source.start { if case .success(let focus) = $0 { reports.append(focus) } }
    let foot = Focus.window(FocusedWindow(names: ["foot"], title: "t", pid: 3))
    let listed = Focus.window(FocusedWindow(names: ["foot"], title: "t"))
    events.report?(.success(foot))
    #expect(reports == [])
    list.report?(.success(listed))
    #expect(reports == [foot])
    list.report?(.success(.nothing))
    list.report?(.success(listed))
    #expect(reports == [foot, .nothing, foot])
  }

  @Test func withoutAListTheEventsCountAlone() throws {
    let (events, list) = (PlayedSource(), PlayedSource())
    let source = LauncherAwareFocus(events, list: list)
    var reports: [Focus] = []
    try source.start { if case .success(let focus) = $0 { reports.append(focus) } }
    events.report?(.success(.nothing))
    list.report?(.failure(.unsupported("no list")))
    #expect(reports == [.nothing])
  }

  /// sway drops a client of its list that was stalled.
  @Test func aListThatEndsLaterEndsTheSource() throws {
    let (events, list) = (PlayedSource(), PlayedSource())
    let source = LauncherAwareFocus(events, list: list)
    var hasFailed = false
    try source.start { if case .failure = $0 { hasFailed = true } }
    list.report?(.success(.nothing))
    list.report?(.failure(.closed))
    #expect(hasFailed)
  }

  /// A source that nobody has released yet must not keep the loop awake.
  @Test func anEndedConnectionIsNotWatchedAnyMore() throws {
    let desktop = try FakeDesktop("s") { _ = FakeDesktop.read($0, upTo: 4096) }
    let loop = try InputLoop()
    let source = try SocketConnection(desktop.path, on: loop, SwayMachine())
    var failures = 0
    try source.start { if case .failure = $0 { failures += 1 } }
    try wait(loop) { failures > 0 }
    #expect(try loop.wait(until: .zero) == 0)
    #expect(failures == 1)
    withExtendedLifetime(source) {}
  }

  /// A search from the beginning after each piece would not end in hours.
  @Test func aLineInManyPiecesIsTaken() throws {
    var input = InputBuffer()
    input.append([0x61, 0x0a])
    let first = try input.takeLine()
    #expect(first == [0x61])
    let piece = [UInt8](repeating: 0x62, count: 50)
    for _ in 0..<200_000 {
      input.append(piece)
      guard try input.takeLine() == nil else { break }
    }
    input.append([0x0a, 0x63, 0x0a])
    let (long, last) = (try input.takeLine(), try input.takeLine())
    #expect(long?.count == 10_000_000)
    #expect(last == [0x63])
  }
}
