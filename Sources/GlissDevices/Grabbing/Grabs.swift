import Glibc
import GlissEvents
import GlissHotkeys
import GlissSession

/// The keyboards that hotkeys keep keys of.
///
/// Only keyboards that have a key which is kept are taken, and none that has positions or switches: a twin would begin
/// without knowing where those are. Of one that also has a wheel or moves the pointer, all of it is passed on.
final class Grabs {
  /// Lends a keyboard that libinput reads, and takes it back.
  struct Lender {
    /// Those that libinput reads, by their nodes.
    var keyboards: () -> [String: DeviceID]
    /// libinput lets go of it; what it is opened with.
    var take: (String) -> Result<Int32, DeviceNode.Refusal>
    var letGo: (String) -> Void
    var giveBack: (String, DeviceID) -> Void
    var ready: (KeyboardQueue) -> Void
    var forget: (KeyboardQueue) -> Void
  }

  var didTell: ((GrabNews) -> Void)?
  /// It is there while keyboards are.
  private(set) var watchdog: GrabWatchdog?

  private let loop: EventLoop
  private let session: Session
  private let lender: Lender
  private var keyboards: [String: KeyboardQueue] = [:]
  /// Given back or gone; their twins stay until desktops have read what was passed on last.
  private var retired: [(keyboard: KeyboardQueue, until: EventTime)] = []
  private var wanted = ConsumedKeys.none
  /// Told of once.
  private var told: [String: GrabNews] = [:]
  private var panic = PanicChord()
  private var standing = Standing.on

  private enum Standing {
    /// What is wanted is grabbed.
    case on
    /// All are to be given back, as soon as the keyboard that is being read is done with.
    case stopping(GrabNews)
    /// Nothing is grabbed until somebody says so: the person at the seat after the panic chord.
    case off(isPanic: Bool)
  }

  init(_ loop: EventLoop, _ session: Session, _ lender: Lender) {
    self.loop = loop
    self.session = session
    self.lender = lender
  }

  // MARK: Wishes

  /// Keeps these keys from now on.
  func want(_ keys: ConsumedKeys) {
    wanted = keys
    settle()
  }

  /// Grabs again what is wanted, after a stall or the panic chord.
  func resume(afterPanic: Bool) {
    if case .off(isPanic: true) = standing, !afterPanic { return }
    standing = .on
    told.removeAll()
    settle()
  }

  /// A keyboard has come.
  func settle() {
    let now = EventLoop.now
    for (path, identifier) in lender.keyboards() where isWanted(identifier) {
      if let keyboard = keyboards[path] { keyboard.want() } else { take(path, identifier) }
    }
    for keyboard in Array(keyboards.values) where !isWanted(keyboard.identifier) {
      keyboard.unwant(at: now, session)
      if keyboard.isFree { giveBack(keyboard) }
    }
  }

  private func isWanted(_ identifier: DeviceID) -> Bool {
    guard case .on = standing, let device = session.device(identifier), device.axes[.x] == nil,
      device.axes[.positionX] == nil, device.keys.contains(where: { $0.rawValue < 0x100 })
    else { return false }
    switch wanted {
    case .none: return false
    case .keys(let keys): return !keys.isDisjoint(with: device.keys)
    // characters are on whole keyboards
    case .any: return device.keys.contains(.a)
    }
  }

  // MARK: Taking and giving back

  private func take(_ path: String, _ identifier: DeviceID) {
    switch lender.take(path) {
    case .failure(let refusal):
      tell(.failed(path: path, name: name(identifier), DeviceError(path, failed: refusal.code)))
    case .success(let descriptor):
      do throws(DeviceError) {
        let keyboard = try KeyboardQueue(descriptor, at: path, as: identifier, of: self)
        guard keyboard.reader.otherCodes[.switch] == nil else {
          keyboard.close()
          throw DeviceError(path, "it has switches, as for a lid, which cannot be passed on")
        }
        if watchdog == nil { watchdog = try GrabWatchdog() }
        try follow(keyboard)
      } catch {
        tell(.failed(path: path, name: name(identifier), error))
      }
    }
  }

  private func follow(_ keyboard: KeyboardQueue) throws(DeviceError) {
    try loop.watch(keyboard.reader.descriptor) { [lender, unowned keyboard] in
      lender.ready(keyboard)
    }
    try loop.watch(keyboard.twinDescriptor) { [unowned keyboard] in keyboard.showLights() }
    // from here on it is read once
    lender.letGo(keyboard.path)
    session.cancel(keyboard.identifier, at: EventLoop.now)
    keyboards[keyboard.path] = keyboard
    keyboard.want()
  }

  /// libinput reads it again.
  private func giveBack(_ keyboard: KeyboardQueue) {
    remove(keyboard)
    lender.giveBack(keyboard.path, keyboard.identifier)
  }

  private func remove(_ keyboard: KeyboardQueue) {
    loop.unwatch(keyboard.reader.descriptor)
    loop.unwatch(keyboard.twinDescriptor)
    lender.forget(keyboard)
    keyboards[keyboard.path] = nil
    retired.append((keyboard, EventLoop.now + Twin.lingering))
    guard keyboards.isEmpty else { return }
    watchdog?.end()
    watchdog = nil
  }

  /// The node is gone.
  func remove(_ path: String) {
    told[path] = nil
    // what was held on it is held no more
    panic = PanicChord()
    guard let keyboard = keyboards[path] else { return }
    keyboard.leave(session)
    remove(keyboard)
  }

  /// The path of a keyboard.
  func path(of queue: any InputQueue) -> String? { keyboards.first { $0.value === queue }?.key }

  /// Gives all back at once, whatever is down.
  func close() {
    for keyboard in Array(keyboards.values) {
      keyboard.leave(session)
      remove(keyboard)
    }
    unplugTwins(at: nil)
  }

  /// Those whose time has come; all of them without a time.
  private func unplugTwins(at time: EventTime?) {
    for (keyboard, until) in retired where time.map({ until <= $0 }) ?? true { keyboard.close() }
    retired.removeAll { retiree in time.map { retiree.until <= $0 } ?? true }
  }

  // MARK: Time

  /// When ``advance(to:)`` must be called if nothing happens first.
  var deadline: EventTime? {
    // they retire in the order of their times
    if keyboards.isEmpty { return retired.first?.until }
    if case .stopping = standing { return .zero }
    return keyboards.values.reduce(retired.first?.until) { EventTime.earlier($0, $1.deadline) }
  }

  func advance(to time: EventTime) {
    unplugTwins(at: time)
    if case .stopping(let news) = standing { return stop(because: news) }
    for keyboard in Array(keyboards.values) {
      if let due = keyboard.deadline, due <= time { keyboard.advance(to: time, session) }
      if keyboard.isFree, !isWanted(keyboard.identifier) { giveBack(keyboard) }
    }
  }

  // MARK: Keys

  /// Whether the key is down on some keyboard and kept.
  func isKept(_ key: Key) -> Bool { keyboards.values.contains { $0.isKept(key) } }

  /// A key of a grabbed keyboard went down or up.
  func note(_ key: Key, isDown: Bool) {
    if panic.process(key, isDown ? .down : .up) { standing = .stopping(.panic) }
  }

  /// Keyboards are read.
  func noteProgress() {
    guard let watchdog else { return }
    if watchdog.hasTripped { standing = .stopping(.stall) }
    watchdog.noteProgress()
  }

  private func stop(because news: GrabNews) {
    standing = .off(isPanic: news == .panic)
    panic = PanicChord()
    for keyboard in Array(keyboards.values) {
      keyboard.leave(session)
      giveBack(keyboard)
    }
    tell(news)
  }

  /// Presses a chord on the twin of a keyboard whose modifiers the desktop has for down; `false` where there is none.
  func press(_ strokes: [KeyStroke]) -> Bool {
    guard let keyboard = keyboards.values.first(where: { $0.holdsModifier }) else { return false }
    keyboard.press(strokes)
    return true
  }

  // MARK: Telling

  func grabbed(_ keyboard: KeyboardQueue) {
    watchdog?.mind(keyboard.reader.descriptor, twin: keyboard.twinDescriptor)
    tell(.grabbed(path: keyboard.path, name: keyboard.reader.device.name))
  }

  func gaveBack(_ keyboard: KeyboardQueue) { tell(.givenBack(path: keyboard.path)) }

  func refused(_ keyboard: KeyboardQueue, _ code: Int32) {
    let (path, name) = (keyboard.path, keyboard.reader.device.name)
    guard code == EBUSY else {
      return tell(.failed(path: path, name: name, DeviceError(path, failed: code)))
    }
    // looking around takes a while, and who it is hardly changes
    if case .taken? = told[path] { return }
    let holders = Rivals.holders(of: [path])[path] ?? []
    tell(.taken(path: path, name: name, suspects: holders.map(\.description)))
  }

  private func tell(_ news: GrabNews) {
    let about = news.path ?? ""
    guard told[about] != news else { return }
    told[about] = news
    didTell?(news)
  }

  private func name(_ identifier: DeviceID) -> String { session.device(identifier)?.name ?? "" }
}
