import ArgumentParser
import Glibc
import Gliss

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the gestures you make, as you make them.",
    usage: "gliss watch [<option> ...]",
    discussion: """
      A terminal shows a picture of the pad with the fingers on it, and above it a
      row for each gesture once it is over. A pipe gets only the rows. Ctrl-C ends
      it. Times count from the start; in jsonl they are the kernel's
      (CLOCK_MONOTONIC). Other programs go on receiving the devices' events. A
      device that cannot be read is reported with advice, and the others are
      watched. Keys are printed only if --events names them. Events that could not
      be read in time are always reported as lost.

      EXAMPLES
        gliss watch
        gliss watch --format jsonl | head -5
        gliss watch --device /dev/input/event5 --events gesture,touch
        gliss watch --events key --layout de
        gliss watch --duration 10 --stats >/dev/null
        gliss watch --devices                 read the devices, even if glissd runs

      If glissd runs, has granted you what is printed, and your session is on the
      screen, it provides the events, and only rows are printed. --broker also
      requests what was not granted; for keys and touches every time. Options for
      devices imply --devices.
      """)

  @OptionGroup var devices: DeviceOptions

  @Option(help: .events, completion: .events, transform: EventMask.init(words:))
  var events = EventMask.gesture

  @Option(help: "text: a table; jsonl: a JSON object a line.")
  var format = EventFormat.text

  @Flag(help: "Print only the rows, also on a terminal.")
  var noPicture = false

  @Option(parsing: .unconditional, help: .duration, transform: EventInterval.init(seconds:))
  var duration: EventInterval?

  @Flag(help: "At the end, print to standard error how long events took, and what they cost.")
  var stats = false

  @Flag(help: "Use the broker, glissd, and request what was not granted.")
  var broker = false

  @Flag(
    name: .customLong("devices"), help: "Read the devices directly, even if a broker runs.")
  var readsDevices = false

  /// A recording, for which this is the wrong command.
  @Argument(help: .hidden)
  var files: [String] = []

  @OptionGroup var brokerOptions: BrokerOptions

  @Option(help: "The keyboard layout, such as de, us:intl or us,de; by default the machine's.")
  var layout: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long a key is held before it repeats, in ms; by default 600.", valueName: "ms"))
  var repeatDelay: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How often a held key repeats per second; by default 25; 0 means never.", valueName: "hz"))
  var repeatRate: Double?

  @OptionGroup var settings: SettingOptions

  func validate() throws {
    if let repeatDelay, !(50...10_000).contains(repeatDelay) {
      throw ValidationError("--repeat-delay is from 50 to 10000 ms")
    }
    if let repeatRate, repeatRate != 0, !(0.2...200).contains(repeatRate) {
      throw ValidationError("--repeat-rate is 0, or from 0.2 to 200 a second")
    }
    try Arguments.checkLayout(layout)
    if broker, isForDevices {
      throw ValidationError(
        "--devices, --seat, --device, --stats, --set and the options for keys do not go with --broker:"
          + " glissd reads the devices")
    }
    if brokerOptions.socket != nil, isForDevices {
      throw ValidationError("--socket is for the broker: leave out the options for devices")
    }
    if hasKeyOptions, !events.contains(.key) {
      throw ValidationError("--layout and --repeat-… are for keys: add --events key or all")
    }
  }

  private var hasKeyOptions: Bool { layout != nil || repeatDelay != nil || repeatRate != nil }

  private var isForDevices: Bool {
    readsDevices || devices.areGiven || hasKeyOptions || stats || !settings.assignments.isEmpty
  }

  func run() throws {
    // not in validate(): an unknown option before it is the first mistake
    if let file = files.first {
      throw Diagnostics.refusal(
        "\(file.printable): watch reads devices; 'gliss replay --picture FILE' shows a recording, and"
          + " --device names a device")
    }
    // naming a socket means asking for the broker
    let isNamed = broker || brokerOptions.socket != nil
    let (monitor, mayUseBroker) =
      isForDevices ? (nil, true) : try brokerOptions.events(for: events, isNamed: isNamed)
    if let monitor { throw try watch(monitor, isFound: !isNamed) }
    let session = Session(configuration: try settings.configuration())
    if events.contains(.key) { try translateKeys(of: session) }
    throw Watching(
      try LiveDevices(devices.selection), session, self, mayUseBroker: mayUseBroker
    ).run()
  }

  private func watch(
    _ monitor: GlobalEventMonitor, isFound: Bool
  ) throws(SystemError) -> ExitCode {
    let stream = try BrokerStream(monitor)
    let output = LiveOutput(on: stream.loop)
    let end = duration.map { InputLoop.now + $0 }
    // the broker does not report a pad's size, so there is no picture
    let printer = EventPrinter(.live(format), mask: events, wantsPicture: false, to: output)
    func say(_ text: String) {
      if format == .text { Diagnostics.say(text) }
    }
    var devices: [DeviceID: Device] = [:]
    stream.didReceive = { event in
      switch event {
      case .input(let event, let name):
        if devices[event.device] == nil {
          var device = Device(id: event.device, name: name)
          device.unit = monitor.unit(of: event.device)
          devices[event.device] = device
        }
        printer.print(event, from: devices[event.device])
      case .session(let state, _):
        printer.note(event)
        say("session: \(state.rawValue)")
      case .lost(let count):
        printer.note(event)
        say("\(count) messages were left out: this was too slow")
      }
    }
    if isFound {
      say("a broker runs: --devices reads the devices itself, and shows a picture")
    }
    say("the broker reports events now; Ctrl-C ends")
    stream.loop.work = { [unowned printer] in
      printer.followTerminal()
      return false
    }
    try stream.run(until: end)
    printer.close(isWhole: false)
    return output.finish(stream.finish())
  }

  /// Without a typed layout, xkb's default stands in for one of the machine that xkb does not know.
  private func translateKeys(of session: Session) throws {
    let standard = KeyRepeat.standard
    session.keyRepeat =
      repeatRate == 0
      ? nil
      : KeyRepeat(
        delay: repeatDelay.map { .milliseconds($0) } ?? standard.delay,
        interval: repeatRate.map { .milliseconds(1000 / $0) } ?? standard.interval)
    do {
      let (translator, source, failure) = try XkbKeyTranslator.find(explicit: layout)
      session.keyTranslator = translator
      let words =
        failure.map { "xkb's default, because of \($0)" }
        ?? "\(translator.groupNames.joined(separator: ", ")), from \(source)"
      if format == .text { Diagnostics.say("keyboard layout: \(words)") }
    } catch {
      throw Diagnostics.refusal("\(error)")
    }
  }
}

final class Watching {
  private let command: WatchCommand
  private let live: LiveDevices
  private let session: Session
  private let output: LiveOutput
  private let printer: EventPrinter
  private var notices: DeviceNotices
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
    if statistics != nil {
      session.addHandler(matching: .gesture) { [unowned self] event in
        if let gesture = event.gesture { statistics?.note(gesture) }
      }
      live.didHandle = { [unowned self] in statistics?.note(packetOf: $0, at: InputLoop.now) }
    }
    session.addHandler(matching: printer.wanted) { [unowned self] event in
      printer.print(event, from: session.device(event.device))
      setAlarm()
    }
    // all present devices have been opened when it first fires
    live.alarm = .zero
    live.didRing = { [unowned self] in look() }
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

  private func say(_ notice: (inout DeviceNotices) -> Void) {
    printer.aside { notice(&notices) }
  }
}

struct DeviceNotices {
  let mask: EventMask
  /// The seat whose devices are awaited; `nil` if devices were named.
  let seat: String?
  let isTalkative: Bool
  let invitation: String?
  /// What a broker can do, if one runs and no device can be read.
  let brokerAdvice: String?
  private(set) var names: [DeviceID: String] = [:]
  private(set) var usefulCount = 0
  private(set) var refusedCount = 0

  /// Whether all present devices were opened or refused.
  private(set) var hasLooked = false
  private(set) var failure: ExitCode?

  mutating func look(at live: LiveDevices) {
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

  mutating func add(_ found: FoundDevice, _ identifier: DeviceID, _ device: Device?) {
    let name = device.map { EventSentence.describe($0) } ?? found.name.printable
    names[identifier] = name
    let need = DeviceNeed(found.classes, for: mask)
    // udev may not know a touchpad
    let isUseful = need == .wanted || found.classes.isEmpty
    if isUseful { usefulCount += 1 }
    guard isTalkative else { return }
    let use = need == .helpful ? ", only to notice typing" : ""
    Diagnostics.say("reading \(found.path) (\(name))\(use)")
    if need != .helpful, !isUseful { sayUseless("it has") }
  }

  mutating func remove(_ identifier: DeviceID) {
    guard let name = names.removeValue(forKey: identifier), isTalkative else { return }
    Diagnostics.say("gone: \(name)")
  }

  mutating func refuse(_ refused: RefusedDevice) {
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
        : "\(seat) has no \(missing), and without udev one that is plugged in later is not noticed")
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

struct WatchStatistics {
  private let start: EventTime
  /// How many packets had each latency, in µs. Few latencies differ, so this stays small.
  private var latencies: [Int64: Int] = [:]
  private var gestures = 0

  init(from start: EventTime) { self.start = start }

  mutating func note(_ gesture: GestureEvent) {
    switch gesture.phase {
    case .began, .recognized: gestures += 1
    case .changed, .ended, .cancelled: break
    }
  }

  /// - Parameter packet: The kernel's timestamp.
  mutating func note(packetOf packet: EventTime, at now: EventTime) {
    // clocks may disagree
    latencies[max(0, (now - packet).microseconds), default: 0] += 1
  }

  var packets: Int { latencies.values.reduce(0, +) }

  /// The latency that `share` of all packets (0…1) do not exceed, in µs; `nil` without packets.
  func percentile(_ share: Double) -> Int64? {
    let wanted = Double(packets) * share
    var seen = 0
    return latencies.sorted { $0.key < $1.key }.first { _, count in
      seen += count
      return Double(seen) >= wanted
    }?.key
  }

  func report(losses: Int) {
    let length = (InputLoop.now - start).seconds.fixed(3)
    Diagnostics.say("\(packets) packets and \(gestures) gestures in \(length) s")
    if let half = percentile(0.5), let most = percentile(0.99), let last = percentile(1) {
      Diagnostics.say(
        "latency from the kernel's time of a packet until it was handled: p50 \(half) µs, "
          + "p99 \(most) µs, max \(last) µs")
    }
    let processorTime = Double(clock()) / Double(CLOCKS_PER_SEC)
    Diagnostics.say("\(processorTime.fixed(3)) s of CPU; losses (SYN_DROPPED) \(losses)")
  }
}
