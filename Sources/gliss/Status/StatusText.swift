import Glibc
import Gliss
import GlissAgent

/// Describes the broker's status.
struct StatusText {
  private let status: BrokerStatus
  private let now: EventTime
  private let terminal: Terminal

  init(_ status: BrokerStatus, at now: EventTime, on terminal: Terminal) {
    self.status = status
    self.now = now
    self.terminal = terminal
  }

  var text: String {
    (head + problems + section("Programs", clients.lines) + section("Hotkeys", hotkeys.lines)
      + omitted)
      .map { $0 + "\n" }.joined()
  }

  private var head: [String] {
    let seat = status.seat
    var session = seat.state == "active" ? Style.green("active", on: terminal) : state
    if let name = seat.name { session += ": session \(name.printable)" }
    if let user = seat.user { session += " of \(Users.name(user))" }
    let devices = status.devices.map(\.printable).joined(separator: ", ")
    var lines = [
      line("broker", status.version.printable), line("session", session),
      line("devices", devices.isEmpty ? "none is read" : devices),
    ]
    for secure in seat.secureInput {
      let seconds = secure.remaining.rounded(.up).fixed(0)
      lines.append(
        line(
          "secrets",
          "\(secure.holder.printable) lets nobody see keys, for \(seconds) s at most"))
    }
    return lines
  }

  private var state: String {
    let advice =
      switch status.seat.state {
      case "paused": " ('gliss resume' ends it)"
      case "locked": " (only media keys that were granted so are reported)"
      case "inactive": " (another session is on the screen)"
      case _: ""
      }
    return Style.yellow(status.seat.state.printable, on: terminal) + advice
  }

  private func line(_ name: String, _ value: String) -> String { name.padded(9) + value }

  private var problems: [String] {
    status.problems.flatMap { ProblemText($0).lines("problem", on: terminal) }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", Style.bold(title, on: terminal)] + lines
  }

  private var omitted: [String] {
    status.omitted == 0
      ? [] : ["", "and \(status.omitted) programs and hotkeys more than fit the answer"]
  }

  private var clients: TextTable {
    // leave out the client of this very request
    let clients = status.clients.filter { $0.pid != getpid() }
    return TextTable(
      [
        TextTable.Column("pid", clients.map { "\($0.pid)" }, isNumber: true),
        TextTable.Column("user", clients.map { Users.name($0.uid) }),
        TextTable.Column("for", clients.map(age), isNumber: true),
        TextTable.Column("does", clients.map(\.doing.printable)),
        TextTable.Column("sent", clients.map { Self.count($0.delivered) }, isNumber: true),
        TextTable.Column("lost", clients.map { Self.count($0.lost) }, isNumber: true),
        TextTable.Column("program", clients.map { ScopeSentence.describe(named: $0.name) }),
      ],
      last: TextTable.Column(
        "sees",
        clients.map { client in
          client.granted.map { ScopeSentence.describe($0.scope) }.joined(separator: "; ")
        }), on: terminal)
  }

  /// Only root is told other users' counts.
  private static func count(_ number: Int64?) -> String { number.map { "\($0)" } ?? "–" }

  private func age(_ client: BrokerStatus.Client) -> String {
    let seconds = max(0, Double(now.microseconds) / 1_000_000 - client.since)
    return switch seconds {
    case ..<120: "\(seconds.fixed(0)) s"
    case ..<7200: "\((seconds / 60).fixed(0)) min"
    case ..<172_800: "\((seconds / 3600).fixed(0)) h"
    case _: "\((seconds / 86_400).fixed(0)) d"
    }
  }

  private var hotkeys: TextTable {
    let hotkeys = status.hotkeys
    var columns = [
      TextTable.Column("hotkey", hotkeys.map(\.hotkey.printable)),
      TextTable.Column("user", hotkeys.map { Users.name($0.uid) }),
    ]
    if hotkeys.contains(where: { $0.mode != nil }) {
      columns.append(TextTable.Column("in mode", hotkeys.map { $0.mode?.printable ?? "" }))
    }
    return TextTable(
      columns, last: TextTable.Column("held by", hotkeys.map(\.holder.printable)), on: terminal)
  }
}

extension BrokerStatus {
  /// As the broker reports it.
  var json: JSON {
    .some([
      "version": .string(version), "session": seat.json,
      "clients": .array(clients.map(\.json)), "hotkeys": .array(hotkeys.map(\.json)),
      "omitted": omitted > 0 ? .integer(Int64(omitted)) : nil,
      "devices": .array(devices.map(JSON.string)), "problems": .array(problems.map(JSON.string)),
    ])
  }
}

extension BrokerStatus.Seat {
  fileprivate var json: JSON {
    .some([
      "state": .string(state), "user": user.map { .integer(Int64($0)) },
      "name": name.map(JSON.string),
      "secureInput": secureInput.isEmpty ? nil : .array(secureInput.map(\.json)),
    ])
  }
}

extension BrokerStatus.SecureInput {
  fileprivate var json: JSON {
    ["holder": .string(holder), "uid": .integer(Int64(uid)), "remaining": .decimal(remaining)]
  }
}

extension BrokerStatus.Client {
  fileprivate var json: JSON {
    [
      "pid": .integer(Int64(pid)), "uid": .integer(Int64(uid)), "name": .string(name),
      "since": .decimal(since), "doing": .string(doing),
      "granted": .array(
        granted.map {
          ["scope": $0.scope.json, "availability": .string($0.availability.rawValue)]
        }),
      "delivered": delivered.map { .integer($0) } ?? .null,
      "lost": lost.map { .integer($0) } ?? .null,
    ]
  }
}

extension BrokerStatus.Hotkey {
  fileprivate var json: JSON {
    .some([
      "hotkey": .string(hotkey), "mode": mode.map(JSON.string), "holder": .string(holder),
      "uid": .integer(Int64(uid)),
    ])
  }
}

/// Describes the agent's status.
struct AgentText {
  private let status: AgentStatus
  private let terminal: Terminal

  init(_ status: AgentStatus, on terminal: Terminal) {
    self.status = status
    self.terminal = terminal
  }

  var text: String { (head + problems).map { $0 + "\n" }.joined() }

  private var head: [String] {
    let route = status.route == "broker" ? "through the broker" : "from devices it reads itself"
    let input =
      status.isConnected ? route : Style.yellow("waiting for input \(route)", on: terminal)
    let files =
      status.files.isEmpty ? "no file" : status.files.map(\.printable).joined(separator: ", ")
    var lines = [
      line(
        "agent",
        "\(status.version.printable), process \(status.pid), since"
          + " \(CalendarTime.text(WallTime(seconds: status.since))), \(input)"),
      line(
        "rules",
        "\(status.gestures) for gestures and \(status.hotkeys) for hotkeys, of \(files)"),
    ]
    if !status.grabbed.isEmpty {
      lines.append(line("grabbed", status.grabbed.map(\.printable).joined(separator: ", ")))
    }
    if let mode = status.mode { lines.append(line("mode", mode.printable)) }
    if status.started > 0 {
      lines.append(
        line(
          "commands",
          "\(status.running) run, \(status.started) were started, \(status.leftOut) left out"))
    }
    return lines
  }

  private func line(_ name: String, _ value: String) -> String { name.padded(9) + value }

  /// Mistakes keep rules from loading; problems keep loaded rules from working.
  private var problems: [String] {
    let mistakes = status.mistakes.map { ("mistake", $0) }
    let all = mistakes + status.problems.map { ("problem", $0) }
    var lines = all.flatMap { ProblemText($1).lines($0, on: terminal) }
    if !mistakes.isEmpty {
      let kept =
        status.gestures + status.hotkeys == 0
        ? "there are no others" : "those that were read before hold"
      lines.append(line("", "these rules were not taken: \(kept)"))
    }
    return lines
  }
}
