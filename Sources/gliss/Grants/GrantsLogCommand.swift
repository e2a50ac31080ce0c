import ArgumentParser
import Gliss

/// `gliss grants log`: the audit log.
struct GrantsLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show who asked for what, who decided, and who was refused.",
    usage: "gliss grants log [<option> ...]",
    discussion: """
      The newest come last. What happened several times within a minute is one line;
      so is what a program did beyond eight different things, unless it was given
      events.
      You see what concerns you; root sees everything.

      EXAMPLES
        gliss grants log
        sudo gliss grants log --limit 20
        sudo gliss grants log --action connect       who was given events
        gliss grants log --format json | jq 'select(.action == "refuse")'
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("At most so many.", valueName: "number"))
  var limit: Int?

  @Option(
    help: ArgumentHelp("Only those of this kind, as the table names it.", valueName: "action"),
    completion: .list(AuditAction.allCases.map(\.rawValue)), transform: GrantWords.action)
  var action: AuditAction?

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a table; json: an object a line.")
  var format = AnswerFormat.text

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit is at least 1") }
  }

  func run() throws {
    let lines = try broker.ask { [limit, action] (connection) throws(ClientError) in
      try connection.log(limit: limit, action: action)
    }
    switch format {
    case .text:
      let terminal = Terminal(Output.standard.descriptor)
      Output.standard.write(text: Self.table(lines, on: terminal))
    case .json:
      Output.standard.write(lines.flatMap { $0.json.encoded + [UInt8(ascii: "\n")] })
    }
  }

  static func table(_ lines: [AuditLine], on terminal: Terminal) -> String {
    let table = TextTable(
      [
        TextTable.Column("time", lines.map { CalendarTime.exact($0.time) }),
        TextTable.Column("user", lines.map { Users.name($0.uid) }),
        TextTable.Column("action", lines.map(\.action.printable)),
        TextTable.Column("client", lines.map { ScopeSentence.describe(named: $0.client) }),
      ],
      last: TextTable.Column(
        "detail", lines.map { $0.detail.printable + ($0.count > 1 ? " (\($0.count) times)" : "") }),
      on: terminal)
    return table.lines.map { $0 + "\n" }.joined()
  }
}

extension AuditLine {
  /// As the broker reports it.
  var json: JSON {
    [
      "time": .integer(time.seconds), "action": .string(action), "uid": .integer(Int64(uid)),
      "client": .string(client), "detail": .string(detail), "count": .integer(count),
    ]
  }
}
