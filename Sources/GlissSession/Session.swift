public import GlissEvents
public import GlissGestures
public import GlissHotkeys

/// Where one process's input meets: devices and their events in, gestures, touches and keys out.
///
/// A session has no clock, no descriptor and no thread. A ``Source`` feeds it and lets its time pass; its
/// handlers are called inline, and must not feed the session themselves: that is a programming error and traps.
public final class Session {
  /// An inline receiver of events.
  public typealias Handler = (InputEvent) -> Void

  // What the compiler would check at each access is checked once for each call (``enter()``): those checks were a
  // quarter of a frame's instructions, here and in what the session keeps.
  private let configuration: GestureConfiguration
  /// By the number in their ``DeviceID``; `nil` where the device is gone.
  @exclusivity(unchecked) private var slots: [DevicePipeline?] = []
  /// Those that are there, in the order they came in.
  @exclusivity(unchecked) private var pipelines: [DevicePipeline] = []
  private let keyboard = Keyboard()
  private let outlet: Outlet
  @exclusivity(unchecked) private var clock = RisingTime()
  /// The time of the last event as it came, and as it counts.
  @exclusivity(unchecked) private var stamp = EventTime(microseconds: .min)
  @exclusivity(unchecked) private var now = EventTime.zero
  /// When ``interrupt(at:)`` was called last, as its time came: what happened before is nobody's any more, however late
  /// it is read.
  @exclusivity(unchecked) private var interruption = EventTime(microseconds: .min)
  /// A call is under way.
  @exclusivity(unchecked) private var isBusy = false

  /// A session without devices; `configuration` holds for all that are added.
  public init(
    configuration: GestureConfiguration = GestureConfiguration(),
    hotkeys: HotkeyConfiguration = HotkeyConfiguration()
  ) {
    self.configuration = configuration
    outlet = Outlet(hotkeys)
  }

  /// Calls `handler` inline for every event that `mask` names, in the order of registration.
  public func addHandler(matching mask: EventMask = .all, _ handler: @escaping Handler) {
    outlet.add(handler, matching: mask)
  }

  /// Calls `handler` for every decision the recognizers take, with the evidence they took it on.
  public func addDecisionHandler(_ handler: @escaping (Decision) -> Void) {
    outlet.add(handler)
  }

  /// What devices that are added from now on are recognized with; without it all with the session's own configuration.
  public var configurationOf: ((Device) -> GestureConfiguration)?

  /// Those that get all that this one gets.
  @exclusivity(unchecked) private var followers: [Session] = []

  /// Hands all that this session gets to `follower` too, right after: the same devices, which have the same numbers there,
  /// the same events, the same time. So one source feeds several configurations. Motion and scrolling, which are nothing
  /// to recognizers, it keeps.
  ///
  /// To be called before there are devices, on a session that has none and is fed by nobody else.
  public func addFollower(_ follower: Session) {
    precondition(slots.isEmpty && follower.slots.isEmpty, "there are devices already")
    followers.append(follower)
  }

  /// Asked before recognizers and handlers.
  var monitors: MonitorChain { outlet.monitors }
  /// Asked after the monitors.
  var hotkeyDesk: HotkeyDesk { outlet.hotkeys }

  /// Called when hotkeys that consume have come or gone; whoever feeds the session and can keep keys from the rest of the
  /// desktop follows it.
  package var consumptionDidChange: (() -> Void)?
  /// A key that was told since this was set to `false` is to be kept from the rest of the desktop.
  package var keepsKey: Bool {
    get { outlet.isKept }
    set { outlet.isKept = newValue }
  }

  // MARK: Keys

  /// Gives keys their keysym and text; without one they have neither. Set before events come.
  public var keyTranslator: (any KeyTranslator)? {
    get { keyboard.translator }
    set { keyboard.translator = newValue }
  }

  /// How a held key repeats; what events say of repeats is then left out. `nil`, as it is at first, where they bring
  /// their own repeats, as recordings do.
  public var keyRepeat: KeyRepeat? {
    get { keyboard.keyRepeat }
    set { keyboard.keyRepeat = newValue }
  }

  /// All devices that are there, in the order they came.
  public var devices: [Device] { pipelines.map(\.device) }

  /// The keys that are down on any device, by number; buttons of mice and pads are not among them.
  public var heldKeys: [Key] { keyboard.held }

  /// The modifiers that are down on any device.
  public var modifiers: Modifiers { keyboard.modifiers }

  private func press(_ key: Key, _ value: Int32, on pipeline: DevicePipeline) {
    keyboard.process(key, value, from: pipeline.device.id, at: now, into: outlet)
    guard value == 1, !key.isButton else { return }
    for other in pipelines where pipeline.device.isTyped(over: other.device) {
      other.keyPressed(key, with: keyboard.modifiers, at: now, into: outlet)
    }
  }

  /// Begins a call that changes the session; ``leave()`` ends it.
  private func enter() {
    precondition(!isBusy, "a handler must not feed the session that calls it")
    isBusy = true
  }

  private func leave() {
    // a handler has taken away one that was held
    if outlet.hotkeys.hasWaiting { outlet.tellHotkeys() }
    isBusy = false
  }

  /// Tells hotkeys that wait, now or when the call that is under way ends.
  func tellWaitingHotkeys() {
    guard !isBusy else { return }
    enter()
    leave()
  }

  /// The time of the last event as it counts.
  var lastTime: EventTime { now }

  // MARK: Devices

  /// Makes `device` known; the session gives it its ``DeviceID``, which its events then carry.
  ///
  /// - Parameter time: when it was plugged in, for a ``DeviceEvent``; without it nobody is told.
  public func add(_ device: Device, at time: EventTime? = nil) -> DeviceID {
    enter()
    defer { leave() }
    var device = device
    device.id = DeviceID(rawValue: UInt32(slots.count))
    let pipeline = DevicePipeline(device, configurationOf?(device) ?? configuration)
    slots.append(pipeline)
    pipelines.append(pipeline)
    if let time { announce(device.id, .added, at: time) }
    for follower in followers { _ = follower.add(device, at: time) }
    return device.id
  }

  /// The device with that id, as it was added; `nil` once it was removed.
  public func device(_ id: DeviceID) -> Device? { pipeline(id)?.device }

  /// The device's stream broke, and it may go on: everything it had begun is cancelled, its keys are released.
  public func cancel(_ device: DeviceID, at time: EventTime) {
    enter()
    defer { leave() }
    rise(to: time)
    if let pipeline = pipeline(device) { cancel(pipeline) }
    for follower in followers { follower.cancel(device, at: time) }
  }

  private func cancel(_ pipeline: DevicePipeline) {
    pipeline.cancel(at: now, into: outlet)
    keyboard.releaseAll(of: pipeline.device.id, at: now, into: outlet)
  }

  /// Everything that is under way is cancelled and released on all devices, at once: the screen was locked, or somebody
  /// types a secret. The streams go on.
  ///
  /// Keys and buttons that are still held are nothing until they are pressed anew, fingers that still lie on a pad
  /// nothing until they land anew; sequences of hotkeys begin anew, and the mode stays. What happened before `time` and
  /// comes after this call, because nobody had read it yet, is told to nobody, nor what it began.
  public func interrupt(at time: EventTime) {
    enter()
    defer { leave() }
    rise(to: time)
    outlet.hotkeys.cancel(at: now)
    outlet.tellHotkeys()
    interruptAll()
    interruption = time
    stamp = EventTime(microseconds: .min)
    for follower in followers { follower.interrupt(at: time) }
  }

  private func interruptAll() {
    for pipeline in pipelines {
      pipeline.interrupt(at: now, into: outlet)
      keyboard.releaseAll(of: pipeline.device.id, at: now, into: outlet)
    }
  }

  /// The device is gone: everything it had begun is cancelled, its keys are released, and nobody hears of it again.
  public func remove(_ device: DeviceID, at time: EventTime) {
    guard let pipeline = pipeline(device) else { return }
    enter()
    defer { leave() }
    rise(to: time)
    cancel(pipeline)
    announce(device, .removed, at: time)
    slots[Int(device.rawValue)] = nil
    pipelines.removeAll { $0.device.id == device }
    for follower in followers { follower.remove(device, at: time) }
  }

  private func announce(_ device: DeviceID, _ change: DeviceEvent.Change, at time: EventTime) {
    rise(to: time)
    outlet.deliver(.device(DeviceEvent(time: now, device: device, change: change)))
  }

  private func pipeline(_ id: DeviceID) -> DevicePipeline? {
    let index = Int(id.rawValue)
    return index < slots.count ? slots[index] : nil
  }

  // MARK: Events

  /// One event of a device. Time that goes back a little stands still; where it goes back far it counts on from there
  /// (``RisingTime``).
  public func process(_ event: EvdevEvent, from device: DeviceID) {
    guard let pipeline = pipeline(device) else { return }
    enter()
    defer { leave() }
    var timed = event
    pass(until: event.time)
    timed.time = now
    switch pipeline.process(timed, into: outlet) {
    case .none: break
    case .key(let key, let value): press(key, value, on: pipeline)
    case .lost:
      tellLoss(of: pipeline)
      keyboard.releaseAll(of: device, at: now, into: outlet)
    }
    if !followers.isEmpty { for follower in followers { follower.process(event, from: device) } }
  }

  /// Events of the device were lost, and whoever reads it knows its state all the same: what is under way goes on.
  package func noteLoss(of device: DeviceID, at time: EventTime) {
    guard let pipeline = pipeline(device) else { return }
    enter()
    defer { leave() }
    pass(until: time)
    tellLoss(of: pipeline)
    for follower in followers { follower.noteLoss(of: device, at: time) }
  }

  private func tellLoss(of pipeline: DevicePipeline) {
    let device = pipeline.device
    outlet.deliver(
      .lost(
        LossEvent(time: now, device: device.id, since: pipeline.last, kinds: device.eventKinds)))
  }

  private func pass(until time: EventTime) {
    // most events of a packet bring no new time: what was due by then has been told
    guard time != stamp else { return }
    stamp = time
    rise(to: time)
  }

  /// What was due by then is told first.
  private func rise(to time: EventTime) {
    let isLate = time < interruption
    if isLate != outlet.isMute {
      // what began unheard ends so
      if !isLate { interruptAll() }
      outlet.isMute = isLate
    }
    now = clock.rise(time)
    passDeadlines(until: now)
  }

  /// Motion that the device's library has worked out already.
  public func process(_ motion: MotionEvent) {
    enter()
    defer { leave() }
    var motion = motion
    pass(until: motion.time)
    motion.time = now
    outlet.deliver(.motion(motion))
  }

  /// Scrolling that the device's library has worked out already.
  public func process(_ scroll: ScrollEvent) {
    enter()
    defer { leave() }
    var scroll = scroll
    pass(until: scroll.time)
    scroll.time = now
    outlet.deliver(.scroll(scroll), held: keyboard.modifiers)
  }

  /// When ``advance(to:)`` must be called if no event comes first, on the clock that events come with. No handler may
  /// ask: it is called in the middle of what decides it.
  public var deadline: EventTime? {
    precondition(!isBusy, "a handler must not ask when the session that calls it is due")
    var earliest = due.map { clock.original($0) }
    for follower in followers { earliest = EventTime.earlier(earliest, follower.deadline) }
    return earliest
  }

  /// The same on the session's own clock.
  private var due: EventTime? {
    var earliest = EventTime.earlier(keyboard.deadline, outlet.hotkeys.deadline)
    for pipeline in pipelines {
      guard let deadline = pipeline.deadline else { continue }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }

  /// Lets time pass up to `time`: holds begin, waits end, held keys repeat.
  public func advance(to time: EventTime) {
    enter()
    defer { leave() }
    rise(to: time)
    for follower in followers { follower.advance(to: time) }
  }

  private func passDeadlines(until time: EventTime) {
    while let due, due <= time {
      for pipeline in pipelines where pipeline.deadline == due {
        pipeline.advance(to: due, into: outlet)
      }
      if outlet.hotkeys.deadline == due { outlet.hotkeys.advance(to: due) }
      // what it has missed it leaves out
      if keyboard.deadline == due { keyboard.advance(to: time, into: outlet) }
    }
  }

  /// The input is over: what is still touching is cancelled, what is still pressed is released.
  ///
  /// The session can be used again, with times that begin anew.
  public func finish() {
    guard let last = clock.last else { return }
    enter()
    defer { leave() }
    now = last
    clock.restart()
    stamp = EventTime(microseconds: .min)
    for pipeline in pipelines { cancel(pipeline) }
    for follower in followers { follower.finish() }
  }
}
