import ArgumentParser
import Gliss

/// `gliss grants revoke`: revokes grants.
struct GrantsRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Take grants away; what rests on them ends at once.",
    usage:
      "gliss grants revoke <id> [<option> ...]\n       gliss grants revoke --client <client> [<option> ...]",
    discussion: """
      By its number one grant is meant. By client, tier, user or access group there
      may be more that match; then nothing is revoked unless --all says so.

      EXAMPLES
        gliss grants revoke 5
        gliss grants revoke --client /usr/bin/foo --tier raw
        gliss grants revoke --client app:org.example.Foo --all
        sudo gliss grants revoke --user alice --all
      """)

  @Argument(help: ArgumentHelp("The grant's number.", valueName: "id"))
  var id: Int64?

  @OptionGroup var options: QueryOptions

  @Flag(help: "All that match, also where that is more than one.")
  var all = false

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a line for each; json: one array, an object a line.")
  var format = AnswerFormat.text

  func validate() throws {
    if id != nil, options.areGiven {
      throw ValidationError("a number and --client and the like do not go together")
    }
    if id == nil, !options.areGiven {
      throw ValidationError("say which: a number of 'gliss grants list', or --client CLIENT")
    }
  }

  func run() throws {
    var query = try options.query()
    query.id = id.map { GrantID(rawValue: $0) }
    let (revoked, omitted) = try broker.ask { [query, all] (connection) throws(ClientError) in
      try connection.revoke(query, all: all)
    }
    // for an unknown number the broker may return an empty list
    guard !revoked.isEmpty else { throw BrokerOptions.report(.notFound("nothing matches")) }
    switch format {
    case .text:
      for grant in revoked { Output.standard.write(line: "revoked \(GrantText.line(grant))") }
    case .json: Output.standard.write(JSONLines.bytes(of: .array(revoked.map(\.json))))
    }
    if omitted > 0 {
      Diagnostics.say("revoked \(omitted) more, which do not fit the broker's answer")
    }
  }
}
