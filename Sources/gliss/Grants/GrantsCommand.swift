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
    let (grants, pending, omitted) = try options.find(
      { query in try broker.ask { try $0.grants(query) } },
      isEmpty: { $0.0.isEmpty && $0.1.isEmpty })
    format.print(
      Self.lines(grants, pending),
      ["grants": .array(grants.map(\.json)), "pending": .array(pending.map(\.json))])
    if format == .text, grants.isEmpty, pending.isEmpty {
      Diagnostics.say(
        options.areGiven ? "nothing matches" : "there are no grants and no pending requests")
    }
    if omitted > 0 {
      Diagnostics.say(
        "and \(omitted) more pending, for which the answer had no room; name a user with --user")
    }
  }

  private static func lines(_ grants: [Grant], _ pending: [PendingRequest]) -> [String] {
    let table = TextTable(
      [
        .init("id", grants.map { "\($0.id.rawValue)" }, isNumber: true),
        .init("user", grants.map { Users.name($0.terms.uid) }),
        .init("while", grants.map { ScopeSentence.describe($0.terms.holdsWhile) }),
        .init("until", grants.map { ScopeSentence.describe($0.terms.expiry) }),
        .init("client", grants.map { ScopeSentence.describe($0.terms.client) }, isName: true),
      ],
      last: .init(
        "what",
        grants.map { ($0.terms.isAllowed ? "" : "denied: ") + ScopeSentence.what($0.terms) }))
    if pending.isEmpty { return table.lines }
    let gap = grants.isEmpty ? [] : [""]
    return table.lines + gap + [Style.bold("Pending requests:")] + pending.flatMap(describe)
  }

  /// What clients say about themselves is in quotes; the rest is verified.
  private static func describe(_ request: PendingRequest) -> [String] {
    let client = ScopeSentence.describe(named: request.client)
    var text =
      "\(request.number): \(client) (process \(request.pid) of \(Users.name(request.uid)))"
      + " asked for \(ScopeSentence.describe(request.scope)) at \(request.since.localMinute)"
    if let reason = request.reason { text += ", saying '\(reason.printable)'" }
    let socket = BrokerOptions.repeated.printable
    let answer = "sudo gliss grants answer \(request.number) --allow\(socket)"
    return text.wrapped(margin: 2) + ["    \(answer)     (or --deny)"]
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
    let query = Gate.Query(id: GrantID(rawValue: id))
    guard let found = try broker.ask({ try $0.grants(query).grants.first }) else {
      throw ClientError.notFound("there is no grant \(id)")
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
        gliss grants log --format jsonl | jq 'select(.action == "refuse")'
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("At most this many entries.", valueName: "number"))
  var limit = 100

  @Option(
    help: "Only entries with this action, as in the table.",
    completion: .list(AuditAction.allCases.map(\.rawValue)), transform: Arguments.choice)
  var action: AuditAction?

  @OptionGroup var broker: BrokerOptions

  @Option(
    help: "text: a table; jsonl: a JSON object a line.",
    completion: .list(EventFormat.allCases.map(\.rawValue)),
    // the other lists have json, which means the same here
    transform: { word in try Arguments.choice(word == "json" ? "jsonl" : word) })
  var format = EventFormat.text

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit is at least 1") }
  }

  func run() throws {
    let lines = try broker.ask { try $0.log(limit: limit, action: action) }
    switch format {
    case .text:
      let table = TextTable(
        [
          .init("time", lines.map { $0.time.localSecond }),
          .init("user", lines.map { Users.name($0.uid) }),
          .init("action", lines.map(\.action.printable)),
          .init("client", lines.map { ScopeSentence.describe(named: $0.client) }, isName: true),
        ],
        last: .init(
          "detail",
          lines.map { $0.detail.printable + ($0.count > 1 ? " (\($0.count) times)" : "") }))
      Output.standard.write(lines: table.lines)
      if lines.isEmpty { Diagnostics.say("there are no such entries that you may see") }
    case .jsonl:
      for line in lines { Output.standard.write(record: line.json) }
    }
    // without ids no older entries can be asked for
    if lines.count < limit, lines.count >= 200, lines.first?.id == nil {
      Diagnostics.say("these are the newest \(lines.count); root can read older ones")
    }
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

enum GrantText {
  static func write(_ grant: Grant, _ format: AnswerFormat) {
    let id = grant.id.rawValue
    format.print(
      ["grant \(id): \(ScopeSentence.describe(grant))"], grant.json,
      done: "\(grant.terms.isAllowed ? "grant" : "denial") \(id) was made")
  }

  /// For a grant that is over, so nothing in it is said of the present.
  static func revoked(_ grant: Grant) -> String {
    let terms = grant.terms
    return "revoked grant \(grant.id.rawValue): \(ScopeSentence.describe(terms.client)) of "
      + "\(Users.name(terms.uid)) \(terms.isAllowed ? "had" : "was denied") "
      + ScopeSentence.what(terms)
  }

  /// How many of which users; `nil` if all are of one.
  static func users(of grants: [Grant]) -> String? {
    let counts = Dictionary(grants.map { ($0.terms.uid, 1) }, uniquingKeysWith: +)
    guard counts.count > 1 else { return nil }
    return counts.sorted { $0.key < $1.key }.map { "\($0.value) of \(Users.name($0.key))" }
      .joined(separator: ", ")
  }

  static func details(_ grant: Grant) -> [String] {
    let terms = grant.terms
    let events = terms.scope.events.words
    let devices = terms.scope.devices.map { $0.sorted().map(\.printable).joined(separator: ", ") }
    let lines: [(String, String?)] = [
      ("grant", "\(grant.id.rawValue)"),
      ("user", "\(Users.name(terms.uid)) (\(terms.uid))"),
      ("client", "\(terms.client)".printable),
      ("group", terms.group?.name.printable),
      ("allowed", terms.isAllowed ? "yes" : "no"),
      ("tier", terms.scope.tier.name),
      ("events", events.isEmpty ? nil : events.joined(separator: ", ")),
      ("keys", terms.scope.keys.isEmpty ? nil : ScopeSentence.classes(terms.scope.keys)),
      ("devices", devices ?? "all"),
      ("while", terms.holdsWhile.rawValue),
      ("until", ScopeSentence.describe(terms.expiry)),
      ("bound", terms.thisDeviceOnly ? "to this machine" : "to no machine"),
      ("made", "\(grant.created.localMinute) by \(grant.grantedBy.printable)"),
      ("changed", grant.modified > grant.created ? grant.modified.localMinute : nil),
      ("last used", grant.lastUsed.map(\.localMinute) ?? "never"),
      ("reason", terms.reason.map { "'\($0.printable)'" }),
    ]
    return lines.compactMap { name, value in value.map { name.padded(11) + $0 } }
  }
}

enum ScopeSentence {
  static func describe(_ scope: Scope) -> String {
    var words: String
    switch scope.tier {
    case .hotkey: words = "its own hotkeys"
    case .gesture: words = "gestures"
    case .raw: words = "raw: " + kinds(scope).joined(separator: ", ")
    case .post: words = "pressing keys and buttons"
    }
    if let devices = scope.devices {
      words += " of " + devices.sorted().map { "'\($0.printable)'" }.joined(separator: ", ")
    }
    return words
  }

  /// The event kinds of a scope, with the key classes unless it has all of them.
  private static func kinds(_ scope: Scope) -> [String] {
    if scope.events.words.isEmpty { return ["nothing"] }
    let keys = scope.keys.isSuperset(of: .all) ? "all keys" : "key (\(classes(scope.keys)))"
    return scope.events.words.map { $0 == "key" ? keys : $0 }
  }

  static func classes(_ keys: KeyClasses) -> String {
    keys.names.isEmpty ? "none" : keys.names.joined(separator: ", ")
  }

  /// In quotes if it has blanks or brackets: its user chose it, and it could look like our words.
  static func describe(_ client: Client) -> String {
    let name = if case .program(let path) = client { path } else { client.description }
    return name.printable.quotedForShell
  }

  /// Describes the client called `name`; returns the name itself if it is not a valid client.
  static func describe(named name: String) -> String {
    (try? Client(name)).map { describe($0) }
      ?? (name.isEmpty ? name : name.printable.quotedForShell)
  }

  static func describe(_ expiry: Expiry) -> String {
    switch expiry {
    case .once: "used once"
    case .session(let name): "session \(name) ends".printable
    // within the hour a minute is too coarse: it may look as if it were over
    case .at(let time):
      time.seconds - WallTime.now.seconds < 3600 ? time.localSecond : time.localMinute
    case .never: "revoked"
    }
  }

  static func describe(_ availability: Availability) -> String {
    switch availability {
    case .whenUnlocked: "unlocked"
    case .afterFirstUnlock: "once unlocked"
    case .always: "always"
    }
  }

  static func describe(_ grant: Grant) -> String {
    let terms = grant.terms
    let may = terms.isAllowed ? "may have" : "is denied"
    return "\(describe(terms.client)) of \(Users.name(terms.uid)) \(may) "
      + "\(what(terms)), until \(describe(terms.expiry))"
  }

  /// The input, and the group that it is for besides the client.
  static func what(_ terms: Grant.Terms) -> String {
    describe(terms.scope) + (terms.group.map { ", for all of \($0.name)".printable } ?? "")
  }
}
