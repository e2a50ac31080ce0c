public import GlissEvents
public import GlissGestures
public import GlissHotkeys

/// The centre of one process's input: takes devices and their events, reports gestures, touches and
/// keys.
///
/// A session has no clock, no file descriptor and no thread. A ``Source`` feeds it and advances its
/// time. Its handlers are called inline. They must not feed the session, advance, interrupt or
/// finish it, or add devices, and only one thread at a time may use it: anything else is a
/// programming error and traps.
public final class Session {
  /// Receives events, called inline.
  public typealias Handler = (InputEvent) -> Void

  // Exclusivity is checked once per call (``enter()``) instead of at each access: those checks took
  // a quarter of a frame's instructions, here and in the objects the session owns.
  private let configuration: GestureConfiguration
  /// By the number in their ``GlissEvents/DeviceID``; `nil` if the device is gone.
  @exclusivity(unchecked) private var slots: [DevicePipeline?] = []
  @exclusivity(unchecked) private var pipelines: [DevicePipeline] = []
  private let keyboard = Keyboard()
  let handlers: EventHandlers
  @exclusivity(unchecked) private var clock = RisingTime()
  /// The time of the last event, as received and on the session's own clock.
  @exclusivity(unchecked) private var stamp = EventTime(microseconds: .min)
  @exclusivity(unchecked) private var now = EventTime.zero
  /// The time given to the last ``interrupt(at:)``: earlier events are not reported, however late
  /// they are read.
  @exclusivity(unchecked) private var interruption = EventTime(microseconds: .min)
  /// The devices that have had such events since the last event of another kind.
  @exclusivity(unchecked) private var late: [DevicePipeline] = []
  @exclusivity(unchecked) private var isBusy = false

  /// Creates a session without devices; `configuration` applies to all that are added.
  public init(
    configuration: GestureConfiguration = GestureConfiguration(),
    hotkeys: HotkeyConfiguration = HotkeyConfiguration()
  ) {
    self.configuration = configuration
    handlers = EventHandlers(hotkeys)
  }

  /// Calls `handler` inline for every event in `mask`, in the order of registration.
  ///
  /// - Returns: a token that removes the handler.
  @discardableResult
  public func addHandler(
    matching mask: EventMask = .all, _ handler: @escaping Handler
  ) -> HandlerToken {
    handlers.add(handler, matching: mask)
  }

  /// Calls `handler` inline for every gesture: ``addHandler(matching:_:)`` for gestures alone.
  @discardableResult
  public func onGesture(_ handler: @escaping (GestureEvent) -> Void) -> HandlerToken {
    addHandler(matching: .gesture) { event in
      if case .gesture(let gesture) = event { handler(gesture) }
    }
  }

  /// Calls `decided` for every decision of the recognizers, with its evidence, and `weighed` after
  /// every frame in which motion was weighed, with how the meanings compare.
  package func explain(
    _ decided: @escaping (Decision) -> Void, weighed: ((Evidence) -> Void)? = nil
  ) {
    (handlers.onDecision, handlers.onEvidence) = (decided, weighed)
  }

  /// The event sequences that are in use.
  var sequences = OpenSequences()

  /// Chooses the configuration of each device added from now on; without it all use the session's
  /// own.
  public var configurationForDevice: ((Device) -> GestureConfiguration)?

  /// Chooses the configuration of all devices again. Each takes effect once no finger is down.
  package func configureAgain() {
    for pipeline in pipelines {
      pipeline.configure(configurationForDevice?(pipeline.device) ?? configuration)
    }
  }

  /// The sessions that receive all of this one's input.
  @exclusivity(unchecked) private var followers: [Session] = []

  /// Feeds all input of this session to `follower` too, right after: the same devices with the same
  /// numbers, the same events, the same time. That way one source feeds several configurations.
  /// Motion and scrolling are not passed on, as recognizers do not use them.
  ///
  /// A follower without a ``keyRepeat`` of its own gets this session's, now and whenever it is set.
  /// Its keys have no text until it has a `keyTranslator` of its own: a translator knows which keys
  /// are down, so two sessions cannot share one.
  ///
  /// Call this once for each, before any device is added, with a session without devices that
  /// nothing else feeds.
  public func addFollower(_ follower: Session) {
    precondition(!follower.reaches(self), "a session must not follow itself")
    precondition(!followers.contains { $0 === follower }, "it follows this session already")
    precondition(slots.isEmpty && follower.slots.isEmpty, "there are devices already")
    followers.append(follower)
    if follower.inheritsKeyRepeat { follower.setKeyRepeat(keyRepeat) }
  }

  private func reaches(_ other: Session) -> Bool {
    self === other || followers.contains { $0.reaches(other) }
  }

  /// Called when consuming hotkeys are registered or unregistered. A source that can withhold keys
  /// from the rest of the desktop adapts to it.
  package var consumptionDidChange: (() -> Void)?
  /// Whether a key reported since this was set to `false` must be withheld from the rest of the
  /// desktop, from press to release. A handler that matches hotkeys of its own may set it to `true`.
  package var keepsKey: Bool {
    get { handlers.isKept }
    set { handlers.isKept = newValue }
  }

  // MARK: Keys

  /// Called before all keys of a device are released because it is gone or its stream broke. Those
  /// releases are no reason to act.
  package var willReleaseKeys: ((DeviceID, EventTime) -> Void)? {
    get { handlers.willReleaseKeys }
    set { handlers.willReleaseKeys = newValue }
  }

  package var translator: (any KeyTranslator)? {
    get { keyboard.translator }
    set { keyboard.translator = newValue }
  }

  /// How a held key repeats; repeats in the events are then ignored. `nil`, the default, if the
  /// events carry their own repeats, as recordings do. ``GlissDevices/LiveDevices`` sets this if
  /// it is `nil`. Followers without one of their own get it, too.
  public var keyRepeat: KeyRepeat? {
    get { keyboard.keyRepeat }
    set {
      inheritsKeyRepeat = newValue == nil
      setKeyRepeat(newValue)
    }
  }

  /// Whether the rate is that of the session that this one follows.
  private var inheritsKeyRepeat = true

  private func setKeyRepeat(_ rate: KeyRepeat?) {
    keyboard.keyRepeat = rate
    for follower in followers where follower.inheritsKeyRepeat { follower.setKeyRepeat(rate) }
  }

  /// All present devices, in the order they were added.
  public var devices: [Device] { pipelines.map(\.device) }

  /// The keys that are down on any device, by number, without buttons of mice and pads.
  public var heldKeys: [Key] { keyboard.held }

  /// The modifiers that are down on any device.
  public var modifiers: Modifiers { keyboard.modifiers }

  private func press(_ key: Key, _ value: Int32, on pipeline: DevicePipeline) {
    keyboard.process(key, value, from: pipeline.device.id, at: now, into: handlers)
    // a late key must not end a hold that was reported
    guard value == 1, !key.isButton, !handlers.isMute else { return }
    for other in pipelines where pipeline.device.isTyped(over: other.device) {
      other.keyPressed(key, with: keyboard.modifiers, at: now, into: handlers)
    }
  }

  /// Begins a call that changes the session; ``leave()`` ends it.
  private func enter() {
    precondition(
      !isBusy,
      "the session is in use: its own handlers must not feed, advance, interrupt or finish it,"
        + " and only one thread may use it at a time")
    isBusy = true
  }

  private func leave() {
    // A handler has unregistered a hotkey that was held.
    if handlers.hasWaiting { handlers.reportHotkeys() }
    isBusy = false
  }

  /// Reports queued hotkeys, now or when the current call ends.
  func reportWaitingHotkeys() {
    guard !isBusy else { return }
    enter()
    leave()
  }

  /// The time of the last event, on the session's own clock.
  package var lastTime: EventTime { now }

  // MARK: Devices

  /// Adds `device`; the session gives it its ``GlissEvents/DeviceID``, which its events then carry.
  ///
  /// - Parameter time: when it was plugged in, for a ``GlissEvents/DeviceEvent``. If this is `nil`,
  ///   none is reported.
  public func add(_ device: Device, at time: EventTime? = nil) -> DeviceID {
    enter()
    defer { leave() }
    var device = device
    device.id = DeviceID(rawValue: UInt32(slots.count))
    let units = devices(named: device.name).compactMap { self.device($0)?.unit }
    device.unit = (1...units.count + 1).first { !units.contains($0) } ?? 1
    let pipeline = DevicePipeline(device, configurationForDevice?(device) ?? configuration)
    slots.append(pipeline)
    pipelines.append(pipeline)
    if let time { announce(device.id, .added, at: time) }
    for follower in followers { _ = follower.add(device, at: time) }
    return device.id
  }

  /// The device with that id, as it was added; `nil` once it was removed.
  public func device(_ id: DeviceID) -> Device? { pipeline(id)?.device }

  package func devices(named name: String) -> [DeviceID] {
    pipelines.map(\.device).filter { $0.name == name }.map(\.id)
  }

  /// The device's stream broke but may go on: cancels everything the device had begun and releases
  /// its keys.
  public func cancel(_ device: DeviceID, at time: EventTime) {
    enter()
    defer { leave() }
    rise(to: time)
    if let pipeline = pipeline(device) { cancel(pipeline) }
    for follower in followers { follower.cancel(device, at: time) }
  }

  private func cancel(_ pipeline: DevicePipeline) {
    pipeline.cancel(at: now, into: handlers)
    keyboard.releaseAll(of: pipeline.device.id, at: now, into: handlers)
  }

  /// Cancels and releases everything in progress on all devices at once: the screen was locked, or
  /// the user is typing a secret. The streams go on.
  ///
  /// Keys and buttons that are still held are ignored until they are pressed again, and fingers
  /// still on a pad until they land again. Sequences of hotkeys start over, and the mode stays.
  /// Events from before `time` that arrive after this call, because they had not been read yet, are
  /// not reported, nor is anything they began.
  public func interrupt(at time: EventTime) {
    enter()
    defer { leave() }
    rise(to: time)
    handlers.cancelHotkeys(at: now)
    interrupt(pipelines)
    interruption = time
    stamp = EventTime(microseconds: .min)
    for follower in followers { follower.interrupt(at: time) }
  }

  private func interrupt(_ pipelines: [DevicePipeline]) {
    for pipeline in pipelines {
      pipeline.interrupt(at: now, into: handlers)
      keyboard.releaseAll(of: pipeline.device.id, at: now, into: handlers)
    }
  }

  /// The device is gone: cancels everything it had begun, releases its keys, and reports nothing
  /// from it again.
  public func remove(_ device: DeviceID, at time: EventTime) {
    guard let pipeline = pipeline(device) else { return }
    enter()
    defer { leave() }
    rise(to: time)
    cancel(pipeline)
    announce(device, .removed, at: time)
    slots[Int(device.rawValue)] = nil
    pipelines.removeAll { $0.device.id == device }
    late.removeAll { $0.device.id == device }
    for follower in followers { follower.remove(device, at: time) }
  }

  private func announce(_ device: DeviceID, _ change: DeviceEvent.Change, at time: EventTime) {
    rise(to: time)
    handlers.deliver(.device(DeviceEvent(time: now, device: device, change: change)))
  }

  /// A touchpad's slots with resting contacts, as bits: palms, thumbs, touches during typing.
  package func restingSlots(of device: DeviceID) -> UInt32 {
    pipeline(device)?.restingSlots ?? 0
  }

  private func pipeline(_ id: DeviceID) -> DevicePipeline? {
    let index = Int(id.rawValue)
    return index < slots.count ? slots[index] : nil
  }

  // MARK: Events

  /// Processes one event of a device. If its time is up to a second before the last event's, the
  /// session's clock stands still; if it is earlier, the clock goes on one second after that event.
  public func process(_ event: EvdevEvent, from device: DeviceID) {
    guard let pipeline = pipeline(device) else { return }
    enter()
    defer { leave() }
    var timed = event
    pass(until: event.time, for: pipeline)
    timed.time = now
    switch pipeline.process(timed, into: handlers) {
    case .none, .frame: break
    case .key(let key, let value): press(key, value, on: pipeline)
    case .lost:
      reportLoss(of: pipeline)
      keyboard.releaseAll(of: device, at: now, into: handlers)
    }
    if !followers.isEmpty { for follower in followers { follower.process(event, from: device) } }
  }

  /// Events of the device were lost, but its reader knows its state anyway: everything in progress
  /// goes on.
  package func noteLoss(of device: DeviceID, at time: EventTime) {
    guard let pipeline = pipeline(device) else { return }
    enter()
    defer { leave() }
    pass(until: time, for: pipeline)
    reportLoss(of: pipeline)
    for follower in followers { follower.noteLoss(of: device, at: time) }
  }

  private func reportLoss(of pipeline: DevicePipeline) {
    let device = pipeline.device
    handlers.deliver(
      .lost(
        LossEvent(time: now, device: device.id, since: pipeline.last, kinds: device.eventKinds)))
  }

  private func pass(until time: EventTime, for pipeline: DevicePipeline? = nil) {
    // Most events of a packet carry no new time: what was due by then has been reported.
    guard time != stamp else { return }
    stamp = time
    rise(to: time)
    if handlers.isMute { noteLate(pipeline) }
  }

  /// Moves the session's clock to `time`, and reports what was due by then.
  private func rise(to time: EventTime) {
    let isLate = time < interruption
    if isLate != handlers.isMute {
      // What these devices began unreported also ends unreported.
      if !isLate { interrupt(late) }
      late = []
      handlers.isMute = isLate
      // the next event is looked at again, whatever its time
      stamp = EventTime(microseconds: .min)
    }
    // an event from before the interruption, however late, moves nothing on
    if isLate { return }
    now = clock.rise(time)
    passDeadlines(until: now)
  }

  private func noteLate(_ pipeline: DevicePipeline?) {
    // the next event with the same time may be another device's
    stamp = EventTime(microseconds: .min)
    if let pipeline, !late.contains(where: { $0 === pipeline }) { late.append(pipeline) }
  }

  /// Processes motion that the device's library has already computed.
  public func process(_ motion: MotionEvent) {
    enter()
    defer { leave() }
    var motion = motion
    pass(until: motion.time)
    motion.time = now
    handlers.deliver(.motion(motion))
  }

  /// Processes scrolling that the device's library has already computed.
  public func process(_ scroll: ScrollEvent) {
    enter()
    defer { leave() }
    var scroll = scroll
    pass(until: scroll.time)
    scroll.time = now
    handlers.deliver(.scroll(scroll), held: keyboard.modifiers)
  }

  /// When ``advance(to:)`` must be called if no event comes first, on the events' clock. Handlers
  /// must not read this: they are called while it is being determined.
  public var deadline: EventTime? {
    precondition(!isBusy, "a handler must not ask when the session that calls it is due")
    var earliest = due.map { clock.original($0) }
    for follower in followers { earliest = EventTime.earlier(earliest, follower.deadline) }
    return earliest
  }

  /// The same on the session's own clock.
  private var due: EventTime? {
    var earliest = EventTime.earlier(keyboard.deadline, handlers.matcher.deadline)
    for pipeline in pipelines {
      guard let deadline = pipeline.deadline else { continue }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }

  /// Advances the clock to `time`: holds begin, timeouts end, held keys repeat.
  public func advance(to time: EventTime) {
    enter()
    defer { leave() }
    rise(to: time)
    for follower in followers { follower.advance(to: time) }
  }

  private func passDeadlines(until time: EventTime) {
    while let due, due <= time {
      for pipeline in pipelines where pipeline.deadline == due {
        pipeline.advance(to: due, into: handlers)
      }
      if handlers.matcher.deadline == due { handlers.matcher.advance(to: due) }
      // Repeats that were missed are left out.
      if keyboard.deadline == due { keyboard.advance(to: time, into: handlers) }
    }
  }

  /// The input is over: cancels all touches and releases all keys.
  ///
  /// The session can be used again; its times start over. Its devices stay until they are removed,
  /// and sequences of ``events(matching:)`` go on.
  public func finish() {
    guard let last = clock.last else { return }
    enter()
    defer { leave() }
    now = last
    clock.restart()
    stamp = EventTime(microseconds: .min)
    if handlers.isMute { interrupt(late) }
    late = []
    handlers.isMute = false
    for pipeline in pipelines { cancel(pipeline) }
    // what comes next has a clock of its own
    interruption = EventTime(microseconds: .min)
    for follower in followers { follower.finish() }
  }
}

/// Feeds a ``Session``: a recording, devices, another process.
public protocol Source {
  /// The errors of this kind of source.
  associatedtype Failure: Error

  /// Delivers everything to `session`, in order of time, and ends with ``Session/finish()``.
  mutating func run(into session: Session) throws(Failure)
}

extension Source {
  /// All gestures of this source, as a new session recognizes them; useful in tests.
  ///
  /// - Throws: what ``run(into:)`` throws.
  public consuming func gestures(
    _ configuration: GestureConfiguration = GestureConfiguration()
  ) throws(Failure) -> [GestureEvent] {
    var gestures: [GestureEvent] = []
    let session = Session(configuration: configuration)
    session.onGesture { gestures.append($0) }
    var source = self
    try source.run(into: session)
    return gestures
  }
}
