import ArgumentParser
import Gliss

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
    let membership = options.membership(of: try options.client.known())
    try broker.ask { connection in
      do {
        try connection.remove(membership)
      } catch ClientError.notFound(let message) {
        throw ClientError.refused(
          message, advice: "'gliss grants group list' shows who is in which")
      }
    }
    Output.standard.write(line: "\(membership.words) is not in \(membership.group.name)".printable)
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
    var query = Gate.Query()
    query.client = try client?.known()
    query.group = group
    query.uid = user
    let members = try broker.ask { try $0.members(query) }
    format.print(Self.table(members).lines, .array(members.map(\.json)))
    if format == .text, members.isEmpty {
      Diagnostics.say(query == Gate.Query() ? "nobody is in a group" : "nobody matches")
    }
  }

  private static func table(_ members: [GroupMember]) -> TextTable {
    TextTable(
      [
        .init("group", members.map { $0.membership.group.name.printable }),
        .init("user", members.map { Users.name($0.membership.uid) }),
        .init("since", members.map { $0.since.localMinute }),
        .init("by", members.map { $0.addedBy.printable }),
      ],
      last: .init("client", members.map { ScopeSentence.describe($0.membership.client) }))
  }
}

extension Membership {
  /// `/usr/bin/foo of alice`.
  fileprivate var words: String { "\(ScopeSentence.describe(client)) of \(Users.name(uid))" }
}
