import Gliss
import GlissAgent

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
