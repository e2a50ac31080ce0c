import ArgumentParser
import Gliss

/// `gliss grants change`: changes when a grant applies and how long.
struct GrantsChangeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Change when a grant holds, for how long, and why.",
    usage: "gliss grants change <id> [<option> ...]",
    discussion: """
      What it is for cannot be changed: revoke it, and grant something else.

      EXAMPLES
        gliss grants change 5 --expires 30m
        gliss grants change 5 --availability afterFirstUnlock --reason "tests"
      """)

  @Argument(help: ArgumentHelp("The grant's number.", valueName: "id"))
  var id: Int64

  @OptionGroup var holding: HoldingOptions

  @Option(help: ArgumentHelp("Why, for whoever looks at it later.", valueName: "text"))
  var reason: String?

  @OptionGroup var broker: BrokerOptions

  func validate() throws {
    if holding.expires == nil, holding.availability == nil, reason == nil {
      throw ValidationError("nothing is to change: say --expires, --availability or --reason")
    }
  }

  func run() throws {
    var query = Gate.Query()
    query.id = GrantID(rawValue: id)
    var change = Gate.Change()
    change.availability = holding.availability
    change.reason = reason
    if let expires = holding.expires {
      change.expiry = try expires.expiry(at: CalendarTime.now) {
        let status = try broker.ask { (connection) throws(ClientError) in try connection.status() }
        return status.seat.name
      }
    }
    let count = try broker.ask { [query, change] (connection) throws(ClientError) in
      try connection.update(query, change)
    }
    guard count > 0 else {
      throw BrokerOptions.report(.notFound("there is no grant \(id)"))
    }
    Output.standard.write(line: "changed grant \(id)")
  }
}
