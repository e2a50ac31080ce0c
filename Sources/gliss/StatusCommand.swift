import ArgumentParser
import Glibc
import Gliss
import GlissAgent

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Show the broker's clients, the state of the seat, and what your agent does.",
    discussion: """
      You see your own programs; root sees those of all users. If 'gliss run' runs
      for you, its rules and their mistakes are shown, too.

      EXAMPLES
        gliss status
        gliss status --format json | jq -r .session.state
        gliss status --format json | jq '.clients[] | select(.lost > 0)'
        gliss status --format json | jq -r '.agent.mistakes[]'

      STATES
        active       granted input is reported
        inactive     another user's session is on the screen
        locked       the screen is locked: only granted media keys are reported
        asleep       the machine sleeps
        paused       after 'gliss pause', until 'gliss resume'
        secureInput  a secret is being typed: no keys are reported
      """)

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    let agent = AgentAsking.status
    do throws(ClientError) {
      let status = try BrokerConnection(path: broker.path).status()
      print(status, agent)
    } catch {
      print(nil, agent)
      if agent?.route == "devices", case .noBroker(let path, _) = error {
        // the agent works without a broker, and its status is all there is to report
        return Diagnostics.say(
          "no broker is running at \(path): 'gliss run' has opened the devices itself")
      }
      throw error
    }
  }

  private func print(_ status: BrokerStatus?, _ agent: AgentStatus?) {
    switch format {
    case .text:
      var lines = status.map(\.lines) ?? []
      if let agent {
        if !lines.isEmpty { lines.append("") }
        // without this broker, it may use another one
        lines += agent.lines(sharesBroker: status != nil)
      }
      Output.standard.write(lines: lines)
    case .json:
      var members = status.map(Self.members) ?? []
      if let agent { members.append(JSON.Member("agent", agent.json)) }
      if !members.isEmpty { Output.standard.write(document: .object(members)) }
    }
  }

  /// What the broker reports, without the connection that asks.
  private static func members(_ status: BrokerStatus) -> [JSON.Member] {
    let own = JSON.integer(Int64(getpid()))
    return (status.json.object ?? []).map { member in
      guard member.name == "clients", let clients = member.value.array else { return member }
      return JSON.Member("clients", .array(clients.filter { $0["pid"] != own }))
    }
  }
}

struct PauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Let no program receive input until 'gliss resume'.",
    discussion: """
      Programs stay connected and are notified of the pause. It applies to the user
      whose session is on the screen. Pausing needs no password. 'gliss resume' asks
      for yours, or needs root, so no program of yours can undo a pause.

      EXAMPLES
        gliss pause
        gliss pause && sudo ./install; sudo gliss resume
      """)

  @OptionGroup var broker: BrokerOptions

  func run() throws {
    try broker.ask { try $0.pause() }
  }
}

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let programs receive granted input again after 'gliss pause'.",
    discussion: """
      Input from before is not reported. Hotkeys that the panic chord (Backspace,
      Escape and Enter) has stopped act again, too. If polkit and its agent run, you
      are asked for your password; otherwise use sudo.

      EXAMPLES
        gliss resume
        sudo gliss resume
      """)

  @OptionGroup var broker: BrokerOptions

  func run() throws {
    try broker.ask { try $0.resume() }
  }
}

extension BrokerStatus {
  fileprivate var lines: [String] {
    var lines = head + problems.flatMap { ProblemText($0).lines("problem") }
    for (title, table) in [("Programs", clientTable.lines), ("Hotkeys", hotkeyTable.lines)]
    where !table.isEmpty {
      lines += ["", Style.bold(title)] + table
    }
    if omitted > 0 { lines += ["", "and \(omitted) more, for which the answer had no room"] }
    return lines
  }

  var sessionLine: String {
    var session = seat.state == "active" ? Style.green("active") : state
    if let name = seat.name { session += ": \(name.printable)" }
    if let user = seat.user { session += " of \(Users.name(user))" }
    return line("session", session)
  }

  private var head: [String] {
    let names = devices.map(\.printable).joined(separator: ", ")
    let none =
      showsDevices
      ? Style.yellow("no input devices") : "none are read, or none that you may know of"
    let secrets = seat.secureInput.map { secure in
      let seconds = secure.remaining.rounded(.up).fixed(0)
      return "\(secure.holder.printable) hides all keys, for \(seconds) s at most"
    }
    return [
      line("broker", version.printable), sessionLine,
      line("devices", names.isEmpty ? none : names),
    ] + secrets.map { line("secrets", $0) }
  }

  private var state: String {
    let advice =
      switch seat.state {
      case "paused": " ('gliss resume' ends it)"
      case "locked": " (only media keys that are granted for it are reported)"
      case "inactive": " (another session is on the screen)"
      case _: ""
      }
    return Style.yellow(seat.state.printable) + advice
  }

  /// Each program once, without this one. A program has a connection for each of its purposes.
  private var programs: [Client] {
    clients.filter { $0.pid != getpid() }.reduce(into: []) { programs, client in
      let known = programs.firstIndex { $0.pid == client.pid && $0.name == client.name }
      guard let known else { return programs.append(client) }
      programs[known].add(client)
    }
  }

  private var clientTable: TextTable {
    let clients = programs
    return TextTable(
      [
        .init("pid", clients.map { "\($0.pid)" }, isNumber: true),
        .init("user", clients.map { Users.name($0.uid) }),
        .init("for", clients.map(Self.age), isNumber: true),
        .init("does", clients.map(\.doing.printable)),
        .init("sent", clients.map { Self.count($0.delivered) }, isNumber: true),
        .init("lost", clients.map { Self.count($0.lost) }, isNumber: true),
        .init("program", clients.map { ScopeSentence.describe(named: $0.name) }, isName: true),
      ],
      last: .init(
        "sees",
        clients.map { client in
          client.granted.map { ScopeSentence.describe($0.scope) }.joined(separator: "; ")
        }))
  }

  /// Only root gets other users' counts.
  private static func count(_ number: Int64?) -> String { number.map { "\($0)" } ?? "–" }

  private static func age(_ client: Client) -> String {
    CalendarTime.age((InputLoop.now - .zero).seconds - client.since, places: 0)
  }

  private var hotkeyTable: TextTable {
    var columns: [TextTable.Column] = [
      .init("hotkey", hotkeys.map(\.hotkey.printable)),
      .init("user", hotkeys.map { Users.name($0.uid) }),
    ]
    if hotkeys.contains(where: { $0.mode != nil }) {
      columns.append(.init("in mode", hotkeys.map { $0.mode?.printable ?? "" }))
    }
    return TextTable(
      columns, last: .init("held by", hotkeys.map(\.holder.printable)))
  }
}

extension BrokerStatus.Client {
  /// Adds another connection of the same program.
  fileprivate mutating func add(_ other: Self) {
    since = min(since, other.since)
    if doing == "nothing" {
      doing = other.doing
    } else if other.doing != "nothing", !doing.split(separator: ", ").contains(other.doing[...]) {
      doing += ", " + other.doing
    }
    for each in other.granted where !granted.contains(each) { granted.append(each) }
    delivered = delivered.map { $0 + (other.delivered ?? 0) } ?? other.delivered
    lost = lost.map { $0 + (other.lost ?? 0) } ?? other.lost
  }
}

extension AgentStatus {
  /// - Parameter sharesBroker: whether this command reaches a broker, which is then its broker, too.
  fileprivate func lines(sharesBroker: Bool) -> [String] {
    head + problemLines(sharesBroker ? problems.map(BrokerOptions.addressed) : problems)
  }

  private var head: [String] {
    let route = route == "broker" ? "through the broker" : "from devices it reads itself"
    let input = isConnected ? route : Style.yellow("waiting for input \(route)")
    let files = files.isEmpty ? "no file" : files.map(\.printable).joined(separator: ", ")
    var lines = [
      line(
        "agent",
        "\(version.printable), process \(pid), since \(WallTime(seconds: since).localMinute), "
          + input),
      line("rules", "\(gestures) for gestures and \(hotkeys) for hotkeys, of \(files)"),
    ]
    if !grabbed.isEmpty {
      lines.append(line("grabbed", grabbed.map(\.printable).joined(separator: ", ")))
    }
    if let mode { lines.append(line("mode", mode.printable)) }
    if started > 0 {
      lines.append(
        line("commands", "\(running) run, \(started) were started, \(leftOut) left out"))
    }
    return lines
  }

  /// Mistakes keep rules from loading; problems keep loaded rules from working.
  private func problemLines(_ problems: [String]) -> [String] {
    func rows(_ word: String, _ texts: [String]) -> [String] {
      texts.flatMap { ProblemText($0).lines(word) }
    }
    var lines = rows("mistake", mistakes)
    if !mistakes.isEmpty {
      let kept =
        gestures + hotkeys == 0
        ? "no rule is in force" : "the rules that were read before stay in force"
      lines.append(line("", "until they are fixed, \(kept)"))
    }
    return lines + rows("problem", problems)
  }
}

private func line(_ name: String, _ value: String) -> String {
  name.padded(ProblemText.margin) + value
}
