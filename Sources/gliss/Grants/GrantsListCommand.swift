import ArgumentParser
import Gliss

/// `gliss grants list`: the grants and the pending requests.
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
    switch format {
    case .text:
      let terminal = Terminal(Output.standard.descriptor)
      let text = GrantTable(grants, pending: pending, on: terminal).text
      Output.standard.write(text: text)
      if grants.isEmpty, pending.isEmpty {
        Diagnostics.say(
          options.areGiven ? "nothing matches" : "nothing is granted, and nothing waits")
      }
    case .json:
      Output.standard.write(
        JSONLines.bytes(of: [
          "grants": .array(grants.map(\.json)), "pending": .array(pending.map(\.json)),
        ]))
    }
  }
}

/// `gliss grants show`: all details of one grant.
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
    switch format {
    case .text: Output.standard.write(line: GrantText.details(found))
    case .json: Output.standard.write(JSONLines.bytes(of: found.json))
    }
  }
}
