import ArgumentParser
import Gliss

struct GrantsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants",
    abstract: "Manage which programs may see which input: list, grant, deny, revoke.",
    discussion: """
      The broker, glissd, gives each program only the input that it was granted.
      Anyone may list grants. To change them you need an administrator's password
      (polkit) or sudo.

      EXAMPLES
        gliss grants                                 grants and pending requests
        gliss grants answer 3 --allow                allow what a program requested
        gliss grants grant foo --tier gesture
        gliss grants revoke 5
        gliss grants group add org.example.suite foo
        gliss grants log --limit 20                  requests and decisions

      docs/grants.md explains tiers and scopes.
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
    abstract: "List grants, denials and pending requests.",
    usage: "gliss grants list [<option> ...]",
    discussion: """
      You see your own; root sees those of all users.

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

  @Option(help: "text: tables; json: one object with the grants and the pending requests.")
  var format = AnswerFormat.text

  func run() throws {
    let query = try options.query()
    let (grants, pending) = try broker.ask { try $0.grants(query) }
    format.print(
      GrantTable(grants: grants, pending: pending).lines,
      ["grants": .array(grants.map(\.json)), "pending": .array(pending.map(\.json))])
    if format == .text, grants.isEmpty, pending.isEmpty {
      Diagnostics.say(
        options.areGiven ? "nothing matches" : "there are no grants and no pending requests")
    }
  }
}

struct GrantsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything about a grant.",
    discussion: """
      EXAMPLES
        gliss grants show 5
        gliss grants show 5 --format json | jq .lastUsed
      """)

  @Argument(help: "The grant's number.")
  var id: Int64

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    var query = Gate.Query()
    query.id = GrantID(rawValue: id)
    let found = try broker.ask { connection in
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
      The newest entries come last. Entries that repeat within a minute are one line
      with a count. A program gets at most eight lines a minute; the rest are one
      line, except those that record that it received events. You see entries about
      you; root sees all.

      EXAMPLES
        gliss grants log
        sudo gliss grants log --limit 20
        sudo gliss grants log --action connect       the connections that got events
        gliss grants log --format json | jq 'select(.action == "refuse")'
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("At most this many entries.", valueName: "number"))
  var limit: Int?

  @Option(
    help: "Only entries with this action, as in the table.",
    completion: .list(AuditAction.allCases.map(\.rawValue)), transform: Arguments.choice)
  var action: AuditAction?

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a table; json: an object a line.")
  var format = AnswerFormat.text

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit is at least 1") }
  }

  func run() throws {
    let lines = try broker.ask { try $0.log(limit: limit, action: action) }
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
        .init("time", lines.map { $0.time.localSecond }),
        .init("user", lines.map { Users.name($0.uid) }),
        .init("action", lines.map(\.action.printable)),
        .init("client", lines.map { ScopeSentence.describe(named: $0.client) }),
      ],
      last: .init(
        "detail", lines.map { $0.detail.printable + ($0.count > 1 ? " (\($0.count) times)" : "") }))
  }
}

struct GrantsCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that the store of grants is sound.",
    discussion: """
      A damaged store grants nothing.

      EXAMPLES
        gliss grants check
        gliss grants check --format json | jq -r '.problems[]'

      EXIT STATUS
        0  it is sound
        1  it is damaged, or the broker does not answer
      """)

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a line for each problem; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    let problems = try broker.ask { try $0.check() }
    format.print(
      problems.isEmpty ? ["the store is sound"] : problems.map(\.printable),
      ["sound": .bool(problems.isEmpty), "problems": .strings(problems)])
    if !problems.isEmpty { throw ExitCode.failure }
  }
}
