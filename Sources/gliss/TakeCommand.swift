import ArgumentParser
import Glibc
import Gliss
import GlissAgent
import GlissConfiguration

struct TakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "take",
    abstract: "Keep the desktop from the strokes that rules consume.",
    usage: "gliss take [on [--twin [--resting]] | off | status] [--format <format>]",
    discussion: """
      The desktop does not act on the gestures of rules with 'consume: true' if it
      loads plugins of libinput. 'on' installs such a plugin: in your own
      configuration folder, from which GNOME Shell and niri load it, or as root in
      /etc/libinput/plugins for the other desktops. Desktops load it when they
      start, so log out and in once. The file does nothing unless Gliss runs. 'off'
      removes it. 'status', the default, reports what is in force, and what is left
      to do.

      For all other desktops, such as those on X11, there is 'on --twin': glissd
      grabs each touchpad, and a virtual touchpad, its twin, passes on what no rule
      consumes. Only root can turn it on. glissd must be allowed to write to
      /dev/uinput, and there are drawbacks (docs/compositors.md). With '--resting',
      the twin also reports resting thumbs, palms, and touches while somebody types
      as palms.

      EXAMPLES
        gliss take on
        sudo gliss take on      for all users, and for KWin and Hyprland
        sudo gliss take on --twin
        gliss take status
        gliss take off

      EXIT STATUS
        0  done; status: strokes are kept from the desktop, or no rule consumes any
        1  failed; status: strokes are not kept from the desktop
      """)

  enum Order: String, ExpressibleByArgument, CaseIterable { case on, off, status }

  @Argument(help: "on, off or status.")
  var order = Order.status

  @Flag(help: "With on: use twins of the touchpads, even if the desktop loads plugins.")
  var twin = false

  @Flag(help: "With --twin: report what only rests on the pad as a palm.")
  var resting = false

  @Option(help: "For status: text for reading, json for one object.")
  var format = AnswerFormat.text

  func validate() throws {
    if twin, order != .on { throw ValidationError("--twin goes with on") }
    if resting, !twin { throw ValidationError("--resting goes with --twin") }
    if format == .json, order != .status { throw ValidationError("--format goes with status") }
  }

  func run() throws {
    switch order {
    case .on where twin: try turnTwinsOn()
    case .on: try install()
    case .off: try remove()
    case .status: try show()
    }
  }

  private func install() throws {
    let isRoot = geteuid() == 0
    let status = TakeStatus.running
    var file = isRoot ? PluginFile.system : .own
    switch status.standing {
    // root may install it for others, whose desktop is not known here
    case _ where isRoot: break
    case .inForce, .waiting, .twin: return Output.standard.write(lines: status.lines)
    case .outdated(let old): file = old
    case .missing(let missing, _): file = missing
    case .tooOld, .impossible, .unsupported, .needless, .unknown, .failed:
      let other = status.remedy.map { ". \($0.text) \($0.commands.joined())" } ?? ""
      throw Diagnostics.failure(status.sentence + other)
    }
    if file == .system, !isRoot {
      Output.standard.write(lines: status.lines)
      throw ExitCode.failure
    }
    try file.install()
    Output.standard.write(
      line: "installed \(file.path); desktops load it when they start: log out and in once"
        .printable)
    switch status.standing {
    case .tooOld, .impossible, .unsupported:
      Output.standard.write(lines: ["but " + status.sentence.printable])
    case .inForce, .waiting, .outdated, .missing, .twin, .needless, .unknown, .failed: break
    }
  }

  private func turnTwinsOn() throws {
    guard geteuid() == 0 else {
      throw Diagnostics.failure("only root turns twins on: sudo gliss take on --twin")
    }
    try TwinSwitch.system.turnOn(hidesResting: resting)
    Output.standard.write(
      line:
        "twins are on (\(TwinSwitch.system.path)); glissd makes them while a rule consumes strokes, after: sudo systemctl reload glissd"
        .printable)
  }

  private func remove() throws {
    let isRoot = geteuid() == 0
    var removed: [String] = []
    for file in isRoot ? [PluginFile.system, .own] : [.own] where try file.remove() {
      removed.append(file.path)
    }
    if isRoot, try TwinSwitch.system.turnOff() {
      Output.standard.write(
        line: "twins are off; glissd unplugs them after: sudo systemctl reload glissd")
      if removed.isEmpty { return }
    }
    for path in removed {
      Output.standard.write(
        line: "removed \(path); running desktops use it until they restart".printable)
    }
    let remaining =
      (PluginFile.system.state == .missing ? [] : [PluginFile.system.path])
      + (TwinSwitch.system.isOn ? [TwinSwitch.system.path] : [])
    if !isRoot, let path = remaining.first {
      throw Diagnostics.failure("\(path) remains: sudo gliss take off")
    }
    if removed.isEmpty { Output.standard.write(line: "it was not installed") }
  }

  private func show() throws {
    let status = TakeStatus.running
    let isIdle = !status.isInForce && Self.isIdle
    // the agent may lack the right to take them
    let isUseless = isIdle || status.standing == .needless
    let problems = isUseless ? [] : AgentAsking.status?.takingProblems ?? []
    let lines =
      status.lines + problems.flatMap { ProblemText(BrokerOptions.addressed($0)).lines("problem") }
    format.print(isIdle ? [TakeStatus.idle] : lines, status.json(isIdle: isIdle, problems))
    if !isIdle, !status.isInForce || !problems.isEmpty { throw ExitCode.failure }
  }

  /// Whether it is certain that no rule consumes a stroke. It is not if the rules have mistakes, if
  /// the agent has read other files, or under sudo, where the rules are another user's.
  private static var isIdle: Bool {
    guard environmentVariable("SUDO_UID") == nil else { return false }
    let found = ConfigurationFiles().read()
    let names = found.texts.map(\.name)
    guard found.errors.allSatisfy({ $0.reason == .missing && $0.includer == nil }),
      AgentAsking.status?.files.allSatisfy(names.contains) ?? true,
      let rules = Configuration.read(found.texts).configuration?.rules
    else { return false }
    return !rules.contains(where: \.consumesStroke)
  }
}

extension TakeStatus {
  fileprivate static let idle = "no rule consumes a stroke; nothing to do"

  fileprivate var lines: [String] {
    [sentence.printable] + (remedy.map { [$0.text] + $0.commands.map { "  \($0)" } } ?? [])
  }

  fileprivate func json(isIdle: Bool, _ problems: [String]) -> JSON {
    let remedy = isIdle ? nil : remedy
    return .members([
      "taken": .bool(isInForce && problems.isEmpty),
      "desktop": desktop.map { .string($0.rawValue) },
      "version": version.map { .string("\($0)") }, "text": .string(isIdle ? Self.idle : sentence),
      "advice": remedy.map { .string($0.text) }, "commands": .strings(remedy?.commands ?? []),
      "problems": .strings(problems),
    ])
  }

  static func findings() -> [Finding] {
    let status = running
    let isTwin = if case .twin = status.standing { true } else { false }
    guard isTwin || status.desktop != nil, status.standing != .needless else { return [] }
    let advice = status.remedy.map { [Finding.Advice($0.text, commands: $0.commands)] } ?? []
    return [
      Finding(.desktop, status.isInForce ? .ok : .note, status.sentence, advice: advice)
    ]
  }
}
