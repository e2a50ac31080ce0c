import Foundation
import GlissAgent
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// A touchpad with a twin, rules that want its strokes or do not, as the agent judges them, and a desktop that reads the
/// pad and the twin: all on one thread.
final class TwinDesk {
  /// What rules want of the strokes of three fingers and more.
  enum Rules {
    /// They want all that move, none, or what they say is not heard.
    case all, none, unanswered

    fileprivate var machine: RuleMachine {
      get throws {
        let held = self == .all ? "" : ", modifiers: super"
        let kinds = ["swipe", "pinch", "rotate", "edgeSwipe"]
        let rules = kinds.map {
          "  - {gesture: \($0), fingers: \($0 == "edgeSwipe" ? "3" : "3..5"), consume: true\(held), do: {run: [true]}}\n"
        }
        let text = ConfigurationText(
          name: "rules", bytes: Array(("gestures:\n" + rules.joined()).utf8))
        let reading = Configuration.read([text])
        return RuleMachine(
          RuleTable(try #require(reading.configuration, "\(reading.mistakes)")))
      }
    }
  }

  /// How strokes are kept from the desktop.
  enum Way: CustomTestStringConvertible {
    /// Not at all.
    case none
    case twin
    /// By gliss.lua in the desktop's libinput.
    case plugin

    static let all = PluginSystem.isSupported ? [Way.twin, .plugin] : [.twin]

    var testDescription: String { "\(self)" }
  }

  /// What became of a stroke.
  struct Decision {
    var verdict: StrokeVerdict
    /// Of the gesture that it is about.
    var fingers: Int
  }

  let session = Session()
  let devices: LiveDevices
  let pad: VirtualDevice
  private let way: Way
  private let strokes: any StrokeTaking
  private let typed: String?
  /// gliss.lua reads it.
  private var hasControl = false
  private(set) var news: [GrabChange] = []
  private(set) var gestures: [GestureEvent] = []
  private(set) var rules = Rules.all
  private var machine: RuleMachine
  /// Where the desktop reads.
  private(set) var direct: Desktop
  private(set) var twin: Desktop?
  /// Of the stroke that is played.
  private(set) var decisions: [Decision] = []
  private(set) var start = EventTime.zero
  private var steps: [() throws -> Bool] = []
  /// How often the desktop reads. The kernel keeps few events.
  private var pause = TwinDesk.longPause
  private static let (shortPause, longPause) = (
    EventInterval(microseconds: 500), EventInterval.milliseconds(4)
  )
  private var failure: (any Error)?

  /// - Parameters:
  ///   - way: By which there are rules that consume strokes of three and more fingers.
  ///   - other: Another device's node that is read, too.
  ///   - typed: A keyboard's node that the desktop reads, too.
  init(
    _ device: Device, by way: Way = .twin, beside other: String? = nil, typedOn typed: String? = nil
  ) throws {
    self.way = way
    self.typed = typed
    machine = try rules.machine
    pad = try VirtualDevice.settled(device)
    let plugins = Repository.root.appending(path: "Sources/GlissAgent/Taking").path
    direct = try Desktop(pad.path, beside: typed, plugins: way == .plugin ? plugins : nil)
    devices = try LiveDevices(.paths([pad.path] + (other.map { [$0] } ?? [])))
    strokes = way == .plugin ? try StrokeControl(on: devices.loop) : devices
    devices.didChangeTwin = { [unowned self] in news.append($0) }
    session.onGesture { [unowned self] gesture in
      gestures.append(gesture)
      machine.process(gesture)
      _ = machine.takeActivations()
      guard let verdict = machine.nextVerdict(), rules != .unanswered else { return }
      decisions.append(Decision(verdict: verdict, fingers: gesture.fingers))
      strokes.decide(verdict)
    }
    guard way != .none else { return }
    try strokes.take(FingerCounts([3, 4, 5]), of: FingerCounts([3, 4, 5]))
    steps { [unowned self] in try isReady() }
  }

  func follow(_ rules: Rules) throws {
    self.rules = rules
    machine = try rules.machine
  }

  var isGrabbed: Bool { if case .grabbed? = news.last { true } else { false } }

  /// What the desktop is told of the pad by this way.
  func told(_ pad: [Desktop.Told], _ twin: [Desktop.Told]) -> [Desktop.Told] {
    way == .twin ? twin : pad
  }

  private func isReady() throws -> Bool {
    if way == .plugin { return try readsControl() }
    if twin == nil, let path = try Self.twinPath(pad) { twin = try? Desktop(path, beside: typed) }
    return twin != nil && isGrabbed
  }

  private func readsControl() throws -> Bool {
    if !hasControl {
      let found = try DeviceFinder().devices()
      let control = found.last { $0.name == StrokeControl.name && $0.isInitialized }
      guard let path = control?.path, (try? direct.add(path)) != nil else { return false }
      hasControl = true
    }
    return true
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

  /// Plays a stroke, on ``pad`` if no other is given, and hands on what the desktop was told of ``pad`` and of its twin.
  func play(
    _ events: [EvdevEvent], on other: VirtualDevice? = nil,
    then check: @escaping (_ pad: [Desktop.Told], _ twin: [Desktop.Told]) throws -> Void
  ) {
    var (next, end): (Int, EventTime?) = (0, nil)
    let first = events.first?.time ?? .zero
    step { [unowned self] in
      _ = (direct.news(), twin?.news())
      decisions.removeAll()
      gestures.removeAll()
      // a stroke begins in the first slot, and the one before has ended in another
      try (other ?? pad).write(.absolute(.slot, 0, at: .zero))
      pause = Self.shortPause
      start = InputLoop.now
    }
    steps { [unowned self] in
      let shift = InputLoop.now - start
      while next < events.count, events[next].time - first <= shift {
        let end = events[next...].firstIndex { $0.isReport } ?? events.count - 1
        try (other ?? pad).write(Array(events[next...end]))
        next = end + 1
      }
      guard next == events.count else { return false }
      pause = Self.longPause
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
      devices.alarm = InputLoop.now + pause
    }
    try devices.run(into: session)
    if let failure { throw failure }
  }
}
