import Gliss

/// Prints what live devices do until interrupted.
final class Watching {
  struct Options {
    /// The seat to watch; `nil` if devices were named.
    var seat: String?
    /// Whether to mention that a broker might show more than the unreadable devices.
    var mayUseBroker: Bool
    var mask: EventMask
    var format: EventFormat
    var wantsPicture: Bool
    var duration: EventInterval?
    var wantsStatistics: Bool
  }

  private let options: Options
  private let live: LiveDevices
  private let session: Session
  private let output: LiveOutput
  private let printer: EventPrinter
  private let notices: DeviceNotices
  private var statistics: WatchStatistics?
  private let end: EventTime?
  /// The exit status, apart from output errors.
  private var status = ExitStatus.done
  private var hasLooked = false

  init(_ live: LiveDevices, _ session: Session, _ options: Options) throws(DeviceError) {
    self.live = live
    self.session = session
    self.options = options
    let start = EventLoop.now
    end = options.duration.map { start + $0 }
    output = LiveOutput(on: live.loop)
    let mask = options.mask
    printer = EventPrinter(
      file: nil, origin: options.format == .text ? start : .zero, format: options.format,
      mask: mask,
      wantsPicture: options.wantsPicture && !mask.isDisjoint(with: [.gesture, .touch]),
      to: output)
    notices = DeviceNotices(
      mask: mask == .device ? .all : mask, seat: options.seat, mayUseBroker: options.mayUseBroker,
      isTalkative: options.format == .text)
    if options.wantsStatistics { statistics = WatchStatistics(from: start) }
    try connect()
  }

  private func connect() throws(DeviceError) {
    if let signals = Interruption.tell() {
      try live.loop.watch(signals) { [unowned self] in take(signals) }
    }
    output.didClose = { [unowned live] in live.stop() }
    output.didCatchUp = { [unowned self] in draw() }
    // for device events alone, all devices are wanted
    live.wanted = options.mask == .device ? .all : printer.wanted
    live.didAdd = { [unowned self] found, identifier in
      let device = session.device(identifier)
      say { $0.add(found, identifier, device) }
    }
    live.didRefuse = { [unowned self] refused in say { $0.refuse(refused) } }
    live.didWarn = { [unowned self] text in say { $0.warn(text) } }
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
      if case .gesture(let gesture) = event { statistics?.note(gesture) }
    }
    live.didHandle = { [unowned self] time in statistics?.note(packetOf: time, at: EventLoop.now) }
  }

  /// - Returns: The exit status.
  func run() -> Int32 {
    do {
      try live.run(into: session)
    } catch {
      say { _ in Diagnostics.say("\(error)".printable) }
      status = ExitStatus.failed
    }
    // the run ends before the first look if all named devices were refused
    if !hasLooked { look() }
    printer.close(isWhole: false)
    let outcome = output.finish()
    statistics?.report(losses: live.lossCount)
    if outcome != ExitStatus.done { return outcome }
    return Interruption.toldStatus ?? status
  }

  // MARK: Signals, notices and drawing

  private func take(_ signals: Int32) {
    while let number = Interruption.next(from: signals) {
      if Interruption.isAboutTerminal(number) {
        printer.followTerminal()
        setAlarm()
      } else {
        live.stop()
      }
    }
  }

  /// Called when all present devices have been opened or refused.
  private func look() {
    hasLooked = true
    live.didRing = { [unowned self] in draw() }
    switch notices.situation {
    case .reading: say { $0.invite() }
    case .refused:
      say { $0.explainRefusal() }
      status = ExitStatus.failed
      return live.stop()
    case .empty: say { $0.explainEmptiness() }
    }
    draw()
  }

  private func draw() {
    if let end, end <= EventLoop.now { return live.stop() }
    printer.draw()
    setAlarm()
  }

  private func setAlarm() {
    // a device may send events while others are still being opened; keep the alarm for the first
    // look
    guard hasLooked else { return }
    // a stalled terminal is drawn on again when it resumes
    live.alarm = .earlier(output.isBehind ? nil : printer.due, end)
  }

  private func say(_ notice: (DeviceNotices) -> Void) {
    printer.aside { notice(notices) }
  }
}
