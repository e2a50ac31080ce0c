public import GlissEvents
package import GlissHotkeys
public import GlissSession

/// Live input devices as a ``GlissSession/Source``. Touchpads are read directly from the kernel,
/// everything else through libinput.
///
/// udev finds the devices, including those plugged in later. A device that cannot be opened is
/// reported with advice, and the rest are read. Keyboards are only grabbed to consume keys.
/// Everything must be called on one thread, except for the methods of its ``handle``. It has
/// no periodic timer.
/// ``events(matching:of:configuration:didRefuse:didFindNone:didMiss:)`` reads on a separate thread.
public final class LiveDevices: Source {
  /// Called when reading a device starts, with its device node. The session already knows it.
  public var didAdd: ((_ device: Device, _ path: String) -> Void)?
  /// Called just before ``didAdd``, with what udev says about the device.
  package var didOpen: ((FoundDevice, DeviceID) -> Void)?
  /// Called for each device that cannot be read, once per reason. Without it, ``run(into:)`` throws
  /// the first such reason if it cannot read any device at its start.
  public var didRefuse: ((RefusedDevice) -> Void)?
  /// Called once at the start of ``run(into:)`` if the seat has no device for ``eventKinds``. The
  /// run then waits for one to be plugged in.
  public var didFindNone: (() -> Void)?
  /// Called after each packet has been handled, with its kernel timestamp, for measuring latency.
  package var didHandle: ((EventTime) -> Void)?
  /// Called with libinput's messages, and if xkb does not know the layout that was found: keys then
  /// have the text of its default layout, or none if it does not load that either.
  public var didWarn: ((String) -> Void)?

  /// The kinds of events to read. Devices that only provide others are not opened. Set it before
  /// ``run(into:)``.
  public var eventKinds: EventMask = .all

  /// How held keys repeat in a session without a ``GlissSession/Session/keyRepeat`` of its own;
  /// `nil` if they do not. Set it before ``run(into:)``.
  public var keyRepeat: KeyRepeat? = .standard

  /// When to call ``didRing``. It fires once; a handler may set it again.
  package var alarm: EventTime?
  /// Called at ``alarm``.
  package var didRing: (() -> Void)?

  /// How often the kernel dropped touchpad events because they were not read in time. Set when
  /// ``run(into:)`` returns.
  public private(set) var lossCount = 0

  /// Keys to consume in addition to those of the session's own hotkeys, for a handler with hotkeys
  /// of its own (``GlissSession/Session/keepsKey``).
  package var consumed = ConsumedKeys.none {
    didSet { if consumed != oldValue { consumptionChanged = true } }
  }
  /// Whether keys may be consumed now. Set it to false while the screen is locked, for example.
  public var mayConsume = true {
    didSet { if mayConsume != oldValue { changeConsumption() } }
  }
  /// Called when a keyboard is grabbed so that hotkeys can be consumed, when it is given back, and
  /// when grabbing fails.
  public var didChangeGrab: ((GrabChange) -> Void)?

  /// Called when a touchpad is grabbed so that strokes can be hidden, when it is given back, and
  /// when grabbing fails.
  package var didChangeTwin: ((GrabChange) -> Void)?

  /// The loop that waits for the devices. Other descriptors may be added.
  public let loop: InputLoop

  /// The most packets handled before everything else gets a turn.
  private static let turn = 64

  private let selection: DeviceSelection
  private let finder: DeviceFinder
  /// Devices came or went.
  private var hasChanges = false
  /// Whether changes were lost, so that devices must be listed again.
  private var mustLook = false
  /// The first device that cannot be read, if nobody is to hear of it.
  private var refused: RefusedDevice?
  /// Whether any device for ``eventKinds`` was found, readable or not.
  private var hasFound = false
  /// Reports devices that come and go, while devices are read.
  private var monitor: Int32?
  var consumptionChanged = false
  /// Touchpads are still to be grabbed or given back.
  private var strokesChanged = false
  /// Exists while devices are read.
  private(set) var grabs: Grabs?
  /// The strokes that twins of touchpads hide.
  private var hidden = (now: FingerCounts(), ever: FingerCounts())
  /// Whether twins of touchpads report resting contacts as palms.
  package var hidesResting = false { didSet { grabs?.hidesResting = hidesResting } }

  /// - Throws: If the process cannot open more descriptors.
  public init(_ selection: DeviceSelection = .defaultSeat) throws(SystemError) {
    self.selection = selection
    loop = try InputLoop()
    finder = try DeviceFinder()
  }

  /// Reads until ``stop()`` is called, or until all devices that were named or handed over are
  /// gone. Then it calls ``Session/finish()``.
  ///
  /// - Throws: If devices cannot be listed, udev cannot be listened to, or waiting fails; without
  ///   ``didRefuse`` also if no device can be read at the start.
  public func run(into session: Session) throws(SystemError) {
    let devices = openDevices(for: session)
    defer { end(devices) }
    try begin(devices)
    while !loop.isStopping && !isOver(devices) { try turn(devices) }
  }

  func openDevices(for session: Session) -> OpenDevices {
    let devices = OpenDevices(self, session)
    let grabs = devices.grabs
    grabs.news.didReport = didChangeGrab
    grabs.padNews.didReport = didChangeTwin
    grabs.hidesResting = hidesResting
    grabs.take(hidden.now, of: hidden.ever)
    self.grabs = grabs
    // libinput reports no repeats
    if session.keyRepeat == nil { session.keyRepeat = keyRepeat }
    giveLayout(to: session)
    consumptionChanged = true
    session.consumptionDidChange = { [unowned self] in changeConsumption() }
    return devices
  }

  /// Lets keys have text, and hotkeys with a character act.
  func giveLayout(to session: Session) {
    guard session.keyTranslator == nil, !eventKinds.isDisjoint(with: [.key, .hotkey]) else {
      return
    }
    do throws(SystemError) {
      let (translator, _, failure) = try XkbKeyTranslator.find()
      session.keyTranslator = translator
      if let failure { didWarn?("keys have the text of xkb's default layout: \(failure)") }
    } catch {
      didWarn?("keys have no text: \(error)")
    }
  }

  func begin(_ devices: OpenDevices) throws(SystemError) {
    let monitor = try finder.listen()
    // changes from before the devices are opened are old: they would remove one that was named and
    // is plugged in again
    while finder.change() != nil {}
    self.monitor = monitor
    try loop.watch(monitor) { [unowned self] in hasChanges = true }
    (hasFound, refused) = (false, nil)
    try open(devices)
    if devices.isEmpty, let refused { throw refused.error }
    if case .seat = selection, !hasFound, !loop.isStopping { didFindNone?() }
  }

  func end(_ devices: OpenDevices) {
    lossCount = devices.lossCount
    if let monitor { loop.unwatch(monitor) }
    devices.close()
    grabs = nil
    devices.session.consumptionDidChange = nil
    // what is still in progress lasted until now
    devices.session.advance(to: InputLoop.now)
    devices.session.finish()
    loop.resume()
  }

  /// Makes ``run(into:)`` return. From another thread or a signal handler, use the ``handle``.
  public func stop() { loop.stop() }

  /// What another thread or a signal handler keeps to stop this.
  public var handle: InputLoop.Handle { loop.handle }

  func refuse(_ device: RefusedDevice) {
    guard let didRefuse else { return refused = refused ?? device }
    didRefuse(device)
  }

  // MARK: Finding

  private func open(_ devices: OpenDevices) throws(SystemError) {
    switch selection {
    case .seat: try look(devices)
    case .paths(let paths):
      for found in finder.devices(at: paths) {
        devices.add(found)
        try catchUp(devices)
      }
    case .descriptors(let descriptors):
      for descriptor in descriptors {
        let found = finder.device(of: descriptor) ?? FoundDevice.unknown("descriptor \(descriptor)")
        devices.add(found, descriptor: descriptor)
        try catchUp(devices)
      }
    }
  }

  private func look(_ devices: OpenDevices) throws(SystemError) {
    for found in try finder.devices() {
      if loop.isStopping { return }
      consider(found, devices)
      try catchUp(devices)
    }
  }

  /// Delivers pending events between opening two devices. Opening can take more than a second, and
  /// each new device advances the session's time; events from earlier devices must keep their own.
  private func catchUp(_ devices: OpenDevices) throws(SystemError) {
    try loop.wait(until: .zero)
    _ = handle(devices)
  }

  /// Handles udev's next change, once all earlier events have been delivered.
  private func handleChange(_ devices: OpenDevices, isQuiet: Bool) throws(SystemError) {
    guard devices.ready.isEmpty else { return }
    if hasChanges {
      switch finder.change() {
      case .present(let found): consider(found, devices)
      case .gone(let path): devices.remove(path)
      case .missed: mustLook = true
      case nil: hasChanges = false
      }
    } else if mustLook, isQuiet {
      // only new devices are missing: reading a removed one fails, which removes it
      mustLook = false
      if case .seat = selection { try look(devices) }
    }
  }

  /// Handles a device that is present, was plugged in, or has changed.
  private func consider(_ found: FoundDevice, _ devices: OpenDevices) {
    guard case .seat(let seat) = selection else { return }
    guard found.seat == seat, !found.isOwn else { return devices.remove(found.path) }
    let classes = found.classes.isEmpty && !found.isInitialized ? .touchpad : found.classes
    switch DeviceNeed(classes, for: eventKinds) {
    case .none: break
    case .helpful: devices.add(found, isQuiet: true)
    case .wanted:
      hasFound = true
      devices.add(found)
    }
  }

  func isOver(_ devices: OpenDevices) -> Bool {
    switch selection {
    case .seat: false
    case .paths, .descriptors: devices.isEmpty
    }
  }

  // MARK: The loop

  /// When ``turn(_:mayWait:)`` must be called if no descriptor is ready first.
  func deadline(_ devices: OpenDevices) -> EventTime? {
    mustTurn(devices) ? .zero : due(devices)
  }

  /// Whether there is something to do before anything else happens.
  private func mustTurn(_ devices: OpenDevices) -> Bool {
    !devices.ready.isEmpty || hasChanges || mustLook || consumptionChanged || strokesChanged
  }

  private func due(_ devices: OpenDevices) -> EventTime? {
    EventTime.earlier(
      EventTime.earlier(devices.session.deadline, alarm), devices.grabs.deadline)
  }

  func turn(_ devices: OpenDevices, mayWait: Bool = true) throws(SystemError) {
    if consumptionChanged { updateConsumption(devices) }
    if strokesChanged {
      strokesChanged = false
      devices.grabs.settlePads()
    }
    var deadline: EventTime?
    // evaluated after the loop's work: clients' requests may set the alarm there
    func wake() -> EventTime? {
      deadline = due(devices)
      return mayWait && !mustTurn(devices) ? deadline : .zero
    }
    let count = try loop.wait(until: wake())
    let isQuiet = !handle(devices)
    // other ready descriptors, such as client sockets, must not delay listing the devices
    try handleChange(devices, isQuiet: isQuiet && count < InputLoop.capacity)
    guard let deadline, deadline <= InputLoop.now else { return }
    // timestamps of input advance the session; without input, advance it only to the due deadline,
    // because an earlier event may have arrived by now
    if isQuiet, let due = devices.session.deadline, due <= deadline {
      devices.session.advance(to: due)
    }
    if let due = devices.grabs.deadline, due <= deadline {
      devices.grabs.advance(to: InputLoop.now)
    }
    if let due = alarm, due <= deadline {
      alarm = nil
      didRing?()
    }
  }

  /// Delivers the packets of all ready queues in order of time. Returns whether there were any.
  private func handle(_ devices: OpenDevices) -> Bool {
    if devices.ready.isEmpty { return false }
    var index = devices.ready.count - 1
    while index >= 0 {
      let queue = devices.ready[index]
      if case .lost(let code) = queue.read() { devices.lose(queue, code) }
      index -= 1
    }
    var left = Self.turn
    while left > 0, let queue = devices.ready.earliest {
      if let time = queue.deliver(into: devices.session) { didHandle?(time) }
      left -= 1
    }
    devices.ready.removeAll { $0.nextTime == nil }
    return left < Self.turn
  }
}

// Keeping keys from the rest of the desktop.
extension LiveDevices {
  /// Resumes grabbing the keyboards that hotkeys need, after the panic chord or a loop stall.
  /// Handlers of the session may call it, and ``didChangeGrab`` after ``GrabChange/panic`` and
  /// ``GrabChange/stall``; after other changes it would try again without end.
  public func resumeConsuming() { resume(afterPanic: true) }

  /// Does the same, but only after a stall: it does not undo the user's panic chord.
  package func resumeConsumingAfterStall() { resume(afterPanic: false) }

  private func resume(afterPanic: Bool) {
    guard let grabs, grabs.resume(afterPanic: afterPanic) else { return }
    strokesChanged = true
    changeConsumption()
  }

  /// Checks whether keys can be kept from the desktop.
  ///
  /// - Throws: Why not, and what to do about it.
  public func checkConsuming() throws(SystemError) { try VirtualDevice.checkAccess() }

  /// While modifiers are down on a grabbed keyboard, its twin presses the chords of `keyboard` and
  /// lifts these modifiers meanwhile.
  package func lendTwins(to keyboard: UinputKeyboard) {
    keyboard.elsewhere = { [weak self] in self?.grabs?.press($0) ?? false }
  }

  /// Lets the next turn pass on what to consume. A handler of the session may call this, but
  /// grabbing cancels keys of the session, and giving back delivers events.
  private func changeConsumption() {
    consumptionChanged = true
    // another loop may wait for this one
    loop.wake()
  }

  /// Passes on the keys to consume from now on.
  func updateConsumption(_ devices: OpenDevices) {
    consumptionChanged = false
    devices.grabs.want(
      mayConsume ? consumed.union(devices.session.hotkeyTable.consumedKeys) : .none)
  }
}

// Hiding strokes from desktops that load no plugins: each touchpad is grabbed, and has a twin.
extension LiveDevices: StrokeTaking {
  package func take(_ now: FingerCounts, of ever: FingerCounts) throws(SystemError) {
    if hidden.ever.isEmpty, !ever.isEmpty { try VirtualDevice.checkAccess() }
    hidden = (now, ever)
    guard let grabs else { return }
    grabs.take(now, of: ever)
    // in the next turn, because a handler of the session may call this
    strokesChanged = true
    loop.wake()
  }

  package func decide(_ verdict: StrokeVerdict) { grabs?.decide(verdict) }
}

/// Live devices in the program's own loop: a run loop, a dispatch queue, a server's event loop.
///
/// Wait until ``descriptor`` is readable and call ``step()``, always on the same thread or queue.
/// Its ``handle`` stops it from any thread. When this is released, the reading ends like
/// ``LiveDevices/run(into:)``.
public final class EmbeddedDevices {
  private let devices: LiveDevices
  private let open: OpenDevices
  /// Makes the descriptor readable when the session is due.
  private let timer: LoopTimer

  /// Begins to read `devices` into `session`. The descriptor may be readable already.
  ///
  /// - Throws: As ``LiveDevices/run(into:)`` does at its start.
  public init(_ devices: LiveDevices, into session: Session) throws(SystemError) {
    self.devices = devices
    timer = try LoopTimer(on: devices.loop) {}
    open = devices.openDevices(for: session)
    try devices.begin(open)
    timer.due = devices.deadline(open)
  }

  deinit { devices.end(open) }

  /// What another thread or a signal handler keeps to stop this.
  public var handle: InputLoop.Handle { devices.handle }

  /// Readable when ``step()`` has something to do.
  public var descriptor: Int32 { devices.loop.descriptor }

  /// Delivers what has come, and advances the session. It does not wait.
  ///
  /// - Returns: whether to go on: `false` if it was stopped, or all devices that were named are
  ///   gone.
  /// - Throws: If devices cannot be listed, or the system call fails.
  public func step() throws(SystemError) -> Bool {
    guard !devices.loop.isStopping, !devices.isOver(open) else { return false }
    try devices.turn(open, mayWait: false)
    timer.due = devices.deadline(open)
    return !devices.loop.isStopping && !devices.isOver(open)
  }
}
