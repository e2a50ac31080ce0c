import ArgumentParser
import Gliss

/// `gliss grants check`: whether the store can be trusted.
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
    switch format {
    case .text:
      let lines = problems.isEmpty ? ["the store is sound"] : problems.map(\.printable)
      for line in lines { Output.standard.write(line: line) }
    case .json:
      Output.standard.write(
        JSONLines.bytes(of: [
          "sound": .bool(problems.isEmpty), "problems": .array(problems.map(JSON.string)),
        ]))
    }
    if !problems.isEmpty { throw ExitCode(ExitStatus.failed) }
  }
}
