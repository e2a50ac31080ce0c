import Gliss

/// Listens to a session and reports each stretch of contact with its decisions, in order.
final class ExplainedSession {
  private let session: Session
  private let body: (Stretch, Device?) -> Void
  private var stretches = Stretches()

  init(_ session: Session, _ body: @escaping (Stretch, Device?) -> Void) {
    self.session = session
    self.body = body
    session.addHandler(matching: .touch) { [unowned self] event in
      stretches.note(event)
      settle(by: event.time)
    }
    session.addDecisionHandler { [unowned self] decision in stretches.note(decision) }
  }

  /// The input has ended: reports what is left.
  func close() { settle(by: nil) }

  private func settle(by time: EventTime?) {
    for stretch in stretches.settled(by: time) { body(stretch, session.device(stretch.device)) }
  }
}

/// Collects what another configuration decides on the same input, contact by contact, until it is
/// taken.
final class ChangedSession {
  let session: Session
  private let found = Found()
  private let explained: ExplainedSession

  init(_ session: Session) {
    self.session = session
    explained = ExplainedSession(session) { [found] stretch, _ in
      found.decisions[Contact(stretch), default: []] += stretch.decisions
    }
  }

  /// The input has ended: settles the remaining decisions.
  func close() { explained.close() }

  /// Removes and returns the decisions on that contact; empty if this session did not see it.
  func take(_ stretch: Stretch) -> [Decision] {
    found.decisions.removeValue(forKey: Contact(stretch)) ?? []
  }

  /// Both sessions get the same devices in the same order, so their numbers match.
  private struct Contact: Hashable {
    var device: DeviceID
    var start: EventTime

    init(_ stretch: Stretch) {
      device = stretch.device
      start = stretch.start
    }
  }

  private final class Found {
    var decisions: [Contact: [Decision]] = [:]
  }
}

/// The time from the first finger down until all are lifted, on one device.
struct Stretch {
  var device: DeviceID
  var start: EventTime
  /// `nil` while a finger is down.
  var end: EventTime?
  /// The most fingers down at once.
  var fingers: Int
  var decisions: [Decision] = []
}

/// Assigns decisions to the stretches of contact they belong to.
struct Stretches {
  /// Taps and holds may be decided after the fingers have lifted, but not later than this.
  private static let settling = EventInterval(microseconds: 2_000_000)

  private var open: [DeviceID: Int] = [:]
  private var waiting: [Stretch] = []

  /// Follows the contacts and ignores other events.
  mutating func note(_ event: InputEvent) {
    switch event {
    case .touch(let frame):
      let down = frame.touches.count { !$0.phase.isFinal }
      note(down: down, counted: max(down, frame.fingerCount), frame)
    case .gesture, .key, .button, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  private mutating func note(down: Int, counted: Int, _ frame: TouchFrame) {
    if let index = open[frame.device] {
      waiting[index].fingers = max(waiting[index].fingers, counted)
      if down == 0 {
        waiting[index].end = frame.time
        open[frame.device] = nil
      }
    } else if down > 0 {
      open[frame.device] = waiting.count
      waiting.append(Stretch(device: frame.device, start: frame.time, fingers: counted))
    }
  }

  /// Adds `decision` to the stretch in which its fingers landed.
  mutating func note(_ decision: Decision) {
    let index = waiting.lastIndex {
      $0.device == decision.device && $0.start <= decision.landed
    }
    if let index {
      waiting[index].decisions.append(decision)
    } else {
      // no frame showed these fingers: report them as a stretch of their own rather than not at all
      waiting.append(
        Stretch(
          device: decision.device, start: decision.landed, end: decision.time,
          fingers: decision.fingers, decisions: [decision]))
    }
  }

  /// Removes and returns, in order, the finished stretches that get no more decisions after `time`;
  /// all stretches if it is `nil`.
  mutating func settled(by time: EventTime?) -> [Stretch] {
    var count = 0
    while count < waiting.count {
      if let time {
        guard let end = waiting[count].end, time - end > Self.settling else { break }
      }
      count += 1
    }
    if count == 0 { return [] }
    defer {
      waiting.removeFirst(count)
      for (device, index) in open { open[device] = index >= count ? index - count : nil }
    }
    return Array(waiting.prefix(count))
  }
}
