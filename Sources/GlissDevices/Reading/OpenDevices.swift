import CLinux
import Glibc
import GlissEvents
import GlissSession

final class OpenDevices {
  /// Is told what is opened, and what cannot be.
  private unowned let owner: LiveDevices
  /// The queues that have, or may have, events.
  var ready: [any InputQueue] = []

  let loop: InputLoop
  let session: Session
  private var pastLossCount = 0
  private(set) var touchpads: [String: TouchpadQueue] = [:]
  var libinput: LibinputQueue?
  var others: [String: DeviceID] = [:]
  /// The descriptors that were handed over, by node.
  var handed: [String: Int32] = [:]
  private var refused: [String: RefusedDevice.Reason] = [:]
  /// The device libinput opened last, or why that failed.
  private var opened: Result<Device, RefusedDevice.Reason>?

  private(set) lazy var grabs = Grabs(self)

  init(_ owner: LiveDevices, _ session: Session) {
    self.owner = owner
    loop = owner.loop
    self.session = session
  }

  /// How often touchpads have lost events, including those that are gone.
  var lossCount: Int { touchpads.values.reduce(pastLossCount) { $0 + $1.reader.lossCount } }

  var isEmpty: Bool { touchpads.isEmpty && others.isEmpty }

  // MARK: Opening

  /// Opens a device, unless it is open. A `descriptor` that was handed over stays open.
  func add(_ found: FoundDevice, descriptor: Int32? = nil, isQuiet: Bool = false) {
    guard touchpads[found.path] == nil, others[found.path] == nil else { return }
    do throws(RefusedDevice.Reason) {
      if found.classes.contains(.touchpad) {
        try addTouchpad(found, descriptor)
      } else if found.isInitialized && !found.classes.isEmpty {
        try addToLibinput(found, descriptor)
      } else {
        try addUnknown(found, descriptor)
      }
      refused[found.path] = nil
    } catch {
      // udev may report the device repeatedly
      guard !isQuiet, refused[found.path] != error else { return }
      refused[found.path] = error
      owner.refuse(RefusedDevice(found, error))
    }
  }

  private func addTouchpad(
    _ found: FoundDevice, _ descriptor: Int32?
  ) throws(RefusedDevice.Reason) {
    // its events from the opening on must be later than its addition
    let time = InputLoop.now
    let open = if let descriptor { descriptor } else { try DeviceNode.open(found.path) }
    try DeviceNode.use(found.path) { () throws(SystemError) in
      let reader = try EvdevReader(descriptor: open, isOwned: descriptor == nil)
      try read(reader, found, since: time)
    }
  }

  private func read(_ reader: EvdevReader, _ found: FoundDevice, since time: EventTime)
    throws(SystemError)
  {
    let identifier = session.add(reader.device, at: time)
    let queue = TouchpadQueue(reader, identifier)
    do {
      try loop.watch(reader.descriptor) { [unowned self, unowned queue] in ready.add(queue) }
    } catch {
      session.remove(identifier, at: InputLoop.now)
      throw error
    }
    touchpads[found.path] = queue
    if reader.hasEvents { ready.add(queue) }
    announce(found, identifier)
    grabs.settlePads()
  }

  private func announce(_ found: FoundDevice, _ identifier: DeviceID) {
    owner.didOpen?(found, identifier)
    if let device = session.device(identifier) { owner.didAdd?(device, found.path) }
  }

  /// Opens a device that udev does not know, if its axes and keys are those of a touchpad.
  private func addUnknown(_ found: FoundDevice, _ descriptor: Int32?) throws(RefusedDevice.Reason) {
    let open = if let descriptor { descriptor } else { try DeviceNode.open(found.path) }
    defer { if descriptor == nil { Glibc.close(open) } }
    let device = try DeviceNode.device(found.path, open)
    guard device.kind == .touchpad else { throw RefusedDevice.Reason.unknownToUdev }
    try addTouchpad(found, descriptor)
  }

  private func addToLibinput(
    _ found: FoundDevice, _ descriptor: Int32?
  ) throws(RefusedDevice.Reason) {
    let queue: LibinputQueue
    // a failure of libinput or epoll says nothing about the device
    do { queue = try libinputQueue() } catch { throw RefusedDevice.Reason.failed(error.code) }
    if let descriptor { handed[found.path] = descriptor }
    opened = nil
    let member = queue.add(found.path) { isScreen in
      guard case .success(let device) = opened else { return nil }
      let screen = isScreen ? ScreenTouches(of: device) : nil
      return (session.add(screen?.device ?? device, at: InputLoop.now), screen)
    }
    guard let member else {
      handed[found.path] = nil
      if case .failure(let refusal) = opened { throw refusal }
      throw RefusedDevice.Reason.notSupported
    }
    others[found.path] = member.identifier
    ready.add(queue)
    announce(found, member.identifier)
    grabs.settleKeyboards()
  }

  private func libinputQueue() throws(SystemError) -> LibinputQueue {
    if let libinput { return libinput }
    let queue = try LibinputQueue()
    queue.opening = { [unowned self] path in open(path) }
    queue.didSay = { [unowned self] text in owner.didWarn?(text) }
    queue.didRemove = { [unowned self] member in forget(member) }
    queue.didKey = { [unowned self] key, isDown in grabs.note(key, isDown: isDown) }
    try loop.watch(queue.descriptor) { [unowned self, unowned queue] in ready.add(queue) }
    libinput = queue
    return queue
  }

  /// Opens a path for libinput. Returns a descriptor or a negative error number.
  private func open(_ path: String) -> Int32 {
    var descriptor: Int32 = -1
    do throws(RefusedDevice.Reason) {
      descriptor = try reopen(path)
      opened = .success(try DeviceNode.device(path, descriptor))
      return descriptor
    } catch {
      if descriptor >= 0 { Glibc.close(descriptor) }
      opened = .failure(error)
      return -EACCES
    }
  }

  private func reopen(_ path: String, isLit: Bool = false) throws(RefusedDevice.Reason) -> Int32 {
    if let descriptor = handed[path] { return try DeviceNode.copy(descriptor) }
    return try DeviceNode.open(path, isLit: isLit)
  }

  // MARK: Closing

  /// The node is gone.
  func remove(_ path: String) {
    refused[path] = nil
    grabs.remove(path)
    if let queue = touchpads.removeValue(forKey: path) { close(queue) }
    guard let identifier = others.removeValue(forKey: path) else { return }
    libinput?.remove(path)
    handed[path] = nil
    session.remove(identifier, at: InputLoop.now)
  }

  private func forget(_ member: LibinputQueue.Member) {
    guard others[member.path] == member.identifier else { return }
    others[member.path] = nil
    handed[member.path] = nil
    session.remove(member.identifier, at: InputLoop.now)
  }

  private func close(_ queue: TouchpadQueue) {
    pastLossCount += queue.reader.lossCount
    loop.unwatch(queue.reader.descriptor)
    ready.remove(queue)
    session.remove(queue.identifier, at: InputLoop.now)
  }

  /// A touchpad or grabbed keyboard can no longer be read; `code` is 0 if it was just unplugged.
  func lose(_ queue: any InputQueue, _ code: Int32) {
    ready.remove(queue)
    guard let path = grabs.path(of: queue) ?? touchpads.first(where: { $0.value === queue })?.key
    else { return }
    let name =
      touchpads[path]?.reader.device.name ?? others[path].flatMap(session.device)?.name ?? ""
    remove(path)
    if code != 0 { owner.refuse(RefusedDevice(path: path, name: name, reason: .failed(code))) }
  }

  /// Closes everything without a report to the session.
  func close() {
    grabs.close()
    for queue in touchpads.values { loop.unwatch(queue.reader.descriptor) }
    if let libinput { loop.unwatch(libinput.descriptor) }
    touchpads.removeAll()
    others.removeAll()
    handed.removeAll()
    ready.removeAll()
    libinput = nil
  }
}

// Moving keyboards between libinput and ``Grabs``.
extension OpenDevices {
  func lend(_ path: String) throws(SystemError) -> Int32 {
    do { return try reopen(path, isLit: true) } catch {
      throw RefusedDevice(path: path, name: "", reason: error).error
    }
  }

  /// Lets libinput read the keyboard again. Keys that were down on it are cancelled.
  func takeBack(_ path: String, _ identifier: DeviceID) {
    session.cancel(identifier, at: InputLoop.now)
    guard let libinput, libinput.add(path, introduce: { _ in (identifier, nil) }) != nil else {
      return remove(path)
    }
    ready.add(libinput)
  }
}

final class TouchpadQueue: InputQueue {
  let reader: EvdevReader
  let identifier: DeviceID
  /// What the desktop reads in its place.
  var twin: PadTwin?
  /// Empty, for the events of the next packet.
  private var buffer: [EvdevEvent] = []

  init(_ reader: EvdevReader, _ identifier: DeviceID) {
    self.reader = reader
    self.identifier = identifier
  }

  func read() -> EvdevReader.Reading {
    twin?.grabs.noteProgress()
    return reader.read()
  }

  var nextTime: EventTime? { reader.nextTime }

  func deliver(into session: Session) -> EventTime? {
    // handlers may call back into this queue
    var events: [EvdevEvent] = []
    swap(&events, &buffer)
    while let event = reader.next() {
      events.append(event)
      if event.isReport { break }
    }
    let (time, twin) = (events.last?.time, twin)
    let action = twin?.take(events)
    for event in events { session.process(event, from: identifier) }
    events.removeAll(keepingCapacity: true)
    buffer = events
    twin?.perform(action)
    if let twin, twin.grabs.hidesResting { twin.noteResting() }
    return time
  }
}

extension [any InputQueue] {
  mutating func add(_ queue: any InputQueue) {
    if !contains(where: { $0 === queue }) { append(queue) }
  }

  mutating func remove(_ queue: any InputQueue) { removeAll { $0 === queue } }

  /// The queue with the oldest packet; `nil` if all are empty.
  var earliest: (any InputQueue)? {
    var best: (queue: any InputQueue, time: EventTime)?
    for queue in self {
      guard let time = queue.nextTime else { continue }
      if let best, best.time <= time { continue }
      best = (queue, time)
    }
    return best?.queue
  }
}

/// Events that were read and wait to be delivered. There is one queue per touchpad and one for all
/// that libinput reads.
///
/// If several queues have events, these are delivered in order of time, packet by packet, as in a
/// replay.
protocol InputQueue: AnyObject {
  func read() -> EvdevReader.Reading

  var nextTime: EventTime? { get }

  /// Delivers the next packet to the session. Returns the packet's time, if it came from the
  /// kernel.
  func deliver(into session: Session) -> EventTime?
}
