import ArgumentParser
import Gliss

struct GrantsGrantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Let a program see gestures or raw input.",
    usage: "gliss grants grant <client> --tier <tier> [<option> ...]",
    discussion: """
      A relative path or a bare name is looked up as in a shell, and links are
      resolved, because the kernel identifies programs by that path. By default a
      grant is narrow: while the screen is unlocked, on this machine, for you.

      EXAMPLES
        gliss grants grant foo --tier gesture
        gliss grants grant /usr/bin/foo --tier raw --events touch --expires 8h
        gliss grants grant unit:foo --tier raw --events key --keys media
        gliss grants grant app:org.example.Foo --tier gesture --expires session
        sudo gliss grants grant foo --tier gesture --user alice
      """)

  @OptionGroup var options: TermsOptions
  @OptionGroup var holding: HoldingOptions
  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a sentence; json: the grant.")
  var format = AnswerFormat.text

  func run() throws {
    try options.add(until: holding.expires, to: broker, format) { terms in
      if let availability = holding.availability { terms.availability = availability }
    }
  }
}

struct GrantsDenyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny",
    abstract: "Deny a program something, so that it does not ask again.",
    usage: "gliss grants deny <client> --tier <tier> [<option> ...]",
    discussion: """
      A program without a grant sees nothing anyway. With a denial its requests are
      refused at once, and other grants for the same input do not count.

      EXAMPLES
        gliss grants deny /usr/bin/foo --tier raw --events key --keys all
        gliss grants deny app:org.example.Foo --tier gesture --expires 7d
      """)

  @OptionGroup var options: TermsOptions
  @OptionGroup var broker: BrokerOptions

  @Option(
    help: ArgumentHelp(
      "How long: session, never, a length such as 8h or 7d, or a date.", valueName: "when"),
    completion: .list(["session", "never", "7d"]), transform: ExpiryArgument.init(words:))
  var expires: ExpiryArgument?

  @Option(help: "text: a sentence; json: the grant.")
  var format = AnswerFormat.text

  func validate() throws {
    if expires == .once {
      throw ValidationError("--expires once is not for deny: it would deny a single use")
    }
  }

  func run() throws {
    try options.add(until: expires, to: broker, format) { $0.isAllowed = false }
  }
}

struct GrantsAnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Allow or deny what a program has requested.",
    usage: "gliss grants answer <number> --allow|--deny [<option> ...]",
    discussion: """
      'gliss grants' lists pending requests with their numbers. What you allow holds
      until it is revoked, unless --expires limits it.

      EXAMPLES
        gliss grants answer 3 --allow
        gliss grants answer 3 --allow --expires session
        gliss grants answer 3 --deny
      """)

  @Argument(help: "The request's number.")
  var number: Int64

  @Flag(help: "Grant it.")
  var allow = false

  @Flag(help: "Refuse it.")
  var deny = false

  @OptionGroup var holding: HoldingOptions
  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a sentence; json: the grant.")
  var format = AnswerFormat.text

  func validate() throws {
    if allow == deny { throw ValidationError("give either --allow or --deny") }
  }

  func run() throws {
    var change = Gate.Change()
    change.availability = holding.availability
    change.expiry = try holding.expires?.expiry(from: broker)
    let grant = try broker.ask { try $0.answer(number, allow: allow, change) }
    if let grant {
      GrantText.write(grant, format)
      return grant.noteInterpreter()
    }
    if format == .json { return Output.standard.write(document: [:]) }
    Output.standard.write(line: "request \(number) is \(allow ? "granted" : "denied")")
  }
}

struct GrantsChangeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Change when a grant holds, for how long, and its reason.",
    usage: "gliss grants change <id> [<option> ...]",
    discussion: """
      Its client and input cannot be changed: revoke it, and grant something else.

      EXAMPLES
        gliss grants change 5 --expires 30m
        gliss grants change 5 --availability afterFirstUnlock --reason "tests"
      """)

  @Argument(help: "The grant's number.")
  var id: Int64

  @OptionGroup var holding: HoldingOptions

  @Option(help: ArgumentHelp("The reason, shown with the grant.", valueName: "text"))
  var reason: String?

  @OptionGroup var broker: BrokerOptions

  func validate() throws {
    if holding.expires == nil, holding.availability == nil, reason == nil {
      throw ValidationError("nothing to change: give --expires, --availability or --reason")
    }
  }

  func run() throws {
    let query = Gate.Query(id: GrantID(rawValue: id))
    var change = Gate.Change()
    change.availability = holding.availability
    change.reason = reason
    change.expiry = try holding.expires?.expiry(from: broker)
    let count = try broker.ask { try $0.update(query, change) }
    guard count > 0 else { throw ClientError.notFound("there is no grant \(id)") }
    Output.standard.write(line: "changed grant \(id)")
  }
}

struct GrantsRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke grants; whatever depends on them ends at once.",
    usage: """
      gliss grants revoke <id> [<option> ...]
      gliss grants revoke --client <client> [<option> ...]
      """,
    discussion: """
      A number selects one grant. If a client, tier, user or access group matches
      several grants, nothing is revoked unless --all is given. Root revokes those of
      all users, unless --user names one.

      EXAMPLES
        gliss grants revoke 5
        gliss grants revoke --client /usr/bin/foo --tier raw
        gliss grants revoke --client app:org.example.Foo --all
        sudo gliss grants revoke --user alice --all
      """)

  @Argument(help: "The grant's number.")
  var id: Int64?

  @OptionGroup var options: QueryOptions

  @Flag(help: "Revoke all that match, even if there are several.")
  var all = false

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a line for each; json: one array, an object a line.")
  var format = AnswerFormat.text

  func validate() throws {
    if id != nil, options.areGiven {
      throw ValidationError("a number does not go together with options such as --client")
    }
    if id == nil, !options.areGiven {
      throw ValidationError(
        "name the grants: a number from 'gliss grants list', or --client CLIENT")
    }
  }

  func run() throws {
    let (revoked, omitted) = try options.find(
      id: id.map { GrantID(rawValue: $0) },
      { query in try broker.ask { try $0.revoke(query, all: all) } },
      isEmpty: { $0.0.isEmpty })
    // for an unknown number the broker may return an empty list
    guard !revoked.isEmpty else { throw ClientError.notFound("nothing matches") }
    format.print(
      revoked.map(GrantText.revoked), .array(revoked.map(\.json)),
      done: "revoked \(counted(revoked.count, "grant"))")
    if let users = GrantText.users(of: revoked) {
      Diagnostics.say("revoked grants of several users: \(users)")
    }
    if omitted > 0 {
      Diagnostics.say("revoked \(omitted) more; the broker's answer had no room for them")
    }
  }
}

// MARK: Access groups

struct GrantsGroupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group",
    abstract: "Manage which programs are in which access group.",
    discussion: """
      A grant or denial with --group holds for the members of that group and of
      groups below it: org.example for those in org.example.suite. Only you put
      programs into groups; a program cannot claim to be in one.

      EXAMPLES
        gliss grants group add org.example.suite /usr/bin/foo
        gliss grants grant foo --tier gesture --group org.example
        gliss grants group list
        gliss grants group remove org.example.suite /usr/bin/foo
      """,
    subcommands: [
      GrantsGroupListCommand.self, GrantsGroupAddCommand.self, GrantsGroupRemoveCommand.self,
    ],
    defaultSubcommand: GrantsGroupListCommand.self)
}

/// The program and group, the same for `add` and `remove`.
struct MembershipOptions: ParsableArguments {
  @Argument(help: "A name with dots, such as org.example.suite.", transform: GrantWords.group)
  var group: AccessGroup

  @Argument(help: "A program's path or name, unit:NAME or app:ID.")
  var client: ClientArgument

  @Option(
    help: "The user of the program, by name or number; you by default.",
    transform: GrantWords.user)
  var user: UInt32?

  func membership(of client: Client) -> Membership {
    Membership(uid: user ?? Users.principal, client: client, group: group)
  }
}

struct GrantsGroupAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a program to an access group; it gets what the group was granted.",
    usage: "gliss grants group add <group> <client> [<option> ...]",
    discussion: """
      A relative path or a bare name is looked up as in a shell, and links are
      resolved. The program is in the group at once, until you remove it.

      EXAMPLES
        gliss grants group add org.example.suite foo
        gliss grants group add org.example.suite app:org.example.Viewer
        sudo gliss grants group add org.example.suite unit:foo --user alice
      """)

  @OptionGroup var options: MembershipOptions
  @OptionGroup var broker: BrokerOptions

  func run() throws {
    let membership = options.membership(of: try options.client.resolved())
    try broker.ask { try $0.add(membership) }
    Output.standard.write(line: "\(membership.words) is in \(membership.group.name)".printable)
  }
}

struct GrantsGroupRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a program from an access group; whatever depends on that ends at once.",
    usage: "gliss grants group remove <group> <client> [<option> ...]",
    discussion: """
      EXAMPLES
        gliss grants group remove org.example.suite /usr/bin/foo
        sudo gliss grants group remove org.example.suite unit:foo --user alice
      """)

  @OptionGroup var options: MembershipOptions
  @OptionGroup var broker: BrokerOptions

  func run() throws {
    do {
      let membership = try options.client.find { (client: Client) throws -> Membership in
        let membership = options.membership(of: client)
        try broker.ask { try $0.remove(membership) }
        return membership
      }
      Output.standard.write(
        line: "\(membership.words) is no longer in \(membership.group.name)".printable)
    } catch ClientError.notFound(let message) {
      throw ClientError.refused(
        message, advice: "'gliss grants group list' shows who is in which")
    }
  }
}

struct GrantsGroupListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List which programs are in which access group.",
    usage: "gliss grants group list [<option> ...]",
    discussion: """
      You see your own; root sees those of all users.

      EXAMPLES
        gliss grants group list
        gliss grants group list --client /usr/bin/foo
        gliss grants group list --group org.example.suite --format json
      """)

  @Option(help: "The groups of this client: a path, unit:NAME or app:ID.")
  var client: ClientArgument?

  @Option(help: "The members of this group.", transform: GrantWords.group)
  var group: AccessGroup?

  @Option(help: "Those of this user, by name or number.", transform: GrantWords.user)
  var user: UInt32?

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a table; json: one array, an object a line.")
  var format = AnswerFormat.text

  func run() throws {
    let members = try members()
    let table = TextTable(
      [
        .init("group", members.map { $0.membership.group.name.printable }),
        .init("user", members.map { Users.name($0.membership.uid) }),
        .init("since", members.map { $0.since.localMinute }),
        .init("by", members.map { $0.addedBy.printable }),
      ],
      last: .init("client", members.map { ScopeSentence.describe($0.membership.client) }))
    format.print(table.lines, .array(members.map(\.json)))
    if format == .text, members.isEmpty {
      let isAboutAll = client == nil && group == nil && user == nil
      Diagnostics.say(isAboutAll ? "nobody is in a group" : "nobody matches")
    }
  }

  private func members() throws -> [GroupMember] {
    func members(of client: Client?) throws -> [GroupMember] {
      let query = Gate.Query(uid: user, client: client, group: group)
      return try broker.ask { try $0.members(query) }
    }
    return try client?.find({ try members(of: $0) }, isEmpty: { $0.isEmpty }) ?? members(of: nil)
  }
}

extension Membership {
  /// `/usr/bin/foo of alice`.
  fileprivate var words: String { "\(ScopeSentence.describe(client)) of \(Users.name(uid))" }
}
