import ArgumentParser
import Gliss

struct GrantsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants",
    abstract: "Say which programs may see what of the input: list, grant, deny, revoke.",
    discussion: """
      The broker, glissd, hands input to other programs, to each what it was
      granted. Reading is free; who decides needs an administrator's password
      (polkit), or runs it with sudo.

      EXAMPLES
        gliss grants                                 what is granted, what waits
        gliss grants answer 3 --allow                a program asked: let it
        gliss grants grant foo --tier gesture
        gliss grants revoke 5
        gliss grants group add org.example.suite foo
        gliss grants log --limit 20                  who decided and asked what

      docs/grants.md says what tiers, scopes and the like are.
      """,
    subcommands: [
      GrantsListCommand.self, GrantsShowCommand.self, GrantsGrantCommand.self,
      GrantsDenyCommand.self, GrantsAnswerCommand.self, GrantsChangeCommand.self,
      GrantsRevokeCommand.self, GrantsGroupCommand.self, GrantsLogCommand.self,
      GrantsExportCommand.self, GrantsImportCommand.self, GrantsCheckCommand.self,
    ],
    defaultSubcommand: GrantsListCommand.self)
}

struct GrantsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List what is granted and denied, and the requests that wait.",
    usage: "gliss grants list [<option> ...]",
    discussion: """
      You see your own; root sees everybody's.

      EXAMPLES
        gliss grants
        gliss grants list --tier raw
        gliss grants list --format json | jq -r '.grants[].client'

      COLUMNS
        while  the screen is unlocked, has been unlocked once, or always
        until  when it ends
      """)

  @OptionGroup var options: QueryOptions
  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: tables; json: one object with the grants and what waits.")
  var format = AnswerFormat.text

  func run() throws {
    let query = try options.query()
    let (grants, pending) = try broker.ask { (connection) throws(ClientError) in
      try connection.grants(query)
    }
    format.print(
      GrantTable(grants: grants, pending: pending, terminal: .standard).lines,
      ["grants": .array(grants.map(\.json)), "pending": .array(pending.map(\.json))])
    if format == .text, grants.isEmpty, pending.isEmpty {
      Diagnostics.say(
        options.areGiven ? "nothing matches" : "nothing is granted, and nothing waits")
    }
  }
}

struct GrantsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all that is known of a grant.",
    discussion: """
      EXAMPLES
        gliss grants show 5
        gliss grants show 5 --format json | jq .lastUsed
      """)

  @Argument(help: ArgumentHelp("The grant's number.", valueName: "id"))
  var id: Int64

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    var query = Gate.Query()
    query.id = GrantID(rawValue: id)
    let found = try broker.ask { [query, id] (connection) throws(ClientError) in
      guard let grant = try connection.grants(query).grants.first else {
        throw ClientError.notFound("there is no grant \(id)")
      }
      return grant
    }
    format.print(GrantText.details(found), found.json)
  }
}

struct GrantsLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show requests, decisions, refusals and connections.",
    usage: "gliss grants log [<option> ...]",
    discussion: """
      The newest entries come last. Entries that repeat within a minute are one
      line with a count. A program has at most eight lines a minute; the rest are
      one line, except those that say that it was given events.
      You see entries about you; root sees all.

      EXAMPLES
        gliss grants log
        sudo gliss grants log --limit 20
        sudo gliss grants log --action connect       the connections that got events
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
      Output.standard.write(lines: Self.table(lines).lines)
    case .json:
      for line in lines { Output.standard.write(record: line.json) }
    }
  }

  private static func table(_ lines: [AuditLine]) -> TextTable {
    TextTable(
      [
        TextTable.Column("time", lines.map { $0.time.localSecond }),
        TextTable.Column("user", lines.map { Users.name($0.uid) }),
        TextTable.Column("action", lines.map(\.action.printable)),
        TextTable.Column("client", lines.map { ScopeSentence.describe(named: $0.client) }),
      ],
      last: TextTable.Column(
        "detail", lines.map { $0.detail.printable + ($0.count > 1 ? " (\($0.count) times)" : "") }),
      on: .standard)
  }
}

struct GrantsCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say whether the store of grants is sound.",
    discussion: """
      A store that is not grants nothing.

      EXAMPLES
        gliss grants check
        gliss grants check --format json | jq -r '.problems[]'

      EXIT STATUS
        0  it is sound
        1  it is not, or the broker does not say
      """)

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a line for each problem; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    let problems = try broker.ask { (connection) throws(ClientError) in try connection.check() }
    format.print(
      problems.isEmpty ? ["the store is sound"] : problems.map(\.printable),
      ["sound": .bool(problems.isEmpty), "problems": .strings(problems)])
    if !problems.isEmpty { throw ExitCode(ExitStatus.failed) }
  }
}
