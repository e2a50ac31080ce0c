import ArgumentParser
import Gliss
import GlissConfiguration

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Print the chords you press and the strokes you draw as rules have them.",
    usage: "gliss keys [<option> ...] [<recording> ...]",
    discussion: """
      A chord is printed as a value of 'hotkey': super+shift+t. Keys have the names
      of their places on a QWERTY keyboard, whatever the layout. Buttons of mice are
      keys too, except the left one alone, and so are wheels while a modifier is
      held; if glissd provides the input, these two are missing. For a stroke, a
      rule is printed as a line below 'gestures'. The rule matches the stroke and
      not its opposite.

      Keys are read from the devices, or from glissd if that is granted. What you
      type does not appear in the terminal, but other programs receive it as usual,
      so shortcuts of the desktop still act. Ctrl-C ends it.

      EXAMPLES
        gliss keys
        gliss keys --count 1                  only the first, for scripts
        gliss keys mine.yml                   from a recording
        gliss keys --format jsonl | jq -r .text
      """)

  @OptionGroup var devices: DeviceOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after this many chords and strokes.", valueName: "number"))
  var count: Int?

  @Option(help: "text: as in a file of rules; jsonl: a JSON object a line.")
  var format = EventFormat.text

  @Argument(
    help: ArgumentHelp(
      "Recordings instead of live input; - is standard input.", valueName: "recording"),
    completion: .file())
  var recordings: [String] = []

  @OptionGroup var broker: BrokerOptions

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count is at least 1") }
    if !recordings.isEmpty, devices.areGiven {
      throw ValidationError("--seat and --device are not for recordings")
    }
    if broker.socket != nil, devices.areGiven || !recordings.isEmpty {
      throw ValidationError("--socket is for the broker: leave out devices and recordings")
    }
    try Arguments.checkStandardInput(recordings)
  }

  func run() throws {
    if recordings.isEmpty { return try listen() }
    var left = count
    for file in recordings where left != 0 { left = play(file, count: left) }
    throw Diagnostics.result
  }

  private func play(_ file: String, count: Int?) -> Int? {
    guard var playback = Playback(file: file) else { return count }
    let printer = KeysPrinter(
      EventListing(file: file, origin: playback.origin, format: format), count: count)
    let session = Session()
    session.addHandler(matching: KeysPrinter.wanted) { printer.print($0) }
    playback.recording.willAdvance = { _ in printer.left != 0 }
    _ = playback.run(into: [session])
    playback.reportWarnings()
    if !printer.hasPrinted {
      Diagnostics.say("\(file.printable): it has no chord and no stroke")
    }
    return printer.left
  }

  private func listen() throws {
    let printer = KeysPrinter(.live(format), count: count)
    // naming a socket means asking for the broker
    let isNamed = broker.socket != nil
    var monitor: GlobalEventMonitor?
    var mayUseBroker = true
    if !devices.areGiven {
      do {
        (monitor, mayUseBroker) = try broker.events(
          for: KeysPrinter.wantedOfBroker, isNamed: isNamed)
      } catch {
        if isNamed { throw error }
        Diagnostics.report(error)
      }
    }
    Interruption.hideTyping()
    defer { Interruption.showTyping() }
    if let monitor { throw try listen(to: monitor, printer) }
    throw try listen(
      to: try LiveDevices(devices.selection), printer, mayUseBroker: mayUseBroker)
  }

  private static let invitation =
    "press a chord, or draw a stroke on the touchpad; Ctrl-C ends"

  private func listen(
    to live: LiveDevices, _ printer: KeysPrinter, mayUseBroker: Bool
  ) throws(SystemError) -> ExitCode {
    let session = Session()
    let program = ClientArgument.ownProgram.quotedForShell
    let advice =
      "a broker runs: with 'sudo gliss grants grant \(program) --tier raw --events gesture,key"
      + " --keys all --expires once\(BrokerOptions.repeated)' it shows them, and all that is typed"
    var notices = DeviceNotices(
      mask: KeysPrinter.wanted, seat: devices.watchedSeat, isTalkative: format == .text,
      invitation: Self.invitation,
      brokerAdvice: mayUseBroker ? advice : nil)
    live.eventKinds = KeysPrinter.wanted
    live.keyRepeat = nil
    live.didOpen = { found, id in notices.add(found, id, session.device(id)) }
    live.didRefuse = { notices.refuse($0) }
    live.didWarn = { Diagnostics.say($0) }
    live.didRing = { [unowned live] in notices.look(at: live) }
    live.alarm = .zero
    printer.didFinish = { [unowned live] in live.stop() }
    session.addHandler(matching: KeysPrinter.wanted) { printer.print($0) }
    Interruption.redirect(to: live.loop)
    try live.run(into: session)
    // the run ends before the first look if all named devices were refused
    notices.look(at: live)
    return notices.failure ?? Interruption.status
  }

  private func listen(
    to monitor: GlobalEventMonitor, _ printer: KeysPrinter
  ) throws(SystemError) -> ExitCode {
    let stream = try BrokerStream(monitor)
    stream.didReceive = { event in
      if case .input(let event, _) = event { printer.print(event) }
    }
    printer.didFinish = { [unowned stream] in stream.loop.stop() }
    if format == .text { Diagnostics.say(Self.invitation) }
    try stream.run()
    return stream.finish()
  }
}

final class KeysPrinter {
  private let listing: EventListing
  private var recorder = HotkeyRecorder()
  /// How many more to print; `nil` for no limit.
  private(set) var left: Int?
  private(set) var hasPrinted = false
  var didFinish: (() -> Void)?

  init(_ listing: EventListing, count: Int?) {
    self.listing = listing
    left = count
  }

  static let wanted: EventMask = [.key, .pointer, .scroll, .gesture]
  static let wantedOfBroker: EventMask = [.key, .gesture]

  func print(_ event: InputEvent) {
    switch event {
    case .key(let key): print(recorder.process(key), at: key.time)
    case .button(let button): print(recorder.process(button), at: button.time)
    case .scroll(let scroll): print(recorder.process(scroll), at: scroll.time)
    case .gesture(let gesture):
      switch gesture.phase {
      case .ended, .recognized:
        print("gesture", GestureCondition(fitting: gesture).line, at: gesture.time)
      case .began, .changed, .cancelled: break
      }
    case .touch, .motion, .device, .hotkey, .lost: break
    }
  }

  private func print(_ hotkey: Hotkey?, at time: EventTime) {
    if let hotkey { print("hotkey", "\(hotkey)", at: time) }
  }

  private func print(_ kind: String, _ text: String, at time: EventTime) {
    guard left != 0 else { return }
    hasPrinted = true
    listing.write(kind, at: time, text.printable, ["text": .string(text)])
    guard let count = left else { return }
    left = count - 1
    if left == 0 { didFinish?() }
  }
}
