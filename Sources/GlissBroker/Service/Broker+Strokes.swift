import GlissClient
import GlissDevices
import GlissEvents
import GlissGate
import GlissSession

struct HiddenStrokes {
  var uid: UInt32
  var right: Right
  var now: FingerCounts
  var ever: FingerCounts
  /// The touchpads whose stroke it keeps; `nil` is any touchpad.
  fileprivate var kept: Set<DeviceID?> = []

  fileprivate func keeps(_ pad: DeviceID?) -> Bool {
    kept.contains(nil) || (pad == nil ? !kept.isEmpty : kept.contains(pad))
  }

  fileprivate mutating func giveBack(_ pad: DeviceID?) {
    if pad == nil { kept = [] }
    kept.subtract([pad, nil])
  }
}

// Strokes that the desktop does not get.
extension Broker {
  func takeStrokes(_ parameters: Parameters, _ connection: Connection) throws {
    let ever = try parameters.required("fingers", try counts("fingers", parameters))
    let now = try counts("now", parameters) ?? ever
    guard ever.isSuperset(of: now) else {
      throw GateError(.parameter, "now", "must be a subset of fingers")
    }
    guard !ever.isEmpty else {
      releaseStrokes(of: connection)
      return connection.send(.result())
    }
    let uid = connection.identity.uid
    let isFirst = connection.strokes == nil
    if let wanted = connection.strokes {
      if let verdict = lack(of: wanted.right) { throw VarlinkReply.notGranted(verdict) }
      // a different set of finger counts needs another device
      try spend(1, of: uid, wanted.ever == ever ? \.verdicts : \.controls)
      connection.strokes?.now = now
      connection.strokes?.ever = ever
    } else {
      let right = try mayPost(connection)
      // while the user is not served, only this finds out that nothing could be hidden
      guard strokes != nil else { throw Self.noUinput }
      try host.checkConsuming()
      try spend(1, of: uid, \.controls)
      connection.strokes = HiddenStrokes(uid: uid, right: right, now: now, ever: ever)
    }
    do {
      try settleStrokes()
      // the grants are used up once the device exists
      if isFirst { try gate.use(connection.strokes?.right.grants ?? [], at: .now) }
    } catch {
      releaseStrokes(of: connection)
      throw error
    }
    if isFirst {
      record(.post, connection, "strokes may be hidden")
      host.resumeConsumingAfterStall()
    }
    connection.send(.result())
  }

  private func counts(_ name: String, _ parameters: Parameters) throws -> FingerCounts? {
    guard let numbers = try parameters.integers(name) else { return nil }
    for number in numbers where !(3...5).contains(number) {
      throw GateError(.parameter, name, "must have numbers from 3 to 5")
    }
    return FingerCounts(numbers.map { Int($0) })
  }

  func decideStroke(_ parameters: Parameters, _ connection: Connection) throws {
    let time = try parameters.required("time", try parameters.integer("time"))
    let isKept = try parameters.required("keep", try parameters.bool("keep"))
    let name = try parameters.string("device")
    if let wanted = connection.strokes, isServed(wanted) {
      try spend(1, of: wanted.uid, \.verdicts)
      let pads: [DeviceID?] = name.map { session.devices(named: $0) } ?? [nil]
      for pad in pads {
        if isKept {
          connection.strokes?.kept.insert(pad)
        } else {
          connection.strokes?.giveBack(pad)
          // what another program keeps stays hidden
          if servedStrokes.contains(where: { $0.keeps(pad) }) { continue }
        }
        strokes?.decide(
          StrokeVerdict(time: EventTime(microseconds: time), isKept: isKept, device: pad))
      }
    }
    connection.send(.result())
  }

  /// Notes when the last finger has left a touchpad: what programs keep of its stroke ends.
  func noteStrokes(_ event: InputEvent) {
    guard case .touch(let frame) = event, frame.fingerCount == 0 else { return }
    for connection in server.connections { connection.strokes?.giveBack(frame.device) }
  }

  private func isServed(_ wanted: HiddenStrokes) -> Bool {
    state.reportsHotkeys(of: wanted.uid, couldType: false)
  }

  /// What the connections of the user in front want.
  private var servedStrokes: [HiddenStrokes] {
    server.connections.compactMap(\.strokes).filter(isServed)
  }

  private func settleStrokes() throws(SystemError) {
    var (now, ever) = (FingerCounts(), FingerCounts())
    for wanted in servedStrokes {
      ever.formUnion(wanted.ever)
      now.formUnion(wanted.now)
    }
    guard let strokes else {
      if ever.isEmpty { return }
      throw Self.noUinput
    }
    try strokes.take(now, of: ever)
  }

  /// If there is no device any more, the desktop gets every stroke, and the connections end.
  ///
  /// - Returns: why strokes cannot be hidden; `nil` if they can.
  @discardableResult
  func updateStrokes() -> SystemError? {
    do throws(SystemError) {
      try settleStrokes()
      return nil
    } catch {
      for connection in server.connections {
        guard let wanted = connection.strokes, isServed(wanted) else { continue }
        connection.strokes = nil
        gate.ended(wanted.right.grants)
        record(.refuse, connection, "strokes cannot be hidden: \(error)")
        connection.end()
      }
      // nothing is wanted now, and that needs no device
      try? settleStrokes()
      return error
    }
  }

  func releaseStrokes(of connection: Connection) {
    guard let wanted = connection.strokes else { return }
    connection.strokes = nil
    gate.ended(wanted.right.grants)
    updateStrokes()
  }

  /// Ends what rests on grants that are gone. The connection is closed too: nothing else would tell
  /// a client that waits for no answer.
  func reviewStrokes() {
    for connection in server.connections {
      guard let wanted = connection.strokes, lack(of: wanted.right) != nil else { continue }
      releaseStrokes(of: connection)
      connection.end()
    }
  }
}

// The pointing finger after a drag or swipe. A rule may wait for the motion to continue.
extension Broker {
  /// How long after a drag or swipe clients may learn of a pointing finger. Rules wait no longer.
  private static let pointingTime = EventInterval.milliseconds(1000)

  func awaitPointing(_ connection: Connection) throws {
    // nobody would get the answer, and the connection would take no other call until then
    guard connection.conversation.takesAnswers else { return connection.send(.result()) }
    let right = try right(
      to: Scope(tier: .gesture, events: .gesture), connection, or: "AwaitPointing")
    try gate.use(right.grants, at: .now)
    record(.connect, connection, "\(right.ask.scope), AwaitPointing", ofGestures: true)
    connection.activity = .pointing(right)
  }

  func notePointing(_ event: InputEvent) {
    switch event {
    case .gesture(let gesture):
      if gesture.phase == .ended, gesture.kind == .drag || gesture.kind == .swipe {
        endedMotion = (gesture.time, gesture.device, PointingMachine())
      }
    case .touch(let frame):
      guard let motion = endedMotion, motion.device == frame.device,
        frame.time - motion.time <= Self.pointingTime,
        endedMotion?.pointing.process(frame) == true
      else { return }
      // keep it for a client that has not called yet, until somebody has been answered
      let answers = server.connections.count { answerPointing(frame, $0) }
      if answers > 0 { endedMotion = nil }
    case .key, .button, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  /// Answers a client that may learn of the pointing finger because it may see a one-finger hold
  /// there. Returns whether it did.
  private func answerPointing(_ frame: TouchFrame, _ connection: Connection) -> Bool {
    guard connection.identity.uid == state.activeUser,
      case .pointing(let right)? = connection.activity
    else { return false }
    let disclosure = Right(ask: right.ask, verdict: verdict(on: right)).disclosure
    let hold = GestureEvent(
      time: frame.time, device: frame.device, kind: .hold, phase: .began, fingers: 1)
    let name = session.device(frame.device)?.name ?? ""
    guard disclosure.visible(.gesture(hold), device: name, in: state) != nil else { return false }
    connection.activity = nil
    gate.ended(right.grants)
    connection.send(.result(["time": .integer(frame.time.microseconds)]))
    return true
  }
}
