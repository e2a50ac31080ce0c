import CLinux
import Glibc
import GlissEvents
import GlissHotkeys
import GlissSession
import Synchronization

/// The devices that are grabbed: keyboards and mice whose keys, buttons and wheels hotkeys consume,
/// and touchpads whose strokes are hidden from desktops whose libinput loads no plugins.
///
/// Of keyboards and mice, only those that have what is consumed are grabbed, and none with absolute
/// positions or switches: a twin would start without knowing their state. All motion is passed on.
final class Grabs {
  /// How long desktops take to open a twin.
  static let settling = EventInterval.milliseconds(1000)
  /// How long a twin stays plugged in once it is no longer used. Desktops read the last events in
  /// that time, because the kernel discards unread events when a device is unplugged.
  private static let lingering = EventInterval.milliseconds(500)

  let news = GrabNews()
  let padNews = GrabNews()
  /// Exists while any device has a twin.
  private(set) var watchdog: GrabWatchdog?

  /// Owns this object, and has the devices that are not grabbed.
  unowned let devices: OpenDevices
  /// Those with twins. An array: they are few, and their deadlines are checked for each frame.
  private var grabbed: [GrabbedDevice] = []
  /// Devices given back or unplugged. Their twins stay until desktops have read the last events.
  private var retired: [(device: GrabbedDevice, until: EventTime)] = []
  private var wanted = ConsumedKeys.none
  /// The strokes that the twins of touchpads hide.
  private var hidden = (now: FingerCounts(), ever: FingerCounts())
  /// Whether the desktop sees resting contacts as palms.
  var hidesResting = false { didSet { for twin in padTwins { twin.noteResting() } } }
  /// Touchpads whose twins cannot be written to. They are not tried again.
  private var broken: Set<String> = []
  private var panic = PanicChord()
  private var standing = Standing.on

  private enum Standing {
    /// Wanted devices are grabbed.
    case on
    /// All are to be given back once the current device has been read.
    case stopping(GrabChange)
    /// Nothing is grabbed until resumed; after the panic chord, by the user at the seat.
    case off(isPanic: Bool)
  }

  init(_ devices: OpenDevices) { self.devices = devices }

  var session: Session { devices.session }
  private var loop: InputLoop { devices.loop }

  private var padTwins: [PadTwin] { grabbed.compactMap { $0 as? PadTwin } }

  private func device(at path: String) -> GrabbedDevice? {
    grabbed.first { $0.path == path }
  }

  // MARK: Requests

  func want(_ keys: ConsumedKeys) {
    wanted = keys
    settleKeyboards()
  }

  /// Hides strokes with `now` fingers until a verdict. Touchpads have twins unless `ever` is empty.
  /// A handler of the session may call this, so the caller must call ``settlePads()`` later.
  func take(_ now: FingerCounts, of ever: FingerCounts) {
    hidden = (now, ever)
    for twin in padTwins { twin.allow(now) }
  }

  func decide(_ verdict: StrokeVerdict) {
    for twin in padTwins where verdict.device.map({ $0 == twin.identifier }) ?? true {
      twin.decide(verdict)
    }
  }

  /// Allows grabs again, after a stall or the panic chord. A handler of the session may call this,
  /// so the caller must call ``want(_:)`` and ``settlePads()`` later.
  ///
  /// - Returns: Whether they are allowed again.
  func resume(afterPanic: Bool) -> Bool {
    switch standing {
    case .on where !afterPanic, .off(isPanic: true) where !afterPanic: return false
    // first everything is given back
    case .stopping: return false
    case .on, .off: standing = .on
    }
    news.reported.removeAll()
    return true
  }

  /// Takes wanted keyboards and mice. ``advance(to:)`` gives others back once they are free.
  func settleKeyboards() {
    for (path, identifier) in devices.others where isWanted(identifier) {
      if let keyboard = device(at: path) { keyboard.want() } else { take(path, identifier) }
    }
    for case let keyboard as KeyboardQueue in grabbed where !isWanted(keyboard.identifier) {
      keyboard.unwant(at: InputLoop.now)
    }
  }

  /// The same for touchpads.
  func settlePads() {
    for (path, pad) in devices.touchpads where hidesStrokes && !broken.contains(path) {
      if let twin = pad.twin { twin.want() } else { take(path, pad) }
    }
    if hidesStrokes { return }
    for twin in padTwins { twin.unwant(at: InputLoop.now) }
    // earlier failures to grab no longer matter
    for (path, last) in padNews.reported where last.isProblem {
      padNews.report(.givenBack(path: path))
    }
  }

  private var isOn: Bool { if case .on = standing { true } else { false } }

  private var hidesStrokes: Bool { isOn && !hidden.ever.isEmpty }

  private func isWanted(_ device: GrabbedDevice) -> Bool {
    device is PadTwin ? hidesStrokes : isWanted(device.identifier)
  }

  private func isWanted(_ identifier: DeviceID) -> Bool {
    guard isOn, let device = session.device(identifier), device.axes[.x] == nil,
      device.axes[.positionX] == nil
    else { return false }
    return !wanted.keys.isDisjoint(with: device.keys)
      || (wanted.hasWheel && !WheelTurn.axes.isDisjoint(with: device.relativeAxes))
      // only full keyboards have characters
      || (wanted.hasCharacters && device.keys.contains(.a))
  }

  // MARK: Grabbing and giving back

  private func take(_ path: String, _ identifier: DeviceID) {
    do throws(SystemError) {
      let keyboard = try KeyboardQueue(devices.lend(path), at: path, as: identifier, of: self)
      try startWatchdog()
      try follow(keyboard)
    } catch {
      news.report(.failed(path: path, name: session.device(identifier)?.name ?? "", error))
    }
  }

  private func follow(_ keyboard: KeyboardQueue) throws(SystemError) {
    try loop.watch(keyboard.reader.descriptor) { [unowned self, unowned keyboard] in
      devices.ready.add(keyboard)
    }
    do throws(SystemError) {
      try loop.watch(keyboard.twin.descriptor) { [unowned keyboard] in keyboard.showLights() }
    } catch {
      loop.unwatch(keyboard.reader.descriptor)
      throw error
    }
    // from here on each event is read only once
    devices.libinput?.remove(keyboard.path)
    session.cancel(keyboard.identifier, at: InputLoop.now)
    grabbed.append(keyboard)
    keyboard.want()
  }

  private func take(_ path: String, _ pad: TouchpadQueue) {
    guard let machine = TwinMachine(of: pad.reader.device) else { return }
    do throws(SystemError) {
      let twin = try PadTwin(of: pad, machine, at: path, self)
      try startWatchdog()
      grabbed.append(twin)
      pad.twin = twin
      twin.allow(hidden.now)
      twin.want()
    } catch {
      padNews.report(.failed(path: path, name: pad.reader.device.name, error))
    }
  }

  private func startWatchdog() throws(SystemError) {
    if watchdog == nil { watchdog = try GrabWatchdog() }
  }

  /// Lets libinput read a keyboard again.
  private func giveBack(_ device: GrabbedDevice) {
    retire(device)
    if device is KeyboardQueue { devices.takeBack(device.path, device.identifier) }
  }

  /// Unplugs the twin of a device that is no longer grabbed, once that is due.
  private func retire(_ device: GrabbedDevice) {
    if device is KeyboardQueue {
      loop.unwatch(device.reader.descriptor)
      loop.unwatch(device.twin.descriptor)
      devices.ready.remove(device.queue)
    }
    devices.touchpads[device.path]?.twin = nil
    grabbed.removeAll { $0 === device }
    retired.append((device, InputLoop.now + Self.lingering))
    guard grabbed.isEmpty else { return }
    watchdog?.end()
    watchdog = nil
  }

  /// The node is gone, or is about to be closed.
  func remove(_ path: String) {
    news.reported[path] = nil
    padNews.reported[path] = nil
    broken.remove(path)
    // keys held on it are no longer held
    panic = PanicChord()
    guard let device = device(at: path) else { return }
    device.leave()
    retire(device)
  }

  /// The twin of a touchpad accepts no more events. Without it the pad would be dead.
  func broke(_ twin: PadTwin, _ error: SystemError) {
    // not reported if the watchdog unplugged the twin, or if it is being removed already
    guard grabbed.contains(where: { $0 === twin }), watchdog?.hasTripped != true,
      broken.insert(twin.path).inserted
    else { return }
    twin.leave()
    retire(twin)
    padNews.report(.failed(path: twin.path, name: twin.reader.device.name, error))
  }

  func path(of queue: any InputQueue) -> String? { grabbed.first { $0.queue === queue }?.path }

  /// Gives back all devices at once, even while keys or fingers are down.
  func close() {
    for device in grabbed {
      device.leave()
      retire(device)
    }
    unplugTwins(at: nil)
  }

  /// Unplugs the twins that are due at `time`; all of them if it is `nil`.
  private func unplugTwins(at time: EventTime?) {
    let isDue = { (until: EventTime) in time.map { until <= $0 } ?? true }
    for (device, until) in retired where isDue(until) { device.close() }
    retired.removeAll { isDue($0.until) }
  }

  // MARK: Time

  /// When ``advance(to:)`` must be called if nothing happens first.
  var deadline: EventTime? {
    if case .stopping = standing { return .zero }
    // retired devices are in order of time
    var deadline = retired.first?.until
    for device in grabbed {
      // it was given back when the last key went up or the last finger lifted
      if device.isFree, !isWanted(device) { return .zero }
      deadline = EventTime.earlier(deadline, device.deadline)
    }
    return deadline
  }

  func advance(to time: EventTime) {
    unplugTwins(at: time)
    if case .stopping(let change) = standing { return stop(because: change) }
    for device in grabbed {
      if let due = device.deadline, due <= time { device.advance(to: time) }
      if device.isFree, !isWanted(device) { giveBack(device) }
    }
  }

  // MARK: Keys

  /// Whether the press of a key is kept from the desktop on any keyboard.
  func isKept(_ key: Key) -> Bool { grabbed.contains { $0.grab.kept.contains(key) } }

  /// A key of any keyboard went down or up.
  func note(_ key: Key, isDown: Bool) {
    if grabbed.isEmpty { return }
    if panic.process(key, isDown ? .down : .up) { standing = .stopping(.panic) }
  }

  /// Called when a device with a twin is read.
  func noteProgress() {
    guard let watchdog else { return }
    if watchdog.hasTripped { standing = .stopping(.stall) }
    watchdog.noteProgress()
  }

  private func stop(because change: GrabChange) {
    standing = .off(isPanic: change == .panic)
    panic = PanicChord()
    for device in grabbed {
      device.leave()
      giveBack(device)
    }
    news.report(change)
  }

  /// Presses a chord on the twin of a keyboard whose modifiers are down for the desktop; `false` if
  /// no keyboard has such a twin.
  func press(_ strokes: [KeyStroke]) -> Bool {
    let keyboards = grabbed.lazy.compactMap { $0 as? KeyboardQueue }
    guard let keyboard = keyboards.first(where: { $0.holdsModifier }) else { return false }
    keyboard.press(strokes)
    return true
  }
}

/// Reports changes of devices that are to be grabbed, none of them twice in a row.
final class GrabNews {
  var didReport: ((GrabChange) -> Void)?
  var reported: [String: GrabChange] = [:]

  func report(_ news: GrabChange) {
    let about = news.path ?? ""
    guard reported[about] != news else { return }
    reported[about] = news
    didReport?(news)
  }

  func refused(_ path: String, _ name: String, _ code: Int32) {
    guard code == EBUSY else {
      return report(.failed(path: path, name: name, SystemError(path, failed: code)))
    }
    // the search takes a while, and the result hardly changes
    if case .taken? = reported[path] { return }
    let holders = DeviceHolders.holders(of: [path])[path] ?? []
    report(.taken(path: path, name: name, suspects: holders.map(\.description)))
  }
}

/// A change to a device that is grabbed because hotkeys or strokes are consumed.
public enum GrabChange: Hashable, Sendable, CustomStringConvertible {
  /// The device was grabbed; `name` is its name.
  case grabbed(path: String, name: String)
  /// The desktop has it again.
  case givenBack(path: String)
  /// Another process has grabbed it. `suspects` are the processes that have it open, among those
  /// this one may inspect.
  case taken(path: String, name: String, suspects: [String])
  /// It cannot be grabbed, or a twin cannot be created.
  case failed(path: String, name: String, SystemError)
  /// The panic chord was pressed. Nothing is grabbed until ``LiveDevices/resumeConsuming()``.
  case panic
  /// The loop stalled and all devices were given back. As after the panic chord, nothing is
  /// grabbed until ``LiveDevices/resumeConsuming()``.
  case stall

  /// The device's path; `nil` if the change concerns all.
  public var path: String? {
    switch self {
    case .grabbed(let path, _), .givenBack(let path), .taken(let path, _, _),
      .failed(let path, _, _):
      path
    case .panic, .stall: nil
    }
  }

  /// Whether this prevents hotkeys or strokes from being consumed.
  public var isProblem: Bool {
    switch self {
    case .grabbed, .givenBack: false
    case .taken, .failed, .panic, .stall: true
    }
  }

  public var description: String { sentence(resumedBy: "gliss resume") }

  /// What happened, and what to do about it.
  ///
  /// - Parameter command: The command that grabs keyboards again after the panic chord or a stall.
  public func sentence(resumedBy command: String) -> String {
    sentence(resumedBy: command) { "no hotkey on \($0) is consumed" }
  }

  /// What happened to a touchpad whose strokes are hidden, and what to do about it.
  package var strokeSentence: String {
    if case .grabbed = self { return "\(description): the desktop reads its twin" }
    return sentence(resumedBy: "gliss resume") { "the desktop gets all strokes on \($0)" }
  }

  /// - Parameter lost: What the failure to grab a device means, by the device.
  private func sentence(resumedBy command: String, _ lost: (String) -> String) -> String {
    let resumption = "hotkeys and strokes are consumed again after '\(command)'"
    return switch self {
    case .grabbed(let path, let name): "\(path) (\(name)) is grabbed"
    case .givenBack(let path): "\(path) is given back"
    case .taken(let path, let name, let suspects):
      lost("\(path) (\(name))") + ": another process has grabbed it"
        + (suspects.isEmpty
          ? "; root can see which" : "; open in \(suspects.joined(separator: ", "))")
    case .failed(let path, let name, let error):
      lost("\(path) (\(name))") + ": \(error)"
    case .panic:
      "no hotkey or stroke has been consumed since Backspace, Escape and Enter were held together; \(resumption)"
    case .stall:
      "no hotkey or stroke has been consumed since the program that grabs devices did not answer for 2 s; \(resumption), or when a program next asks for it"
    }
  }
}

/// Gives devices back when their reader stalls: without keys, the user could not even end the
/// program.
///
/// It is a separate thread that sleeps until a grabbed device has something to read. If none has
/// been read 2 s later, it unplugs the twins, which releases their keys, and releases the grabs. A
/// read of any device is progress for all. It cannot help if the whole process is stopped
/// (SIGSTOP); the service manager's watchdog ends such a process.
final class GrabWatchdog: Sendable {
  /// How long an event may stay unread, in ms.
  static let patience: Int32 = 2000

  /// Each twin's descriptor, by its device's descriptor.
  private let twins = Mutex<[Int32: Int32]>([:])
  private let progress = Atomic<UInt64>(0)
  private let tripped = Atomic<Bool>(false)
  /// Tells the thread that the devices have changed, or that it must end.
  private let waker: Waker

  init() throws(SystemError) {
    waker = try Waker()
    let code = BackgroundThread.start { [self] in watch() }
    guard code == 0 else { throw SystemError("a thread", failed: code) }
  }

  /// Whether it has given devices back.
  var hasTripped: Bool { tripped.load(ordering: .acquiring) }

  func noteProgress() { progress.wrappingAdd(1, ordering: .relaxed) }

  func watch(_ descriptor: Int32, twin: Int32) {
    twins.withLock { $0[descriptor] = twin }
    waker.wake()
  }

  /// Stops watching it. Must be called before either descriptor is closed.
  func forget(_ descriptor: Int32) {
    let wasThere = twins.withLock { $0.removeValue(forKey: descriptor) != nil }
    if wasThere { waker.wake() }
  }

  func end() {
    twins.withLock { $0.removeAll() }
    waker.stop()
  }

  // MARK: The watchdog's thread

  private func watch() {
    while !waker.isStopping {
      let descriptors = twins.withLock { Array($0.keys) }
      let before = progress.load(ordering: .relaxed)
      guard isReadable(descriptors, within: -1) else { continue }
      // a wake-up means that the devices changed, so start over
      if isReadable([], within: Self.patience, returnsOnNews: true) { continue }
      guard progress.load(ordering: .relaxed) == before, isReadable(descriptors, within: 0) else {
        continue
      }
      giveBack()
    }
  }

  /// Whether one of `descriptors` becomes readable within this many milliseconds. Returns early if
  /// the devices change.
  private func isReadable(
    _ descriptors: [Int32], within milliseconds: Int32, returnsOnNews: Bool = false
  ) -> Bool {
    var waits = ([waker.descriptor] + descriptors).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return false }
    if waits[0].revents != 0 {
      waker.clear()
      return returnsOnNews
    }
    return true
  }

  private func giveBack() {
    // before the loop can find that a twin is gone
    tripped.store(true, ordering: .releasing)
    twins.withLock { twins in
      for (descriptor, twin) in twins {
        _ = gliss_uinput_destroy(twin)
        _ = gliss_evdev_grab(descriptor, 0)
      }
      twins.removeAll()
    }
  }
}
