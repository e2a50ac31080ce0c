import ArgumentParser
import Glibc
import Gliss
import GlissAgent
import GlissConfiguration
import GlissPortal

/// `gliss portal`: global shortcuts for applications that ask the desktop for them.
struct PortalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "portal",
    abstract: "Give applications the global shortcuts they ask the desktop for.",
    discussion: """
      Applications such as OBS, Mumble and browsers ask xdg-desktop-portal for
      global shortcuts. If the desktop does not provide them, Gliss does: you are
      asked which keys or which gesture to use, and the application is only notified
      when you use it.

      EXAMPLES
        gliss portal on         select Gliss in your own portals.conf
        gliss portal            whether it is on, and what is missing
        gliss shortcuts         the shortcuts of applications
        gliss portal off

      docs/portal.md has more.
      """,
    subcommands: [
      PortalStatusCommand.self, PortalOnCommand.self, PortalOffCommand.self,
      PortalServeCommand.self, PortalAskCommand.self,
    ],
    defaultSubcommand: PortalStatusCommand.self)
}

/// `gliss portal serve`: the backend itself.
struct PortalServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve global shortcuts to the portal; D-Bus starts this when it is needed.",
    usage: "gliss portal serve [<option> ...]",
    discussion: """
      It gets input from the broker. If none runs, it reads the devices itself if it
      may, and otherwise waits for the broker.

      EXAMPLES
        gliss portal serve --verbose
        systemctl --user status gliss-portal
      """)

  @OptionGroup var input: RouteOptions

  @Flag(help: "Also report each use of a shortcut.")
  var verbose = false

  @OptionGroup var answers: ShortcutFileOptions

  @Option(
    help: ArgumentHelp(
      "A program that asks instead of our dialog: it reads a question from its standard input and"
        + " writes the answer, both JSON.", valueName: "program"))
  var dialog: String?

  @OptionGroup var socket: BrokerOptions

  func run() throws {
    guard let bus = ProcessEnvironment.sessionBus else {
      throw Diagnostics.failure("there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
    }
    let log = AgentLog.standard(isVerbose: verbose) { Charset.current.text($0) }
    try PortalServer(
      bus: bus, route: route, socket: socket.path, store: answers.store,
      dialog: dialog.map { [$0] } ?? [ownPath, "portal", "ask"] + shared(answers, socket), log: log
    ).run()
  }

  private var route: AgentOptions.Route {
    // if no input is available, wait for the broker
    let isWaiting =
      input.route == .automatic
      && !TriggerFeed.isPossible(route: .automatic, socket: socket.path)
    return isWaiting ? .broker : input.route
  }
}

/// The path of this program.
private var ownPath: String { Folder.target(of: "/proc/self/exe") ?? "gliss" }

/// The options of this process that the one it starts needs too.
private func shared(_ answers: ShortcutFileOptions, _ socket: BrokerOptions) -> [String] {
  [("--file", answers.file), ("--socket", socket.socket)].flatMap { name, value in
    value.map { [name, $0] } ?? []
  }
}

/// `gliss portal ask`: shows the dialog. The backend starts it.
struct PortalAskCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Ask about a question from standard input, and print the answer.",
    usage: "gliss portal ask [<option> ...]",
    discussion: """
      The backend starts this, with a question as JSON. The answer is JSON too; {} is
      none.

      EXIT STATUS
        3    there is no way to ask: no zenity, no kdialog and no terminal
      """, shouldDisplay: false)

  @Option(help: ArgumentHelp("Ask on this terminal, with files of a folder.", valueName: "folder"))
  var `in`: String?

  @Option(help: "How to ask: zenity, kdialog or terminal; by default what is installed.")
  var by: ConsentProcess.Way?

  @Flag(help: "Open the dialog without a notification first.")
  var now = false

  @OptionGroup var answers: ShortcutFileOptions
  @OptionGroup var socket: BrokerOptions

  func run() throws {
    let path = `in`.map { "\($0)/\(TerminalWindow.question)" } ?? "-"
    guard let bytes = try? WholeFile.read(path, limit: 1 << 20),
      let json = try? JSON(parsing: bytes, limits: .dialog), let question = ConsentQuestion(json)
    else { throw Diagnostics.refusal("\(path): not a question") }
    let form = ConsentForm(question, others)
    let asking = ConsentProcess(
      program: ownPath, options: shared(answers, socket), environment: environmentVariable)
    if let `in` { return try askHere(form, asking, "\(`in`)/\(TerminalWindow.answer)") }
    let bus = now ? nil : ProcessEnvironment.sessionBus
    guard let answer = asking.ask(form, by: by, notifying: bus) else {
      throw ExitCode(ConsentProcess.noDialog)
    }
    Output.standard.write(line: answer.json.description)
  }

  private func askHere(
    _ form: ConsentForm, _ asking: ConsentProcess, _ path: String
  ) throws {
    let pipe = open(path, O_WRONLY | O_CLOEXEC)
    guard pipe >= 0 else { throw Diagnostics.failure("the application no longer asks") }
    defer { close(pipe) }
    signal(SIGPIPE, SIG_IGN)
    // the window is open; the terminal's own process may have ended
    _ = FileBytes.write([UInt8(ascii: "\n")], to: pipe)
    let answer = asking.askHere(
      form, write: { Output.standard.write(line: $0.printable) }, read: { readLine() })
    if FileBytes.write(answer.json.encoded[...], to: pipe).code != 0 {
      throw Diagnostics.failure("the application no longer asks")
    }
  }

  /// Without a broker or rules, the dialog knows less.
  private var others: OtherTriggers {
    OtherTriggers(
      rules: ConfigurationFiles.ownRules, answers: (try? answers.store.read()) ?? ShortcutAnswers(),
      consuming: consumingProblem)
  }

  private var consumingProblem: String? {
    do throws(ClientError) {
      let permission = try BrokerConnection(path: socket.path).preflight(Scope(tier: .post))
      return permission.isGranted
        ? nil : permission.advice ?? "glissd may not keep keys back for this program"
    } catch {
      // this user reads the devices; any other problem shows later
      return nil
    }
  }
}

extension ConsentProcess.Way: ExpressibleByArgument {}
