import Glibc
import GlissBroker
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys
import GlissSession
import GlissSynthesis

/// What turns the stage's broker.
final class Host: ConsumingHost {
  let loop: InputLoop
  var alarm: EventTime?
  var didRing: (() -> Void)?
  var consumed = ConsumedKeys.none
  /// There is no /dev/uinput.
  var cannotConsume = false
  private(set) var resumed = 0

  func checkConsuming() throws(SystemError) {
    if cannotConsume { throw SystemError("/dev/uinput", "Permission denied", code: 13) }
  }

  func resumeConsuming() { resumed += 1 }
  func resumeConsumingAfterStall() {}

  init(_ loop: InputLoop) { self.loop = loop }
}

/// The broker as `glissd` runs it, with real sockets, store and peers, and a director in place of devices, logind and
/// polkit.
final class Stage {
  let loop: InputLoop
  let session = Session()
  let gate: Gate
  let consent = Understudy()
  let pressed = Pressed()
  let hidden = Hidden()
  let broker: Broker
  let keyboard: DeviceID
  let mouse: DeviceID
  let touchpad: DeviceID
  let host: Host
  private let socket: OwnSocket
  private var observation: SeatState
  private var last = EventTime.zero
  private var flood: Flood?

  init(_ options: Options) throws {
    loop = try InputLoop()
    socket = try OwnSocket(options.socket)
    host = Host(loop)
    gate = Gate(
      folder: options.store, machine: Machine(id: options.machine, boot: "the test's"),
      at: WallTime(seconds: Int64(time(nil))))
    broker = try Broker(
      host: host, session: session, gate: gate, consent: consent, limits: options.limits)
    keyboard = session.add(
      Device(name: "Stage keyboard", keys: Set((1...248).map { Key(rawValue: $0) })))
    mouse = session.add(
      Device(name: "Stage mouse", keys: [.leftButton], relativeAxes: [0, 1]))
    var pad = Pad.medium.device
    pad.name = "Stage pad"
    touchpad = session.add(pad)
    observation = SeatState(activeUser: options.user, session: "stage")
    broker.makeKeyboard = { [pressed] () throws(SystemError) in
      if pressed.isMissing {
        throw SystemError("/dev/uinput", "Permission denied", advice: "run this as root", code: 13)
      }
      return pressed
    }
    broker.strokes = hidden
    broker.sessionNames = { ["stage"] }
    broker.add(consent)
    broker.seatChanged(to: observation)
    try broker.listen(on: socket.descriptor)
  }

  // MARK: Turning

  func run() throws {
    while !loop.isStopping {
      try loop.wait(
        until: EventTime.earlier(EventTime.earlier(session.deadline, host.alarm), flood?.due))
      pour()
      let now = InputLoop.now
      if let due = session.deadline, due <= now { session.advance(to: due) }
      if let due = host.alarm, due <= now {
        host.alarm = nil
        host.didRing?()
      }
    }
    broker.close()
  }

  /// The times of what happens here never go back.
  private func next() -> EventTime {
    last = max(InputLoop.now, last + EventInterval(microseconds: 1))
    return last
  }

  // MARK: Acts

  /// The keys for which keyboards are to be grabbed.
  var consumed: String {
    let consumed = host.consumed
    if consumed == .none { return "none" }
    return consumed.hasCharacters
      ? "any" : consumed.keys.sorted().map(\.name).joined(separator: " ")
  }

  /// Keys that were kept from the desktop.
  private(set) var kept: [String] = []

  func press(_ key: Key, _ value: Int32) {
    let time = next()
    session.keepsKey = false
    session.process(.key(key, value, at: time), from: keyboard)
    if session.keepsKey { kept.append(key.name) }
    session.process(.report(at: time), from: keyboard)
  }

  /// A key that was pressed a while ago, and is read only now.
  func pressLate(_ key: Key) {
    let time = InputLoop.now + EventInterval(microseconds: -500_000)
    for value: Int32 in [1, 0] {
      session.process(.key(key, value, at: time), from: keyboard)
      session.process(.report(at: time), from: keyboard)
    }
  }

  /// The kernel has dropped events of the pad or of the keyboard.
  func lose(isPad: Bool) {
    let (time, device) = (next(), isPad ? touchpad : keyboard)
    session.process(
      EvdevEvent(
        time: time, type: .synchronization, code: SynchronizationCode.dropped, value: 0),
      from: device)
    session.process(.report(at: time), from: device)
  }

  func move() {
    session.process(
      MotionEvent(time: next(), device: mouse, delta: Vector2(x: 1, y: 0)))
  }

  /// Plays a whole stroke at once, as if it began now.
  func stroke(_ trace: Trace) {
    guard let first = trace.events.first?.time else { return }
    let start = next()
    session.process(.absolute(.slot, 0, at: start), from: touchpad)
    for var event in trace.events {
      event.time = start + (event.time - first)
      last = max(last, event.time)
      session.process(event, from: touchpad)
    }
  }

  func see(_ change: (inout SeatState) -> Void) {
    change(&observation)
    broker.seatChanged(to: observation)
  }

  // MARK: Floods

  /// Motion at a steady rate, and how late each was through the pipeline.
  private struct Flood {
    var due: EventTime
    var left: Int
    let interval: EventInterval
    var latencies: [Int64] = []
  }

  /// - Parameter rate: events a second.
  func pour(_ count: Int, rate: Int) {
    flood = Flood(
      due: InputLoop.now, left: count,
      interval: EventInterval(microseconds: Int64(1_000_000 / rate)))
  }

  private func pour() {
    guard var flood else { return }
    while flood.left > 0, flood.due <= InputLoop.now {
      let due = flood.due
      session.process(MotionEvent(time: due, device: mouse, delta: Vector2(x: 1, y: 0)))
      last = max(last, due)
      flood.latencies.append((InputLoop.now - due).microseconds)
      flood.due = due + flood.interval
      flood.left -= 1
    }
    self.flood = flood
    guard flood.left == 0 else { return }
    self.flood = nil
    let sorted = flood.latencies.sorted()
    func share(_ part: Double) -> Int64 { sorted[Int(Double(sorted.count - 1) * part)] }
    say("flood p50 \(share(0.5)) p99 \(share(0.99)) max \(sorted.last ?? 0) us")
  }
}
