import ArgumentParser
import Glibc
import Gliss
import GlissAgent
import GlissConfiguration

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Act on your gestures and hotkeys by your rules.",
    usage: """
      gliss run [--config <file>] [--broker | --devices] [<option> ...]
      gliss run --dry-run [--config <file>] [--format <format>]
                [--application <name>] [--mode <name>] [--modifiers <names>]
                [<recording> ...]
      """,
    discussion: """
      Reads your rules and acts on them until you end it. If glissd runs, it
      provides the input: only what the rules need, if that is granted. Otherwise
      this command reads the devices itself, if it may.

      A file is read again as soon as you save it. If it has mistakes, they are
      reported, and the old rules stay in force.

      With --dry-run no action is carried out. It prints which rule would fire when,
      on live input or on recordings, and why other rules would not.

      EXAMPLES
        gliss run                            with ~/.config/gliss/gliss.yaml
        gliss run --config mine.yaml --verbose
        systemctl --user enable --now gliss  from now on, with every login
        gliss run --dry-run mine.yml         what the rules would do on a recording
        gliss reload                         read the rules again
        gliss why                            what the last strokes did
        gliss status                         what runs, and what is wrong

      EXIT STATUS
        0    ended by Ctrl-C, SIGTERM or 'gliss run --stop'
        1    it cannot run: another one runs, or no input can be read
        2    bad usage; with --dry-run also bad rules or recordings
        129  its terminal was closed
      """)

  @Option(
    help: ArgumentHelp(
      "The rules; by default the files that 'gliss config path' lists. With --dry-run, - is standard input.",
      valueName: "file"),
    completion: .file())
  var config: String?

  @OptionGroup var input: RouteOptions

  @Flag(help: "Also print each rule that fires, and what commands print.")
  var verbose = false

  @Flag(help: "End the agent that runs.")
  var stop = false

  @Flag(help: "Print what would be done, and do nothing.")
  var dryRun = false

  @Option(help: "With --dry-run: text, or jsonl: a JSON object a line.")
  var format = EventFormat.text

  @Option(
    help: ArgumentHelp(
      "With --dry-run: the application that has the focus and is under the pointer.",
      valueName: "name"))
  var application: String?

  @Option(
    help: ArgumentHelp(
      "With --dry-run: the mode that is entered at first, or none.", valueName: "name"))
  var mode: String?

  @Option(
    help: ArgumentHelp(
      "With --dry-run: the modifiers that are held during gestures, such as super+shift. Hotkeys have their own.",
      valueName: "names"),
    transform: { text in text == "none" ? [] : try Modifiers(heldAs: text) })
  var modifiers: Modifiers?

  @Argument(
    help: ArgumentHelp(
      "With --dry-run: recordings instead of live input; - is standard input.",
      valueName: "recording"),
    completion: .file())
  var recordings: [String] = []

  @OptionGroup var socket: BrokerOptions

  func validate() throws {
    if config == "" { throw ValidationError("--config needs a file") }
    if stop,
      dryRun || input.broker || input.devices || config != nil || verbose
        || socket.socket != nil || !recordings.isEmpty
    {
      throw ValidationError("--stop goes with no other option: it ends the one that runs")
    }
    if dryRun, input.broker {
      throw ValidationError("--dry-run reads devices or recordings itself: leave out --broker")
    }
    if !dryRun, format != .text { throw ValidationError("--format is for --dry-run") }
    if !dryRun, application != nil { throw ValidationError("--application is for --dry-run") }
    if !dryRun, mode != nil { throw ValidationError("--mode is for --dry-run") }
    if !dryRun, modifiers != nil { throw ValidationError("--modifiers is for --dry-run") }
    if !dryRun, config == "-" {
      throw ValidationError("--config needs a file that can be read again, unless with --dry-run")
    }
    try Arguments.checkStandardInput(recordings + (config == "-" ? ["-"] : []))
  }

  func run() throws {
    if dryRun { return try DryRunning(self).run() }
    // not in validate(): an unknown option before it is the first mistake
    if let recording = recordings.first {
      throw Diagnostics.refusal(
        "recordings are for --dry-run: gliss run --dry-run \(recording.quotedForShell)".printable)
    }
    if stop { return try AgentAsking.ask { try $0.stop() } }
    var options = AgentOptions(
      ConfigurationFiles(only: config), socket: socket.path,
      log: .standard(isVerbose: verbose) {
        Charset.current.text(BrokerOptions.addressed($0))
      })
    options.route = input.route
    throw ExitCode(AgentRun.run(options))
  }
}

struct RouteOptions: ParsableArguments {
  @Flag(help: "Use the broker, and wait for it if it does not run.")
  var broker = false

  @Flag(help: "Read the devices directly, even if a broker runs.")
  var devices = false

  func validate() throws {
    if broker, devices { throw ValidationError("--broker and --devices do not go together") }
  }

  var route: AgentOptions.Route { broker ? .broker : devices ? .devices : .automatic }
}

enum AgentAsking {
  static func ask<Answer>(_ body: (AgentConnection) throws -> Answer) throws -> Answer {
    do {
      guard let path = AgentConnection.standardPath else {
        throw ClientError.noBroker(path: "", code: ENOENT)
      }
      return try body(try AgentConnection(path: path))
    } catch let error as ClientError {
      throw Diagnostics.failure(text(error))
    }
  }

  static var status: AgentStatus? {
    guard let path = AgentConnection.standardPath else { return nil }
    return try? AgentConnection(path: path).status()
  }

  private static func text(_ error: ClientError) -> String {
    switch error {
    case .noBroker(_, ENOENT), .noBroker(_, ECONNREFUSED):
      "no agent runs; 'gliss run' starts one"
    case .noBroker(let path, let code): "\(path): \(String(cString: strerror(code)))"
    case .disconnected, .timedOut: "the agent does not answer; see: journalctl --user -u gliss"
    case _: "\(error)"
    }
  }
}

struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Make the agent read its rules again.",
    discussion: """
      The agent does so by itself whenever a file is saved. This command also
      requests again what was not granted before, and reports mistakes in the rules
      and what keeps them from acting.

      EXAMPLES
        gliss reload

      EXIT STATUS
        1    no agent runs
        2    the rules have mistakes; the old ones stay in force
      """)

  func run() throws {
    let outcome = try AgentAsking.ask { try $0.reload() }
    for mistake in outcome.mistakes { Diagnostics.say(mistake) }
    let status = AgentAsking.status
    guard outcome.isTaken else {
      let isEmpty = status.map { $0.gestures + $0.hotkeys == 0 } ?? false
      let inForce = isEmpty ? "no rule is in force" : "the old rules stay in force"
      throw Diagnostics.refusal("these rules are not taken: \(inForce)")
    }
    for problem in status?.problems ?? [] {
      Diagnostics.say("warning: \(BrokerOptions.addressed(problem))")
    }
  }
}

struct DryRunning {
  private let command: RunCommand
  private let configuration: Configuration

  /// - Throws: The exit status, if the rules cannot be read or none is for the mode.
  init(_ command: RunCommand) throws(ExitCode) {
    self.command = command
    let (outcome, refused) = Self.read(command.config)
    for refused in refused { Diagnostics.badInput(refused) }
    guard let configuration = outcome.configuration, refused.isEmpty else {
      throw Diagnostics.report(outcome.mistakes)
    }
    if command.config.map(Self.isReadOnce) ?? false {
      Diagnostics.report(outcome.mistakes)
    } else if !outcome.mistakes.isEmpty {
      let words = ["gliss check"] + [command.config?.quotedForShell.printable].compactMap(\.self)
      // without a number: the command may have more, for example about missing files
      Diagnostics.say("there are warnings: '\(words.joined(separator: " "))' prints them")
    }
    if let mode = Self.mode(command), !configuration.rules.contains(where: { $0.mode == mode }) {
      throw Diagnostics.refusal("--mode: no rule is for the mode \(mode.printable)")
    }
    if configuration.hasSettings, !command.input.devices {
      Diagnostics.say(
        "settings: applied here, but otherwise only by 'gliss run --devices': the broker recognizes gestures with the defaults"
      )
    }
    self.configuration = configuration
  }

  /// Whether it is standard input or a pipe, which the agent would not take.
  private static func isReadOnce(_ file: String) -> Bool {
    file == "-" || access(file, F_OK) == 0 && !WholeFile.isRegular(file)
  }

  /// The rules, and why files were refused; `-` is standard input.
  private static func read(_ file: String?) -> (ConfigurationReading, refused: [String]) {
    if let file, isReadOnce(file) {
      let input = ConfigurationInput.named([file])
      var reading = Configuration.read(input.texts)
      reading.mistakes += input.mistakes
      if !input.mistakes.isEmpty { reading.configuration = nil }
      return (reading, input.errors)
    }
    let found = ConfigurationFiles(only: file).read()
    return (found.rules, found.errors.map(\.description))
  }

  func run() throws {
    if command.recordings.isEmpty { return try runLive() }
    let played = command.recordings.map(play)
    // thousands of rules are not freed one by one just before the end
    withExtendedLifetime(played) { exit(Diagnostics.result.rawValue) }
  }

  /// As in rules, `none` is no mode.
  private static func mode(_ command: RunCommand) -> String? {
    command.mode == "none" ? nil : command.mode
  }

  private func play(_ file: String) -> DryRun? {
    guard var playback = Playback(file: file) else { return nil }
    let printer = DryRunPrinter(
      configuration, EventListing(file: file, origin: playback.origin, format: command.format))
    let rules = rules(printer)
    // for hotkeys that name a character
    rules.session.keyTranslator = (try? XkbKeyTranslator.find())?.translator
    playback.recording.willAdvance = { time in
      // strokes come before what lingering rules do later
      printer.printIdle(rules.takeIdlePresses())
      rules.advance(to: time)
      return true
    }
    // finish normally even after an invalid line, because everything before it was played
    _ = playback.run(into: [rules.session])
    printer.printIdle(rules.takeIdlePresses())
    rules.end()
    printer.close(rules.takeIdlePresses(), of: playback.recording.devices)
    playback.reportWarnings()
    return rules
  }

  private func runLive() throws {
    let live = try LiveDevices()
    let printer = DryRunPrinter(configuration, .live(command.format))
    let rules = rules(printer)
    let watches = try watchWindows(for: rules, on: live.loop)
    defer { withExtendedLifetime(watches) {} }
    live.didFindNone = {
      Diagnostics.say(
        "no touchpad, touchscreen or keyboard is there yet: 'gliss doctor' says what there is")
    }
    live.didRefuse = { Diagnostics.say("\($0)") }
    live.didHandle = { [unowned live] _ in
      printer.printIdle(rules.takeIdlePresses())
      live.alarm = rules.deadline
    }
    live.didRing = { [unowned live] in
      rules.advance(to: InputLoop.now)
      printer.printIdle(rules.takeIdlePresses())
      live.alarm = rules.deadline
    }
    rules.session.keyRepeat = .standard
    rules.session.keyTranslator = try XkbKeyTranslator.find().translator
    Interruption.redirect(to: live.loop)
    if command.format == .text { Diagnostics.say("make your gestures; Ctrl-C ends it") }
    try live.run(into: rules.session)
    // as the agent ends
    let status = Interruption.status
    throw status.rawValue == 128 + SIGTERM ? ExitCode.success : status
  }

  private func watchWindows(
    for rules: DryRun, on loop: InputLoop
  ) throws(SystemError) -> [FocusWatch] {
    var watches: [FocusWatch] = []
    for matched in FollowedWindow.allCases
    where command.application == nil && configuration.asks(for: matched) {
      let watch = try FocusWatch(on: loop, following: matched)
      watch.didChange = { [unowned watch] window in
        rules.focus(
          on: window.map { RuleFocus.Window(names: $0.names, title: $0.title) }, as: matched,
          isKnown: watch.focus != .unknown)
      }
      watches.append(watch)
    }
    return watches
  }

  private func rules(_ printer: DryRunPrinter) -> DryRun {
    let rules = DryRun(
      configuration, focus: command.application.map { RuleFocus.Window(names: [$0]) },
      modifiers: command.modifiers ?? [])
    rules.didActivate = { [unowned rules] in
      printer.print($0, $1, from: rules.session.device($0.cause.event.device))
    }
    rules.didEndStroke = { printer.note($0) }
    rules.didLeaveMode = { [unowned rules] mode in
      printer.printLeft(mode, at: rules.session.lastTime, isCertain: command.input.devices)
    }
    for problem in rules.problems { Diagnostics.say(problem) }
    if let mode = Self.mode(command) { rules.enterMode(mode) }
    return rules
  }
}

final class DryRunPrinter {
  private let configuration: Configuration
  private let listing: EventListing
  private let files: FileNames
  private var activationCount = 0
  private var strokeCount = 0
  private var idleCount = 0
  private var reasons: Set<String> = []
  /// Strokes not printed yet.
  private var strokes: [MatchedGesture] = []

  init(_ configuration: Configuration, _ listing: EventListing) {
    self.configuration = configuration
    self.listing = listing
    files = FileNames(configuration.rules.map(\.place.file))
    if listing.format == .text, let file = listing.file {
      Output.standard.write(line: Style.bold(file.printable))
    }
  }

  // MARK: Activations

  func print(_ activation: Activation, _ deeds: [DryRun.Deed], from device: Device?) {
    activationCount += 1
    let actions = deeds.map { deed in
      deed.action.outline
        + (deed.turn.map { " (\($0.number) of \($0.count) in turn)" } ?? "")
    }
    let rule = configuration.rules[activation.rule]
    let row = [
      time(activation.time), Style.bold(rule.label(among: files).printable.padded(24)),
      activation.words.padded(11),
      actions.joined(separator: "; ").printable,
    ]
    listing.write(
      "activation", at: activation.time, row.joined(separator: "  "),
      .members([
        "rule": StrokeReport.RuleName(rule).json, "device": device.map { .string($0.name) },
        "unit": device.flatMap { $0.unit == 1 ? nil : JSON.whole($0.unit) },
        "moment": .string(activation.moment.rawValue),
        "times": .integer(Int64(activation.count)), "actions": .strings(actions),
      ]))
  }

  private func time(_ time: EventTime) -> String {
    (time - listing.origin).seconds.fixed(3).aligned(9)
  }

  // MARK: Strokes

  private func text(_ time: EventTime) -> StrokeText {
    StrokeText(time: self.time(time), files: files)
  }

  func note(_ stroke: MatchedGesture) {
    if !stroke.isSuperseded { strokes.append(stroke) }
  }

  /// Prints the strokes and presses that had no effect, and the rules that strokes with an effect
  /// nearly triggered, while the user still remembers making them. With jsonl, prints all strokes.
  func printIdle(_ presses: [PressReport]) {
    if strokes.isEmpty && presses.isEmpty { return }
    let reports = StrokeReport.reports(of: strokes)
    strokes = []
    strokeCount += reports.count
    idleCount += reports.count { !$0.hasActed } + presses.count
    for report in reports
    where listing.format == .jsonl || !report.hasActed || !report.missed.isEmpty {
      listing.write("stroke", at: report.time, text(report.time).text(report), report.json)
    }
    for press in presses {
      listing.write("press", at: press.time, text(press.time).text(press), press.json)
    }
    reasons.formUnion((reports.flatMap(\.missed) + presses.flatMap(\.missed)).flatMap(\.reasons))
  }

  /// - Parameter isCertain: whether the agent will read the devices. Through the broker, Escape
  ///   usually leaves no mode.
  func printLeft(_ mode: String, at time: EventTime, isCertain: Bool) {
    let condition = isCertain ? "" : ", if gliss reads the keyboards itself"
    listing.write(
      "modeLeft", at: time,
      "\(self.time(time))  Escape leaves the mode \(mode)\(condition)".printable,
      ["mode": .string(mode)])
  }

  func close(_ presses: [PressReport], of devices: [Device]) {
    printIdle(presses)
    if listing.format == .text {
      Output.standard.write(lines: ([summary] + hints(of: devices)).map { "  " + $0 })
    }
  }

  private var summary: String {
    let made = "\(counted(activationCount, "activation")), \(counted(strokeCount, "stroke"))"
    return idleCount == 0 ? made : "\(made); without effect: \(idleCount)"
  }

  private func hints(of devices: [Device]) -> [String] {
    let held = "held: none, rule asks for "
    let modifiers = reasons.sorted().first { $0.hasPrefix(held) }?.dropFirst(held.count)
    let asked = configuration.rules.compactMap { $0.application?.only.first }
    let name = asked.first { !$0.contains("*") && !$0.contains("?") }
    let isMissed = reasons.contains { $0.contains("application has the focus, ") }
    let isNothing = strokeCount == 0 && activationCount == 0 && idleCount == 0
    return [
      modifiers.map { "to try it with modifiers: --modifiers \($0)" },
      isMissed
        ? name.map { "to try it in an application: --application \($0.quotedForShell)" } : nil,
      isNothing ? listing.file.map { advice($0, of: devices) } : nil,
    ].compactMap(\.self)
  }

  /// How to see what is in a recording that had no effect.
  private func advice(_ file: String, of devices: [Device]) -> String {
    if devices.contains(where: { $0.kind == .touchpad || $0.kind == .touchscreen }) {
      let settings = configuration.settings.map { "\($0.name)=\($0.value.shortest)" }
      return adviceToExplain(file, settings: settings)
    }
    return "to see what was pressed: gliss keys \(file == "-" ? "FILE" : file.quotedForShell)"
  }
}

extension Action {
  fileprivate var outline: String {
    switch verb {
    case .run(let command):
      switch command.program {
      case .arguments: "run " + command.program.spoken
      case .shell: "shell: " + command.program.spoken
      }
    case .keys(let chords): "keys " + chords.map(\.description).joined(separator: " ")
    case .hold(let chords): "hold " + chords.map(\.textToPress).joined(separator: " ")
    case .letGo(let chords): "release " + chords.map(\.textToPress).joined(separator: " ")
    case .move(let factor): "move the pointer × \(factor.written)"
    case .turns(let turns): turns.joined().map(\.outline).joined(separator: " | ")
    case .mode(let mode): "mode \(mode ?? "none")"
    case .notify(let summary, _): "notify “\(summary)”"
    case .desktop(let action): action.written
    case .emit(let emission): "emit \(emission.line ?? "the event") to \(emission.path)"
    }
  }
}

extension Activation {
  /// As in stroke reports.
  fileprivate var words: String {
    count == 1 ? moment.rawValue : "\(moment.rawValue) × \(count)"
  }
}
