import Glibc
import GlissDevices
import GlissEvents
import Testing

@testable import GlissFocus

/// A source that the test speaks for.
final class PlayedSource: DesktopConnection {
  var report: ((Result<Focus, DesktopFailure>) -> Void)?
  let failure: DesktopFailure?
  init(failure: DesktopFailure? = nil) { self.failure = failure }
  func start(
    _ report: @escaping (Result<Focus, DesktopFailure>) -> Void
  ) throws(DesktopFailure) {
    if let failure { throw failure }
    self.report = report
  }
}

/// Waits on `loop` until `isDone`, at most 10 s.
func wait(_ loop: InputLoop, until isDone: () -> Bool) throws {
  let end = InputLoop.now + .milliseconds(10_000)
  while !isDone(), InputLoop.now < end { try loop.wait(until: end) }
  #expect(isDone())
}

@Suite struct FocusWatchTests {
  private let one = FocusedWindow(names: ["one"], title: "secret")
  private let two = FocusedWindow(names: ["two"])

  @Test func theFirstSourceThatReportsIsUsed() throws {
    let loop = try InputLoop()
    let played = PlayedSource()
    let watch = try FocusWatch(on: loop) {
      [
        FocusChoice(.niri) { _, _ throws(DesktopFailure) in
          throw .unreachable("/nowhere", code: ENOENT)
        },
        FocusChoice(.sway) { _, _ in PlayedSource(failure: .closed) },
        FocusChoice(.wayland) { _, _ in played },
      ]
    }
    var changes: [FocusedWindow?] = []
    watch.didChange = { changes.append($0) }
    try wait(loop) { played.report != nil }
    #expect(watch.status == .searching)
    played.report?(.success(.nothing))
    #expect(watch.status == .watching(.wayland))
    played.report?(.success(.window(one)))
    played.report?(.success(.window(one)))
    played.report?(.success(.nothing))
    #expect(changes == [nil, one, nil])
  }

  @Test func aSourceThatFailsBeforeItReportsLeavesItToTheNext() throws {
    let loop = try InputLoop()
    let (first, second) = (PlayedSource(), PlayedSource())
    let watch = try FocusWatch(on: loop) {
      [FocusChoice(.wayland) { _, _ in first }, FocusChoice(.kwin) { _, _ in second }]
    }
    try wait(loop) { first.report != nil }
    first.report?(.failure(.unsupported("no list")))
    second.report?(.success(.window(two)))
    #expect(watch.window == two)
    // nobody listens to the first any more
    first.report?(.success(.window(one)))
    #expect(watch.window == two)
  }

  @Test func aDesktopThatRestartsIsFoundAgain() throws {
    let loop = try InputLoop()
    var sources: [PlayedSource] = []
    let watch = try FocusWatch(on: loop) {
      [
        FocusChoice(.sway) { _, _ in
          // away for one attempt
          let source = PlayedSource(failure: sources.count == 1 ? .closed : nil)
          sources.append(source)
          return source
        }
      ]
    }
    var changes: [FocusedWindow?] = []
    watch.didChange = { changes.append($0) }
    try wait(loop) { sources.count == 1 }
    sources[0].report?(.success(.window(one)))
    sources[0].report?(.failure(.closed))
    #expect(watch.window == nil)
    #expect(watch.status == .missing([.init(kind: .sway, failure: .closed)]))
    try wait(loop) { sources.count == 3 }
    sources[2].report?(.success(.window(two)))
    #expect(watch.status == .watching(.sway))
    #expect(changes == [one, nil, two])
  }

  /// One that reports and ends at once, again and again, is tried ever less often.
  @Test func aDesktopThatEndsAtOnceIsTriedEverLessOften() throws {
    let loop = try InputLoop()
    var sources: [PlayedSource] = []
    let watch = try FocusWatch(on: loop) {
      [
        FocusChoice(.sway) { _, _ in
          sources.append(PlayedSource())
          return sources[sources.count - 1]
        }
      ]
    }
    var times: [EventTime] = []
    for count in 1...5 {
      try wait(loop) { sources.count == count }
      times.append(InputLoop.now)
      sources[count - 1].report?(.success(.window(one)))
      sources[count - 1].report?(.failure(.closed))
    }
    // 0.1, 0.2, 0.4 and 0.8 s
    #expect(times[4] - times[0] >= .milliseconds(1500))
    #expect(watch.window == nil)
  }

  /// The X server stays while i3 restarts.
  @Test func aDesktopThatRestartsIsPreferredToWhatStays() throws {
    let loop = try InputLoop()
    var sources: [PlayedSource] = []
    var others = 0
    let watch = try FocusWatch(on: loop) {
      [
        FocusChoice(.sway) { _, _ in
          let source = PlayedSource(failure: sources.count == 1 ? .closed : nil)
          sources.append(source)
          return source
        },
        FocusChoice(.x11) { _, _ in
          others += 1
          return PlayedSource()
        },
      ]
    }
    try wait(loop) { sources.count == 1 }
    sources[0].report?(.success(.window(one)))
    sources[0].report?(.failure(.closed))
    try wait(loop) { sources.count == 3 }
    sources[2].report?(.success(.window(two)))
    #expect(watch.status == .watching(.sway))
    #expect(watch.window == two)
    #expect(others == 0)
  }

  @Test func withoutADesktopTheAttemptsAreNamed() throws {
    let loop = try InputLoop()
    let watch = try FocusWatch(on: loop) { [] }
    try wait(loop) { watch.status != .searching }
    #expect(watch.status == .missing([]))
    #expect(watch.window == nil)
  }
}
