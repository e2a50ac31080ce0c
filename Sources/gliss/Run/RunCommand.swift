import ArgumentParser
import Glibc
import Gliss
import GlissAgent

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Act on your gestures and hotkeys, as your rules say.",
    usage: """
      gliss run [--config <file>] [--broker | --devices] [--verbose]
      gliss run --dry-run [--config <file>] [--format <format>]
                [--application <name>] [<recording> ...]
      """,
    discussion: """
      Reads your rules and does what they say until you end it. Where glissd runs it
      gives the input, and only what the rules ask for and was granted; where it does
      not, this reads the devices itself, if it may.

      A file that is saved is read anew at once. One with mistakes changes nothing:
      the old rules stay, and you are told why.

      With --dry-run nothing is done: it says which rule would fire when, on what you
      do or on recordings, and why others did not.

      EXAMPLES
        gliss run                            with ~/.config/gliss/gliss.yaml
        gliss run --config mine.yaml --verbose
        systemctl --user enable --now gliss  from now on, with every login
        gliss run --dry-run mine.yml         what the rules make of a recording
        gliss reload                         read the rules anew
        gliss why                            what became of the last strokes
        gliss status                         what runs, and what is wrong

      EXIT STATUS
        0    ended by Ctrl-C, SIGTERM or 'gliss run --stop'
        1    it cannot run: another one does, or there is no input to be had
        2    bad usage; of --dry-run: bad rules or recordings
        129  its terminal went away
      """)

  @OptionGroup var rules: RuleFileOptions

  @Flag(help: "Use the broker, and wait for it where it is not there.")
  var broker = false

  @Flag(help: "Read the devices yourself, also where there is a broker.")
  var devices = false

  @Flag(help: "Also say each time a rule fires, and what commands print.")
  var verbose = false

  @Flag(help: "End the one that runs.")
  var stop = false

  @Flag(help: "Do nothing, and say what would be done.")
  var dryRun = false

  @Option(help: "With --dry-run: text, or jsonl: a JSON object a line.")
  var format = EventFormat.text

  @Option(
    help: ArgumentHelp(
      "With --dry-run: the application that has the focus and the pointer.", valueName: "name"))
  var application: String?

  @Argument(
    help: ArgumentHelp(
      "With --dry-run: recordings instead of what you do; - is standard input.",
      valueName: "recording"),
    completion: .file())
  var recordings: [String] = []

  @OptionGroup var socket: BrokerOptions

  func validate() throws {
    if broker, devices { throw ValidationError("--broker and --devices do not go together") }
    if stop, dryRun || broker || devices || rules.config != nil {
      throw ValidationError("--stop goes with no other option: it ends the one that runs")
    }
    if dryRun, broker {
      throw ValidationError("--dry-run reads devices or recordings itself: leave out --broker")
    }
    if !dryRun, format != .text { throw ValidationError("--format is for --dry-run") }
    if !dryRun, application != nil { throw ValidationError("--application is for --dry-run") }
    if !dryRun, !recordings.isEmpty {
      throw ValidationError(
        "recordings are for --dry-run: gliss run --dry-run \(recordings[0])".printable)
    }
    try Arguments.checkStandardInput(recordings)
  }

  func run() throws {
    if dryRun {
      return try DryRunning(rules.source, format, application: application).run(recordings)
    }
    if stop { return try AgentAsking.ask { (agent) throws(ClientError) in try agent.stop() } }
    var options = AgentOptions(
      rules.source, socket: socket.path,
      log: .standard(isVerbose: verbose) { Charset.current.text($0) })
    options.route = broker ? .broker : devices ? .devices : .automatic
    throw ExitCode(AgentRun.run(options))
  }
}

/// Sends requests to the user's agent.
enum AgentAsking {
  /// If the agent does not reply, reports the reason and ends the process.
  static func ask<Answer>(
    _ body: (AgentConnection) throws(ClientError) -> Answer
  ) throws(ExitCode) -> Answer {
    do throws(ClientError) {
      guard let path = AgentConnection.standardPath else { throw .noBroker(path: "", code: ENOENT) }
      return try body(try AgentConnection(path: path))
    } catch {
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
      "The rules; without it those that 'gliss config path' lists.",
      valueName: "file"),
    completion: .file())
  var config: String?

  func validate() throws {
    if config == "" { throw ValidationError("--config needs a file") }
  }

  /// Reads the rules again at each request.
  var source: RuleSource { .standard(only: config) }
}

struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Let the agent read its rules anew.",
    discussion: """
      It does so by itself whenever a file is saved. This also asks again for what
      was not granted before, and says what is wrong with the rules
      and what keeps them from acting.

      EXAMPLES
        gliss reload

      EXIT STATUS
        1    no agent runs
        2    the rules have mistakes: the old ones stay
      """)

  func run() throws {
    let outcome = try AgentAsking.ask { (agent) throws(ClientError) in try agent.reload() }
    for mistake in outcome.mistakes { Diagnostics.say(mistake.printable) }
    let status = AgentAsking.status
    guard outcome.isTaken else {
      let kept = status.map { $0.gestures + $0.hotkeys == 0 } ?? false
      Diagnostics.say(
        "these rules were not taken: \(kept ? "there are no others" : "the old ones stay")")
      throw ExitCode(ExitStatus.badInput)
    }
    for problem in status?.problems ?? [] { Diagnostics.say("warning: \(problem)".printable) }
  }
}
