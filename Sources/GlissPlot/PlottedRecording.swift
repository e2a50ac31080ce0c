package import GlissEvents
package import GlissGestures
package import GlissSession

/// Listens to a session and collects what a picture of it shows.
package final class Plotter {
  package let session: Session
  package var recording: PlottedRecording

  /// - Parameter session: one without devices yet.
  package init(_ recording: PlottedRecording, _ session: Session, withEvidence: Bool = true) {
    self.recording = recording
    self.session = session
    session.addHandler(matching: [.touch, .gesture, .key, .lost]) {
      [unowned self, unowned session] event in
      if let device = session.device(event.device) { self.recording.note(device) }
      self.recording.note(event)
    }
    let weighed = { [unowned self] (evidence: Evidence) in self.recording.note(evidence) }
    session.explain(
      { [unowned self] in self.recording.note($0) }, weighed: withEvidence ? weighed : nil)
  }
}

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
  /// How many strokes began, with those that were taken.
  private var begun = 0
  /// Whether to keep only what was recognized and which fingers landed, not where they were.
  private let isBrief: Bool
  private var devices: [DeviceID: Device] = [:]
  /// When a key was last pressed on any keyboard.
  private var typed: EventTime?
  /// When a loss cut the stroke of a device that has sent no frame since.
  private var cuts: [DeviceID: EventTime] = [:]

  package init(name: String, settings: String = "", origin: EventTime, isBrief: Bool = false) {
    self.isBrief = isBrief
    self.name = name
    self.settings = settings
    self.origin = origin
  }

  /// The device of a stroke; `nil` if it was never noted.
  package func device(of stroke: PlottedStroke) -> Device? { devices[stroke.device] }

  package mutating func note(_ device: Device) { devices[device.id] = device }

  /// Takes touches, gestures, losses and the times of keys, and ignores other events.
  package mutating func note(_ event: InputEvent) {
    switch event {
    case .touch(let frame): note(frame)
    case .gesture(let gesture):
      // a tap is reported after its last finger has lifted
      guard let index = last(of: gesture.device, startedBy: gesture.time) else { return }
      strokes[index].note(gesture)
    case .lost(let loss):
      if let index = open(on: loss.device) { strokes[index].lost = loss.time }
    case .key(let key):
      guard key.state == .down else { return }
      typed = key.time
      for index in strokes.indices where strokes[index].lifted == nil {
        strokes[index].typed = key.time
      }
    case .button, .motion, .scroll, .device, .hotkey: break
    }
  }

  /// Adds `decision` to the stroke in which its fingers landed.
  package mutating func note(_ decision: Decision) {
    guard let index = last(of: decision.device, startedBy: decision.landed) else { return }
    strokes[index].note(decision)
  }

  package mutating func note(_ evidence: Evidence) {
    guard let index = open(on: evidence.device) else { return }
    strokes[index].note(evidence)
  }

  /// Taps and holds may be decided after the fingers have lifted, but not later than this.
  private static let settling = EventInterval(microseconds: 2_000_000)

  /// Removes and returns, in order, the finished strokes that get no more decisions after `time`;
  /// all strokes if it is `nil`.
  package mutating func takeSettled(by time: EventTime?) -> [PlottedStroke] {
    let settled = strokes.prefix { stroke in
      guard let time else { return true }
      return stroke.lifted.map { time - $0 > Self.settling } ?? false
    }
    strokes.removeFirst(settled.count)
    return Array(settled)
  }

  /// The recording could be read no further: fingers that did not lift may have gone on.
  package mutating func noteError() {
    for device in Set(strokes.map(\.device)) {
      if let last = strokes.lastIndex(where: { $0.device == device }) {
        strokes[last].isBeforeError = true
      }
    }
  }

  /// Removes and returns the stroke of the same contact. Sessions that get the same input number
  /// their devices alike.
  package mutating func takeStroke(like other: PlottedStroke) -> PlottedStroke? {
    let index = strokes.firstIndex { $0.device == other.device && $0.start == other.start }
    return index.map { strokes.remove(at: $0) }
  }

  /// The device's stroke with a finger down.
  private func open(on device: DeviceID) -> Int? {
    // the last one is the only one that may be open
    let last = strokes.lastIndex { $0.device == device }
    return last.flatMap { strokes[$0].lifted == nil ? $0 : nil }
  }

  private func last(of device: DeviceID, startedBy time: EventTime) -> Int? {
    strokes.lastIndex { $0.device == device && $0.start <= time }
  }

  /// Fingers that are seen again later than this after a loss may be others.
  private static let longestCut = EventInterval(microseconds: 100_000)

  private mutating func note(_ frame: TouchFrame) {
    let down = frame.touches.count { !$0.phase.isFinal }
    var index = open(on: frame.device)
    let cut = cuts.removeValue(forKey: frame.device)
    let continues = cut.map { frame.time - $0 <= Self.longestCut } ?? false
    if index == nil, down > 0 {
      index = strokes.count
      begun += 1
      strokes.append(PlottedStroke(number: begun, frame, typed: typed, continues: continues))
    }
    guard let index else { return }
    strokes[index].note(frame, isBrief: isBrief)
    strokes[index].most = max(strokes[index].most, down, frame.fingerCount)
    if frame.touches.contains(where: { !$0.isResting }) { strokes[index].hasActive = true }
    if down == 0 {
      strokes[index].lifted = frame.time
      strokes[index].isCut = frame.touches.contains { $0.phase == .cancelled }
      if strokes[index].isCut, strokes[index].lost != nil {
        cuts[frame.device] = frame.time
      }
    }
  }
}

/// The time from the first finger down until all are lifted, on one device.
package struct PlottedStroke: Sendable {
  /// One finger from landing to lifting. It has a point for each frame of the stroke in between; in
  /// a brief recording it has none.
  package struct Contact: Sendable {
    package let id: TouchID
    /// The index of the frame in which it landed.
    package let first: Int
    fileprivate let landed: EventTime
    fileprivate var landing: Vector2
    private var position: Vector2
    /// How far it got from where it landed, in mm. A leap is not part of that, as in the recognizer.
    package fileprivate(set) var way = 0.0
    package fileprivate(set) var points: [Point] = []
    /// How it ended; `nil` while it is down.
    package fileprivate(set) var end: Touch.Phase?
    fileprivate var ended: EventTime?
    /// Whether it rested in its newest frame.
    fileprivate var isResting = false

    package var last: Int { first + max(0, points.count - 1) }

    /// Whether it rested, for however short a time.
    package var hasRested: Bool { points.contains(where: \.isResting) }

    /// A longer step is a leap, in mm: `motion.jump`.
    private static let leap = 20.0

    fileprivate init(_ touch: Touch, at time: EventTime, first: Int) {
      (id, self.first, landed) = (touch.id, first, time)
      (landing, position) = (touch.position, touch.position)
    }

    fileprivate mutating func note(_ touch: Touch, at time: EventTime, isBrief: Bool) {
      let step = touch.position - position
      if step.length >= Self.leap { landing += step }
      position = touch.position
      way = max(way, (touch.position - landing).length)
      isResting = touch.isResting
      if !isBrief { points.append(Point(position: position, isResting: isResting)) }
      if touch.phase.isFinal { (end, ended) = (touch.phase, time) }
    }
  }

  package struct Point: Sendable {
    /// In mm from the pad's top left corner.
    package var position: Vector2
    package var isResting: Bool
  }

  package struct Gesture: Sendable {
    package var began: EventTime
    /// Its newest event: the last one when it is over.
    package var latest: GestureEvent

    package var isOver: Bool { latest.phase != .began && latest.phase != .changed }
  }

  /// Its place among the recording's strokes, from 1.
  package let number: Int
  package let device: DeviceID
  package private(set) var frames: [EventTime] = []
  package private(set) var contacts: [Contact] = []
  /// The indices of those that are down.
  private var down: [Int] = []
  package private(set) var gestures: [Gesture] = []
  package private(set) var decisions: [Decision] = []
  /// The most fingers down at once. The device may count more than it has slots.
  package fileprivate(set) var most = 0
  /// What was weighed, in order of time.
  package private(set) var evidence: [Evidence] = []
  package let start: EventTime
  /// When its newest frame came.
  private var newest: EventTime
  /// The frames in which more fingers took part than a decision counts, and how many.
  private var crowds: [(time: EventTime, fingers: Int)] = []
  /// Its fingers were down before, when events of the pad were lost.
  package let continues: Bool
  /// When its last finger lifted; `nil` while one is down.
  package fileprivate(set) var lifted: EventTime?

  /// Whether a finger took part: it did not count as resting all the time.
  package fileprivate(set) var hasActive = false
  /// Its last fingers did not lift: events were lost, or the recording ended.
  package fileprivate(set) var isCut = false
  /// The recording was read only to an error, and not to its end.
  fileprivate(set) var isBeforeError = false
  /// When events of the pad were lost while a finger was down.
  package fileprivate(set) var lost: EventTime?
  /// When a key was last pressed before its end.
  package fileprivate(set) var typed: EventTime?

  fileprivate init(number: Int, _ frame: TouchFrame, typed: EventTime?, continues: Bool) {
    self.number = number
    self.continues = continues
    self.typed = typed
    device = frame.device
    (start, newest) = (frame.time, frame.time)
  }

  /// When its last finger lifted, or its last frame or event came.
  package var end: EventTime {
    let last = max(newest, decisions.last?.time ?? start)
    return max(last, gestures.map(\.latest.time).max() ?? start)
  }

  /// The finger's number in pictures, from 1 in order of landing; `nil` if it was never noted.
  package func number(of touch: TouchID) -> Int? {
    contacts.lastIndex { $0.id == touch }.map { $0 + 1 }
  }

  /// How many fingers took part at once since those of `decision` landed. The decision itself counts
  /// up to five.
  func most(in decision: Decision) -> Int {
    guard decision.fingers >= 5 else { return decision.fingers }
    let own = crowds.filter { decision.landed <= $0.time && $0.time <= decision.time }
    return max(decision.fingers, own.map(\.fingers).max() ?? 0)
  }

  fileprivate mutating func note(_ frame: TouchFrame, isBrief: Bool) {
    var active = 0
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      let known = down.first { contacts[$0].id == touch.id }
      if known == nil {
        // the touch belongs to an earlier stroke
        if touch.phase.isFinal { continue }
        down.append(contacts.count)
        contacts.append(Contact(touch, at: frame.time, first: frames.count))
      }
      let own = known ?? contacts.count - 1
      contacts[own].note(touch, at: frame.time, isBrief: isBrief)
      if !touch.isResting { active += 1 }
      if touch.phase.isFinal { down.removeAll { $0 == own } }
    }
    if active > 5 { crowds.append((frame.time, active)) }
    newest = frame.time
    if !isBrief { frames.append(frame.time) }
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
    decisions.append(completed(decision))
    // the figures that were decided on replace another weighing of the same frame
    guard decision.fingers >= 2, decision.timed == nil, decision.rested == nil else { return }
    note(decision.evidence)
  }

  /// Fingers of a tap lift one after the other, and the decision knows only the last ones. Adds how
  /// far the others got, and leaves out those beyond the tap's count, which only grazed the pad.
  private func completed(_ taken: Decision) -> Decision {
    guard taken.rule == .tap || taken.rule == .nothing else { return taken }
    func place(of contact: Contact) -> Int? {
      taken.touches.indices.first { taken.touches[$0] == contact.id }
    }
    // a finger that stays may have many others beside it
    let recent = contacts.suffix(
      from: contacts.lastIndex { $0.landed < taken.landed }.map { $0 + 1 } ?? 0)
    let numbers = taken.touches.indices.compactMap { taken.touches[$0].flatMap(number(of:)) }
    let earlier = numbers.filter { $0 <= recent.startIndex }.map { contacts[$0 - 1] }
    let own =
      earlier
      + recent.filter { contact in
        let hasLeft = contact.ended.map { $0 < taken.time } ?? false
        return place(of: contact) != nil || hasLeft && !contact.isResting
      }
    func stay(_ contact: Contact) -> EventInterval {
      (contact.ended ?? taken.time) - contact.landed
    }
    let count = taken.rule == .tap ? taken.fingers : own.count
    let brief = own.sorted { stay($0) > stay($1) }.dropFirst(count).map(\.id)
    let counted = own.filter { !brief.contains($0.id) }
    var decision = taken
    for index in decision.travel.indices {
      let contact = index < counted.count ? counted[index] : nil
      let known = contact.flatMap(place(of:)).map { taken.travel[$0] }
      decision.travel[index] = known ?? contact?.way ?? .nan
      decision.touches[index] = contact?.id
    }
    return decision
  }

  fileprivate mutating func note(_ new: Evidence) {
    let isDecided = decisions.reversed().prefix { $0.time >= new.time }
      .contains { $0.timed == nil && $0.rested == nil }
    if let last = evidence.last, last.time == new.time {
      if isDecided { return }
      evidence.removeLast()
    }
    evidence.append(new)
  }

  /// The most fingers that a decision weighed. Evidence from before a decision may count a finger
  /// that was later found to rest, so decisions come first.
  var mostWeighed: Int {
    let decided = decisions.filter { $0.timed == nil && $0.rested == nil }.map(\.fingers).max()
    return decided ?? evidence.map(\.fingers).max() ?? 2
  }
}
