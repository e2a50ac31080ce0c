import ArgumentParser
import Glibc
import Gliss
import GlissAgent
import GlissConfiguration
import GlissPortal

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
    let ours = [ClientArgument.ownProgram, "portal", "ask"] + shared(answers, socket)
    try PortalServer(
      bus: bus, route: route, socket: socket.path, store: answers.store,
      dialog: dialog.map { [$0] } ?? ours, log: log
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

/// The options of this process that the one it starts needs too.
private func shared(_ answers: ShortcutFileOptions, _ socket: BrokerOptions) -> [String] {
  [("--file", answers.file), ("--socket", socket.socket)].flatMap { name, value in
    value.map { [name, $0] } ?? []
  }
}

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
    else {
      let name = path == "-" ? "standard input" : path
      throw Diagnostics.refusal("\(name): not a question")
    }
    let form = ConsentForm(question, others)
    let asking = ConsentProcess(
      program: ClientArgument.ownProgram, options: shared(answers, socket),
      environment: environmentVariable)
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

extension PortalPlaces {
  static var current: PortalPlaces {
    var places = PortalPlaces(
      environment: environmentVariable,
      home: environmentVariable("HOME") ?? Account.home ?? "",
      read: { path in
        (try? WholeFile.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
      }, list: Folder.names)
    let version = places.program.flatMap { DesktopVersion(reportedBy: $0) }
    places.hasConf = !(version?.isBefore("1.17") ?? false)
    return places
  }
}

extension PortalPlaces.Change {
  /// Makes the change, as a whole or not at all, and reports it after `word`.
  func make(_ word: String) throws {
    if let text {
      try ShortcutStore.makeFolder(of: path)
      let code = ShortcutStore.replace(path, with: text, mode: 0o644)
      if code != 0 { throw SystemError(path, failed: code) }
    } else if unlink(path) != 0 {
      throw SystemError(path, failed: errno)
    }
    let removed = text == nil ? "removed " : ""
    let source = source.map { ", a copy of \($0)" } ?? ""
    Output.standard.write(line: "\(word): \(removed)\(path)\(source)".printable)
    Output.standard.write(line: "then: systemctl --user restart xdg-desktop-portal")
  }
}

private let oldPortal =
  "xdg-desktop-portal before 1.17 reads no portals.conf, and uses the backends that are installed"

struct PortalOnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on",
    abstract: "Let the portal use Gliss for global shortcuts.",
    discussion: """
      It adds one line to your portals.conf. Without a file of your own, it first
      copies the one in force, because yours replaces it as a whole. Everything else
      on the desktop keeps its backend.

      EXAMPLES
        gliss portal on
        systemctl --user restart xdg-desktop-portal
      """)

  @Flag(help: "Do so even if the desktop has a backend of its own.")
  var force = false

  func run() throws {
    let places = PortalPlaces.current
    if !places.hasConf, !places.isOn {
      let reason =
        places.other.map { "it uses \($0) here" }
        ?? (places.description == nil
          ? "install the Gliss package, and it is on by itself" : "it uses none here")
      throw Diagnostics.failure("it cannot be turned on: \(oldPortal); \(reason)")
    }
    if let other = places.other, !places.isOn, !force {
      throw Diagnostics.refusal(
        "the backend \(other) gives applications global shortcuts; --force selects Gliss instead")
    }
    if places.description == nil {
      Diagnostics.say(
        "warning: gliss.portal is in no xdg-desktop-portal/portals folder: install the package first"
      )
    }
    guard let change = places.turningOn else {
      let reason = places.inForce.map { ", by \($0.path)" } ?? ": \(oldPortal)"
      return Output.standard.write(line: "it is on\(reason)".printable)
    }
    try change.make("on")
  }
}

struct PortalOffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: "Let the portal use something else for global shortcuts.",
    discussion: """
      It removes the line from your portals.conf. If 'gliss portal on' created the
      file, the file is removed. Where the portal would still choose Gliss, because
      gliss.portal names the desktop, the line names another backend, or none. The
      answers in shortcuts.yaml stay.

      EXAMPLES
        gliss portal off
      """)

  func run() throws {
    let places = PortalPlaces.current
    guard let change = places.turningOff else {
      guard places.isOn else { return Output.standard.write(line: "it is off") }
      throw Diagnostics.failure(
        "it stays on: \(oldPortal); only removing the package turns it off")
    }
    try change.make("off")
  }
}

struct PortalStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Report whether the portal uses Gliss, and what is missing.",
    discussion: """
      EXAMPLES
        gliss portal
        gliss portal status --format json | jq .on

      EXIT STATUS
        0    the portal uses Gliss, or another backend
        1    no backend gives applications global shortcuts
      """)

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    let state = PortalState()
    format.print(
      state.lines.map(\.printable),
      .members([
        "on": .bool(state.isOn), "installed": .bool(state.isInstalled),
        "file": state.file.map(JSON.string), "otherBackend": state.places.other.map(JSON.string),
        "portalRuns": .bool(state.portalRuns), "backendRuns": .bool(state.backendRuns),
      ]))
    if !state.isOn || !state.isInstalled, state.places.other == nil { throw ExitCode.failure }
  }
}

struct PortalState {
  let places = PortalPlaces.current
  let portalRuns = PortalServer.isOwned(
    PortalInterface.portal, on: ProcessEnvironment.sessionBus)
  let backendRuns = PortalServer.isOwned(
    PortalInterface.busName, on: ProcessEnvironment.sessionBus)

  var isOn: Bool { places.isOn || (places.inForce?.conf.isOn == true && !isInstalled) }
  var isInstalled: Bool { places.description != nil }
  var file: String? { places.inForce?.path }

  var lines: [String] {
    var lines: [String] = []
    if isOn, !isInstalled {
      lines.append(
        "on, by \(file ?? ""), but it does not work: gliss.portal is not installed, so the portal"
          + " cannot find Gliss; install the package")
    } else if isOn {
      let reason =
        places.inForce?.conf.namesOurs == true
        ? "by \(file ?? "")" : "because gliss.portal is installed and no file says otherwise"
      lines.append("the portal uses Gliss for global shortcuts, \(reason)")
    } else if let other = places.other {
      lines.append("off: the backend \(other) gives applications global shortcuts")
    } else {
      lines.append(
        places.hasConf
          ? "off: 'gliss portal on' lets the portal use Gliss for global shortcuts"
          : "off: \(oldPortal)\(isInstalled ? "" : "; with the Gliss package installed, it uses Gliss")"
      )
    }
    if !isOn, !isInstalled {
      lines.append("gliss.portal is not installed, so the portal cannot find it")
    }
    lines.append(
      portalRuns ? "xdg-desktop-portal runs" : "xdg-desktop-portal does not run, or there is no bus"
    )
    if backendRuns {
      lines.append("'gliss portal serve' runs")
    } else if isOn, isInstalled {
      lines.append("'gliss portal serve' starts when an application asks")
    }
    return lines
  }

  static func findings() -> [Finding] {
    let state = PortalState()
    // without a portal no application can ask
    return state.portalRuns || state.isOn ? [state.finding] : []
  }

  private var finding: Finding {
    if let other = places.other, !isOn {
      return Finding(.portal, .ok, "the backend \(other) gives applications global shortcuts")
    }
    guard isOn else {
      return Finding(
        .portal, .note, "applications that ask for global shortcuts get none from Gliss",
        advice: [
          places.hasConf
            ? .init("Let the portal use it.", commands: ["gliss portal on"])
            : .init("Install the package: this old portal uses it then.")
        ])
    }
    guard isInstalled else {
      return Finding(
        .portal, .problem, "portals.conf names gliss, and gliss.portal is not installed",
        path: file,
        advice: [.init("Install the package, or turn it off.", commands: ["gliss portal off"])])
    }
    return Finding(.portal, .ok, "applications get global shortcuts from Gliss", path: file)
  }
}
