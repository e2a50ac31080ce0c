import ArgumentParser
import Glibc
import Gliss
import GlissAgent

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

  @OptionGroup var rules: RuleFileOptions

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
    help: ArgumentHelp("With --dry-run: the mode that is entered at first.", valueName: "name"))
  var mode: String?

  @Option(
    help: ArgumentHelp(
      "With --dry-run: the modifiers that are held, such as super+shift.", valueName: "names"),
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
    if stop, dryRun || input.broker || input.devices || rules.config != nil {
      throw ValidationError("--stop goes with no other option: it ends the one that runs")
    }
    if dryRun, input.broker {
      throw ValidationError("--dry-run reads devices or recordings itself: leave out --broker")
    }
    if !dryRun, format != .text { throw ValidationError("--format is for --dry-run") }
    if !dryRun, application != nil { throw ValidationError("--application is for --dry-run") }
    if !dryRun, mode != nil { throw ValidationError("--mode is for --dry-run") }
    if !dryRun, modifiers != nil { throw ValidationError("--modifiers is for --dry-run") }
    try Arguments.checkStandardInput(recordings)
  }

  func run() throws {
    if dryRun { return try DryRunning(self).run() }
    // not in validate(): an unknown option before it is the first mistake
    if let recording = recordings.first {
      throw Diagnostics.refusal(
        "recordings are for --dry-run: gliss run --dry-run \(recording)".printable)
    }
    if stop { return try AgentAsking.ask { try $0.stop() } }
    var options = AgentOptions(
      rules.source, socket: socket.path,
      log: .standard(isVerbose: verbose) { Charset.current.text($0) })
    options.route = input.route
    throw ExitCode(AgentRun.run(options))
  }
}

/// `--broker` and `--devices`: where input comes from.
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

/// Sends requests to the user's agent.
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

  /// The agent's status; `nil` if none is running.
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

/// `--config`: which file to read rules from.
struct RuleFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The rules; by default the files that 'gliss config path' lists.",
      valueName: "file"),
    completion: .file())
  var config: String?

  func validate() throws {
    if config == "" { throw ValidationError("--config needs a file") }
    if config == "-" {
      throw ValidationError(
        "--config needs a file that can be read again: 'gliss check -' takes standard input")
    }
  }

  /// Reads the rules again at each request.
  var source: ConfigurationFiles { ConfigurationFiles(only: config) }
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
      let kept = status.map { $0.gestures + $0.hotkeys == 0 } ?? false
      let inForce = kept ? "no rule is in force" : "the old rules stay in force"
      throw Diagnostics.refusal("these rules are not taken: \(inForce)")
    }
    for problem in status?.problems ?? [] { Diagnostics.say("warning: \(problem)") }
  }
}
