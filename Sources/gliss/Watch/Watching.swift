import ArgumentParser
import Glibc
import Gliss

final class Watching {
  private let command: WatchCommand
  private let live: LiveDevices
  private let session: Session
  private let output: LiveOutput
  private let printer: EventPrinter
  private let notices: DeviceNotices
  private var statistics: WatchStatistics?
  private let end: EventTime?
  private var failure: ExitCode?

  /// - Parameter mayUseBroker: Whether a broker might show more than the unreadable devices.
  init(
    _ live: LiveDevices, _ session: Session, _ command: WatchCommand, mayUseBroker: Bool
  ) {
    self.live = live
    self.session = session
    self.command = command
    let start = InputLoop.now
    end = command.duration.map { start + $0 }
    output = LiveOutput(on: live.loop)
    let mask = command.events
    let isText = command.format == .text
    printer = EventPrinter(
      .live(command.format), mask: mask,
      wantsPicture: !command.noPicture && !mask.isDisjoint(with: [.gesture, .touch]), to: output)
    notices = DeviceNotices(
      mask: mask == .device ? .all : mask, seat: command.devices.watchedSeat, isTalkative: isText,
      invitation: mask.contains(.gesture)
        ? "put two fingers on the pad and move them; Ctrl-C ends" : nil,
      brokerAdvice: mayUseBroker
        ? "a broker is running: with --broker, events come from it" : nil)
    if command.stats { statistics = WatchStatistics(from: start) }
    connect()
  }

  private func connect() {
    Interruption.redirect(to: live.loop)
    live.loop.work = { [unowned self] in
      if printer.followTerminal() { setAlarm() }
      return false
    }
    output.didCatchUp = { [unowned self] in draw() }
    // for device events alone, all devices are wanted
    live.keyRepeat = session.keyRepeat
    live.eventKinds = command.events == .device ? .all : printer.wanted
    live.didOpen = { [unowned self] found, identifier in
      let device = session.device(identifier)
      say { $0.add(found, identifier, device) }
    }
    live.didRefuse = { [unowned self] refused in say { $0.refuse(refused) } }
    live.didWarn = { [unowned self] text in say { _ in Diagnostics.say(text) } }
    session.addHandler(matching: .device) { [unowned self] event in
      guard case .device(let event) = event, event.change == .removed else { return }
      say { $0.remove(event.device) }
    }
    if statistics != nil { measure() }
    session.addHandler(matching: printer.wanted) { [unowned self] event in
      printer.print(event, from: session.device(event.device))
      setAlarm()
    }
    // all present devices have been opened when it first fires
    live.alarm = .zero
    live.didRing = { [unowned self] in look() }
  }

  private func measure() {
    session.addHandler(matching: .gesture) { [unowned self] event in
      if let gesture = event.gesture { statistics?.note(gesture) }
    }
    live.didHandle = { [unowned self] time in statistics?.note(packetOf: time, at: InputLoop.now) }
  }

  func run() -> ExitCode {
    do {
      try live.run(into: session)
    } catch {
      say { _ in failure = Diagnostics.report(error) }
    }
    // the run ends before the first look if all named devices were refused
    if !notices.hasLooked { look() }
    printer.close(isWhole: false)
    let status = output.finish(failure ?? notices.failure ?? Interruption.status)
    statistics?.report(losses: live.lossCount)
    return status
  }

  // MARK: Notices and drawing

  private func look() {
    live.didRing = { [unowned self] in draw() }
    say { $0.look(at: live) }
    draw()
  }

  private func draw() {
    if let end, end <= InputLoop.now { return live.stop() }
    printer.draw()
    setAlarm()
  }

  private func setAlarm() {
    // a device may send events while others are still being opened; keep the alarm for the first
    // look
    guard notices.hasLooked else { return }
    // a stalled terminal is drawn on again when it resumes
    live.alarm = .earlier(output.isBehind ? nil : printer.due, end)
  }

  private func say(_ notice: (DeviceNotices) -> Void) {
    printer.aside { notice(notices) }
  }
}

/// Reports on standard error which devices are read and which cannot be.
final class DeviceNotices {
  private let mask: EventMask
  /// The seat whose devices are awaited; `nil` if devices were named.
  private let seat: String?
  /// Whether to report successes too.
  private let isTalkative: Bool
  private let invitation: String?
  private let brokerAdvice: String?
  private var names: [DeviceID: String] = [:]
  /// The devices that provide wanted events.
  private var usefulCount = 0
  private var refusedCount = 0

  /// Whether all present devices were opened or refused.
  private(set) var hasLooked = false
  private(set) var failure: ExitCode?

  /// - Parameters:
  ///   - invitation: A first step for new users.
  ///   - brokerAdvice: What a broker can do, if one runs and no device can be read.
  init(
    mask: EventMask, seat: String?, isTalkative: Bool, invitation: String?, brokerAdvice: String?
  ) {
    self.mask = mask
    self.seat = seat
    self.isTalkative = isTalkative
    self.invitation = invitation
    self.brokerAdvice = brokerAdvice
  }

  /// Reports what there is, once all present devices were opened or refused.
  func look(at live: LiveDevices) {
    if hasLooked { return }
    hasLooked = true
    if usefulCount > 0 {
      if isTalkative, let invitation { Diagnostics.say(invitation) }
    } else if refusedCount > 0 {
      failure = Diagnostics.failure("no device can be read: 'gliss doctor' says what to do")
      if let brokerAdvice, BrokerOptions.isThere { Diagnostics.say(brokerAdvice) }
      live.stop()
    } else {
      explainEmptiness()
    }
  }

  func add(_ found: FoundDevice, _ identifier: DeviceID, _ device: Device?) {
    let name = device.map { EventSentence.describe($0) } ?? found.name.printable
    names[identifier] = name
    let need = DeviceNeed(found.classes, for: mask)
    // udev may not know a touchpad
    let isUseful = need == .wanted || found.classes.isEmpty
    if isUseful { usefulCount += 1 }
    guard isTalkative else { return }
    switch need {
    case .helpful:
      Diagnostics.say("reading \(found.path) (\(name)), only to notice typing")
    case .wanted, .none:
      Diagnostics.say("reading \(found.path) (\(name))")
      if !isUseful { sayUseless("it has") }
    }
  }

  func remove(_ identifier: DeviceID) {
    guard let name = names.removeValue(forKey: identifier), isTalkative else { return }
    Diagnostics.say("gone: \(name)")
  }

  func refuse(_ refused: RefusedDevice) {
    refusedCount += 1
    Diagnostics.say("\(refused)")
  }

  private func explainEmptiness() {
    guard let seat else {
      // already reported for each device
      if !isTalkative { sayUseless("the named devices have") }
      return
    }
    Diagnostics.say(
      (try? DeviceFinder())?.isUdevRunning == true
        ? "\(seat) has no \(missing) yet: waiting for one to be plugged in"
        : "\(seat) has no \(missing), and without udev none is noticed that is plugged in later")
    Diagnostics.say("'gliss doctor' and 'gliss devices --all' say what there is; Ctrl-C ends")
  }

  private var missing: String {
    if mask == .key { return "keyboard" }
    let isForTouch = mask.isDisjoint(with: [.key, .pointer, .scroll])
    return isForTouch ? "touchpad or touchscreen" : "device for these events"
  }

  private func sayUseless(_ what: String) {
    Diagnostics.say(
      "\(what) none of the events that are printed; see --events in 'gliss watch --help'")
  }
}
