public import GlissEvents
public import GlissHotkeys
public import GlissSession

/// Live input devices as a ``Source``: touchpads as the kernel tells of them, all else through libinput.
///
/// udev finds them, also those that are plugged in later. A device that cannot be opened is reported with what to do
/// about it, and the rest are read. Nothing is grabbed. One thread calls everything but ``stop()``; nothing wakes it but
/// input and the session's deadlines.
public final class LiveDevices: Source {
  /// Called for each device that is read from now on; the session knows it by then.
  public var didAdd: ((FoundDevice, DeviceID) -> Void)?
  /// Called for each device that cannot be read, once for each reason.
  public var didRefuse: ((RefusedDevice) -> Void)?
  /// Called after each packet has been handled, with the kernel's time of it: what a measurement of latency starts from.
  public var didHandle: ((EventTime) -> Void)?
  /// Called with what libinput has to say of a device.
  public var didWarn: ((String) -> Void)?

  /// Which events anybody wants: devices that can only give others are left alone. Set before ``run(into:)``.
  public var wanted: EventMask = .all

  /// When ``didRing`` is to be called once; a handler may set it again.
  public var alarm: EventTime?
  /// Called when the time of ``alarm`` has come.
  public var didRing: (() -> Void)?

  /// How often the kernel has dropped events of touchpads because they were not read in time; known once
  /// ``run(into:)`` has returned.
  public private(set) var lossCount = 0

  /// Keys that are kept from the rest of the desktop beside those of the session's own hotkeys, for a handler that goes by
  /// hotkeys of its own (``GlissSession/Session/keepKey()``).
  public var consumed = ConsumedKeys.none {
    didSet { if consumed != oldValue { hasNewWishes = true } }
  }
  /// Whether any key may be kept from the desktop now; not while its screen is locked, say.
  public var mayConsume = true {
    didSet { if mayConsume != oldValue { hasNewWishes = true } }
  }
  /// Called when keyboards are grabbed so that hotkeys can be consumed, given back, and when that cannot be.
  public var didTellOfGrabs: ((GrabNews) -> Void)?

  /// What the devices are waited for with; other descriptors may join.
  public let loop: EventLoop

  /// So many packets are handled before others than the devices are looked at again.
  private static let turn = 64

  private let selection: DeviceSelection
  private let finder: DeviceFinder
  /// Devices came or went.
  private var hasNews = false
  /// Of some that did nobody was told.
  private var mustLook = false
  /// Other keys are to be kept than before.
  var hasNewWishes = false
  /// There while devices are read.
  private(set) var grabs: Grabs?

  /// - Throws: where the process may open no more descriptors.
  public init(_ selection: DeviceSelection = .defaultSeat) throws(DeviceError) {
    self.selection = selection
    loop = try EventLoop()
    finder = try DeviceFinder()
  }

  /// Reads until ``stop()`` is called, or until devices that were named or handed over are all gone; ends with
  /// ``Session/finish()``.
  ///
  /// - Throws: where devices cannot be listed, udev cannot be listened to, or waiting fails.
  public func run(into session: Session) throws(DeviceError) {
    let roster = Roster(loop, session)
    roster.didAdd = didAdd
    roster.didRefuse = didRefuse
    roster.didWarn = didWarn
    roster.grabs.didTell = didTellOfGrabs
    grabs = roster.grabs
    hasNewWishes = true
    session.consumptionDidChange = { [unowned self] in hasNewWishes = true }
    let monitor = try finder.listen()
    defer {
      lossCount = roster.lossCount
      loop.unwatch(monitor)
      roster.close()
      grabs = nil
      session.consumptionDidChange = nil
      // what is cut off lasted until now
      session.advance(to: EventLoop.now)
      session.finish()
      loop.resume()
    }
    try loop.watch(monitor) { [unowned self] in hasNews = true }
    try open(roster, session)
    while !loop.isStopping && !isOver(roster) {
      try turn(roster, session)
    }
  }

  /// Makes ``run(into:)`` return; from any thread, and from a signal handler.
  public func stop() { loop.stop() }

  // MARK: Finding

  private func open(_ roster: Roster, _ session: Session) throws(DeviceError) {
    switch selection {
    case .seat: try look(roster, session)
    case .paths(let paths):
      for found in finder.devices(at: paths) {
        roster.add(found)
        try catchUp(roster, session)
      }
    case .descriptors(let descriptors):
      for descriptor in descriptors {
        let found = finder.device(of: descriptor) ?? FoundDevice.unknown("descriptor \(descriptor)")
        roster.add(found, descriptor: descriptor)
        try catchUp(roster, session)
      }
    }
  }

  /// Opens what is there and is not open yet.
  private func look(_ roster: Roster, _ session: Session) throws(DeviceError) {
    for found in try finder.devices() {
      if loop.isStopping { return }
      consider(found, roster)
      try catchUp(roster, session)
    }
  }

  /// Opening takes time, a slow device's more than a second, and the session's time passes with each that comes: what
  /// those before it have told by now must not be told as of then.
  private func catchUp(_ roster: Roster, _ session: Session) throws(DeviceError) {
    try loop.wait(until: .zero)
    _ = handle(roster, session)
  }

  /// The next that udev tells, once all is told that happened before.
  private func hear(_ roster: Roster, _ session: Session, isQuiet: Bool) throws(DeviceError) {
    guard roster.ready.isEmpty else { return }
    if hasNews {
      switch finder.change() {
      case .present(let found): consider(found, roster)
      case .gone(let path): roster.remove(path)
      case .missed: mustLook = true
      case nil: hasNews = false
      }
    } else if mustLook, isQuiet {
      // those that are gone have said so themselves
      mustLook = false
      if case .seat = selection { try look(roster, session) }
    }
  }

  /// A device that is there, was plugged in, or has changed.
  private func consider(_ found: FoundDevice, _ roster: Roster) {
    guard case .seat(let seat) = selection else { return }
    guard found.seat == seat, !found.isOwn else { return roster.remove(found.path) }
    let classes = found.classes.isEmpty && !found.isInitialized ? .touchpad : found.classes
    switch DeviceNeed(classes, for: wanted) {
    case .none: break
    case .helpful: roster.add(found, isQuiet: true)
    case .wanted: roster.add(found)
    }
  }

  private func isOver(_ roster: Roster) -> Bool {
    switch selection {
    case .seat: false
    case .paths, .descriptors: roster.isEmpty
    }
  }

  // MARK: Turning

  private func turn(_ roster: Roster, _ session: Session) throws(DeviceError) {
    if hasNewWishes { tellWishes(roster, session) }
    let deadline = EventTime.earlier(
      EventTime.earlier(session.deadline, alarm), roster.grabs.deadline)
    let isIdle = roster.ready.isEmpty && !hasNews && !mustLook
    // what clients ask for may set the alarm
    let count = try loop.wait(
      until: isIdle
        ? EventTime.earlier(
          EventTime.earlier(session.deadline, alarm), roster.grabs.deadline) : .zero)
    let isQuiet = !handle(roster, session)
    // others that are ready, as sockets of clients are, must not keep the devices from being looked at
    try hear(roster, session, isQuiet: isQuiet && count < EventLoop.capacity)
    guard let deadline, deadline <= EventLoop.now else { return }
    // where input came first its times let the session's pass; where none did, no more passes than to what was due, for
    // what comes next may have happened by now
    if isQuiet, let due = session.deadline, due <= deadline { session.advance(to: due) }
    if let due = roster.grabs.deadline, due <= deadline { roster.grabs.advance(to: EventLoop.now) }
    if let due = alarm, due <= deadline {
      alarm = nil
      didRing?()
    }
  }

  /// Reads those that are ready, and hands over what they have in order of time.
  ///
  /// - Returns: whether they had anything.
  private func handle(_ roster: Roster, _ session: Session) -> Bool {
    if roster.ready.isEmpty { return false }
    var index = roster.ready.queues.count - 1
    while index >= 0 {
      let queue = roster.ready.queues[index]
      switch queue.read() {
      case .events, .nothing: break
      case .gone: roster.lose(queue, 0)
      case .failed(let code): roster.lose(queue, code)
      }
      index -= 1
    }
    var left = Self.turn
    while left > 0, let queue = roster.ready.earliest {
      if let time = queue.deliver(into: session) { didHandle?(time) }
      left -= 1
    }
    roster.ready.removeEmpty()
    return left < Self.turn
  }
}
