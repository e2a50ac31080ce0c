import Foundation
import GlissDevices
import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport

/// A touchpad with a twin, rules that want its strokes or do not, and a desktop that reads the pad and the twin: all on
/// one thread.
final class TwinDesk {
  /// What rules want.
  enum Rules { case all, none, unanswered }

  let session = Session()
  let devices: LiveDevices
  let pad: VirtualDevice
  private(set) var news: [GrabChange] = []
  private(set) var gestures: [GestureEvent] = []
  var rules = Rules.all
  /// Where the desktop reads.
  private(set) var direct: Desktop
  private(set) var twin: Desktop?
  /// When strokes were decided.
  private(set) var verdicts: [EventTime] = []
  private var steps: [() throws -> Bool] = []
  private var failure: (any Error)?

  /// - Parameters:
  ///   - isTaken: There are rules that consume strokes of three and more fingers.
  ///   - keyboard: A keyboard's node that is read, too.
  init(_ device: Device, isTaken: Bool = true, keyboard: String? = nil) throws {
    pad = try VirtualDevice.settled(device)
    direct = try Desktop(pad.path)
    devices = try LiveDevices(.paths([pad.path] + (keyboard.map { [$0] } ?? [])))
    devices.didChangeTwin = { [unowned self] in news.append($0) }
    session.onGesture { [unowned self] gesture in
      gestures.append(gesture)
      // rules consume what moves
      guard gesture.phase == .began, gesture.fingers > 2, gesture.kind != .hold,
        rules != .unanswered
      else { return }
      verdicts.append(gesture.time)
      devices.decide(StrokeVerdict(time: gesture.time, isKept: rules == .all))
    }
    guard isTaken else { return }
    try devices.take(FingerCounts([3, 4, 5]), of: FingerCounts([3, 4, 5]))
    steps { [unowned self] in try isReady() }
  }

  var isGrabbed: Bool { if case .grabbed? = news.last { true } else { false } }

  private func isReady() throws -> Bool {
    if twin == nil, let path = try Self.twinPath(pad) { twin = try? Desktop(path) }
    return twin != nil && isGrabbed
  }

  static func twinPath(_ pad: VirtualDevice) throws -> String? {
    let found = try DeviceFinder().devices()
    let name = found.first { $0.path == pad.path }?.name
    return found.last { $0.isOwn && $0.name == name && $0.isInitialized }?.path
  }

  // MARK: Steps

  func step(_ body: @escaping () throws -> Void) {
    steps.append {
      try body()
      return true
    }
  }

  func steps(_ body: @escaping () throws -> Bool) { steps.append(body) }

  func waitUntilGrabbed() { steps { [unowned self] in isGrabbed } }

  func pause(milliseconds: Double) {
    var end: EventTime?
    steps {
      end = end ?? InputLoop.now + .milliseconds(milliseconds)
      return InputLoop.now >= end ?? .zero
    }
  }

  /// Plays a stroke, and hands on what the desktop was told of the pad and of the twin.
  func play(
    _ events: [EvdevEvent],
    then check: @escaping (_ pad: [Desktop.Told], _ twin: [Desktop.Told]) throws -> Void
  ) {
    var (next, start, end): (Int, EventTime?, EventTime?) = (0, nil, nil)
    let first = events.first?.time ?? .zero
    step { [unowned self] in
      _ = (direct.news(), twin?.news())
      verdicts.removeAll()
      gestures.removeAll()
      // a stroke begins in the first slot, and the one before has ended in another
      try pad.write(.absolute(.slot, 0, at: .zero))
    }
    steps { [unowned self] in
      let shift = InputLoop.now - (start ?? InputLoop.now)
      start = start ?? InputLoop.now
      while next < events.count, events[next].time - first <= shift {
        let end = events[next...].firstIndex { $0.isReport } ?? events.count - 1
        try pad.write(Array(events[next...end]))
        next = end + 1
      }
      guard next == events.count else { return false }
      end = end ?? InputLoop.now + .milliseconds(800)
      return InputLoop.now >= end ?? .zero
    }
    step { [unowned self] in try check(direct.news(), twin?.news() ?? []) }
  }

  /// Reads, and does steps in between; ends after the last one.
  func run(forAtMost seconds: Double = 900) throws {
    let end = InputLoop.now + .milliseconds(seconds * 1000)
    devices.alarm = InputLoop.now
    devices.didRing = { [unowned self] in
      do {
        direct.read()
        twin?.read()
        guard !steps.isEmpty else { return devices.stop() }
        if InputLoop.now > end { throw Impatience("steps are left: \(news)") }
        if try steps[0]() { steps.removeFirst() }
      } catch {
        failure = error
        return devices.stop()
      }
      devices.alarm = InputLoop.now + EventInterval(microseconds: 500)
    }
    try devices.run(into: session)
    if let failure { throw failure }
  }
}
