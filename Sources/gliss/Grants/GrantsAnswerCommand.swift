import ArgumentParser
import Gliss

/// `gliss grants answer`: decides a pending request.
struct GrantsAnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Allow or deny what a program has asked for.",
    usage: "gliss grants answer <number> --allow|--deny [<option> ...]",
    discussion: """
      'gliss grants' lists the requests that wait, with their numbers. What is
      allowed holds until it is revoked, unless --expires says otherwise.

      EXAMPLES
        gliss grants answer 3 --allow
        gliss grants answer 3 --allow --expires session
        gliss grants answer 3 --deny
      """)

  @Argument(help: ArgumentHelp("The request's number.", valueName: "number"))
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
    if allow == deny { throw ValidationError("say one of --allow and --deny") }
  }

  func run() throws {
    var change = Gate.Change()
    change.availability = holding.availability
    change.expiry = try holding.expires?.expiry(at: CalendarTime.now) { try session() }
    let grant = try broker.ask { [number, allow] (connection) throws(ClientError) in
      try connection.answer(number, allow: allow, change)
    }
    if let grant { return GrantText.write(grant, format) }
    if format == .json { return Output.standard.write(JSONLines.bytes(of: [:])) }
    Output.standard.write(line: "request \(number) is \(allow ? "granted" : "denied")")
  }

  private func session() throws -> String? {
    try broker.ask { (connection) throws(ClientError) in try connection.status() }.seat.name
  }
}
