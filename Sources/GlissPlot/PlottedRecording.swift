package import GlissEvents
package import GlissGestures

/// All that a picture of a recording shows: the strokes, and what a session recognized in them.
///
/// Fill it from a session's handlers, in order.
package struct PlottedRecording: Sendable {
  /// The recording's name, as people know it.
  package var name: String
  /// The settings that are not defaults, as typed; empty if there are none.
  package var settings: String
  /// The instant from which times count.
  package let origin: EventTime
  package private(set) var strokes: [PlottedStroke] = []
  /// Whether to keep only what was recognized, not where the fingers were.
  private let isBrief: Bool
  private var devices: [DeviceID: Device] = [:]
  /// The strokes with a finger down.
  private var open: [DeviceID: Int] = [:]

  package init(name: String, settings: String = "", origin: EventTime, isBrief: Bool = false) {
    self.isBrief = isBrief
    self.name = name
    self.settings = settings
    self.origin = origin
  }

  /// The device of a stroke; `nil` if it was never noted.
  package func device(of stroke: PlottedStroke) -> Device? { devices[stroke.device] }

  package mutating func note(_ device: Device) { devices[device.id] = device }

  /// Takes touches and gestures, and ignores other events.
  package mutating func note(_ event: InputEvent) {
    switch event {
    case .touch(let frame): note(frame)
    case .gesture(let gesture):
      // a tap is reported after its last finger has lifted
      guard let index = last(of: gesture.device, startedBy: gesture.time) else { return }
      strokes[index].note(gesture)
    case .key, .button, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  /// Adds `decision` to the stroke in which its fingers landed.
  package mutating func note(_ decision: Decision) {
    guard let index = last(of: decision.device, startedBy: decision.landed) else { return }
    strokes[index].note(decision)
  }

  package mutating func note(_ evidence: Evidence) {
    guard let index = open[evidence.device] else { return }
    strokes[index].note(evidence)
  }

  private func last(of device: DeviceID, startedBy time: EventTime) -> Int? {
    strokes.lastIndex { $0.device == device && $0.start <= time }
  }

  private mutating func note(_ frame: TouchFrame) {
    let isTouched = frame.touches.indices.contains { !frame.touches[$0].phase.isFinal }
    if open[frame.device] == nil, isTouched {
      open[frame.device] = strokes.count
      strokes.append(PlottedStroke(number: strokes.count + 1, frame))
    }
    guard let index = open[frame.device] else { return }
    if !isBrief { strokes[index].note(frame) }
    if !isTouched { open[frame.device] = nil }
  }
}

/// The time from the first finger down until all are lifted, on one device.
package struct PlottedStroke: Sendable {
  /// One finger from landing to lifting. It has a point for each frame of the stroke in between.
  package struct Contact: Sendable {
    package let id: TouchID
    /// The index of the frame in which it landed.
    package let first: Int
    package fileprivate(set) var points: [Point] = []
    /// How it ended; `nil` while it is down.
    package fileprivate(set) var end: Touch.Phase?

    /// The index of its last frame.
    package var last: Int { first + max(0, points.count - 1) }

    /// Whether it rested, for however short a time.
    package var hasRested: Bool { points.contains(where: \.isResting) }

    /// How far it got from where it landed, in mm.
    package var way: Double {
      guard let landed = points.first?.position else { return 0 }
      return points.map { ($0.position - landed).length }.max() ?? 0
    }
  }

  package struct Point: Sendable {
    /// In mm from the pad's top left corner.
    package var position: Vector2
    package var isResting: Bool
  }

  /// A gesture from its beginning to its end.
  package struct Gesture: Sendable {
    package var began: EventTime
    /// Its newest event: the last one when it is over.
    package var latest: GestureEvent

    /// Whether it is over.
    package var isOver: Bool {
      switch latest.phase {
      case .ended, .cancelled, .recognized: true
      case .began, .changed: false
      }
    }
  }

  /// Its place among the recording's strokes, from 1.
  package let number: Int
  package let device: DeviceID
  /// When each frame came.
  package private(set) var frames: [EventTime] = []
  package private(set) var contacts: [Contact] = []
  package private(set) var gestures: [Gesture] = []
  package private(set) var decisions: [Decision] = []
  /// The highest count of fingers that the device reported. It may have fewer slots.
  private var mostCounted = 0
  /// What was weighed, in order of time.
  package private(set) var evidence: [Evidence] = []
  package let start: EventTime

  fileprivate init(number: Int, _ frame: TouchFrame) {
    self.number = number
    device = frame.device
    start = frame.time
  }

  /// When its last finger lifted, or its last frame or event came.
  package var end: EventTime {
    let last = max(frames.last ?? start, decisions.last?.time ?? start)
    return max(last, gestures.map(\.latest.time).max() ?? start)
  }

  fileprivate mutating func note(_ frame: TouchFrame) {
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      let known = contacts.lastIndex { $0.id == touch.id && $0.end == nil }
      if known == nil {
        // the touch belongs to an earlier stroke
        if touch.phase.isFinal { continue }
        contacts.append(Contact(id: touch.id, first: frames.count))
      }
      let contact = known ?? contacts.count - 1
      contacts[contact].points.append(
        Point(position: touch.position, isResting: touch.isResting))
      if touch.phase.isFinal { contacts[contact].end = touch.phase }
    }
    frames.append(frame.time)
    mostCounted = max(mostCounted, frame.fingerCount)
  }

  fileprivate mutating func note(_ event: GestureEvent) {
    switch event.phase {
    case .began, .recognized: gestures.append(Gesture(began: event.time, latest: event))
    case .changed, .ended, .cancelled:
      let index = gestures.lastIndex { $0.latest.kind == event.kind && !$0.isOver }
      if let index { gestures[index].latest = event }
    }
  }

  fileprivate mutating func note(_ decision: Decision) {
    decisions.append(decision)
    // the figures that were decided on replace another weighing of the same frame
    guard decision.fingers >= 2, decision.timed == nil, decision.rested == nil else { return }
    note(decision.evidence)
  }

  fileprivate mutating func note(_ new: Evidence) {
    let isDecided = decisions.contains {
      $0.time == new.time && $0.timed == nil && $0.rested == nil
    }
    if let last = evidence.last, last.time == new.time {
      if isDecided { return }
      evidence.removeLast()
    }
    evidence.append(new)
  }

  /// The most fingers that a decision weighed. Before it, one of them may not have rested yet.
  var mostWeighed: Int {
    let decided = decisions.filter { $0.timed == nil && $0.rested == nil }.map(\.fingers).max()
    return decided ?? evidence.map(\.fingers).max() ?? 2
  }

  /// The most fingers down at once.
  package var most: Int {
    var (count, most) = (0, mostCounted)
    let changes = contacts.flatMap { [($0.first, 1), ($0.last, -1)] }
    for (_, step) in changes.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      count += step
      most = max(most, count)
    }
    return most
  }
}
