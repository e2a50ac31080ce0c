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

  @Option(
    help: ArgumentHelp(
      "What to print, separated by commas: gesture, touch, key, pointer, scroll, device or all.",
      valueName: "kinds"),
    completion: .list(EventMask.choices.map(\.name)), transform: EventMask.init(words:))
  var events = EventMask.gesture

  @Option(help: "text: a table; jsonl: a JSON object a line.")
  var format = EventFormat.text

  @Flag(help: "Print only the rows, also on a terminal.")
  var noPicture = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after this many seconds.", valueName: "seconds"),
    transform: EventInterval.init(seconds:))
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
  @OptionGroup var keys: KeyOptions
  @OptionGroup var settings: SettingOptions

  func validate() throws {
    _ = try settings.configuration()
    if broker, isForDevices {
      throw ValidationError(
        "--devices, --seat, --device, --stats, --set and the options for keys do not go with --broker:"
          + " glissd reads the devices")
    }
    if brokerOptions.socket != nil, isForDevices {
      throw ValidationError("--socket is for the broker: leave out the options for devices")
    }
    if keys.areGiven, !events.contains(.key) {
      throw ValidationError("--layout and --repeat-… are for keys: add --events key or all")
    }
  }

  /// Whether an option needs direct access to devices.
  private var isForDevices: Bool {
    readsDevices || devices.seat != nil || !devices.paths.isEmpty || keys.areGiven || stats
      || !settings.assignments.isEmpty
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

  /// - Parameter isFound: Whether the broker was found without being named.
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
        let device = devices[event.device] ?? Device(id: event.device, name: name)
        devices[event.device] = device
        printer.print(event, from: device)
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
    try stream.run(until: end)
    printer.close(isWhole: false)
    return output.finish(stream.finish())
  }

  private func translateKeys(of session: Session) throws {
    session.keyRepeat = keys.keyRepeat
    do {
      let (translator, words) = try keys.translator()
      session.keyTranslator = translator
      if format == .text { Diagnostics.say("keyboard layout: \(words)") }
    } catch {
      throw Diagnostics.refusal("\(error)")
    }
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

  /// - Parameters:
  ///   - packet: The kernel's timestamp.
  ///   - now: When the packet has been handled.
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
    Diagnostics.say(
      "\(Self.processorTime.fixed(3)) s of CPU; losses (SYN_DROPPED) \(losses)")
  }

  /// The processor time used so far, in seconds.
  private static var processorTime: Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
