import ArgumentParser
import Glibc
import Gliss

/// `gliss grants export`: writes grants and access groups to a file.
struct GrantsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the grants that last, and who is in which group, as JSON.",
    discussion: """
      Those for once or for a session mean nothing elsewhere and are left out. A
      file is written whole or not at all.

      EXAMPLES
        sudo gliss grants export -o grants.json
        gliss grants export | jq '.grants | length'
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file; without it standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Write over a file that is there.")
  var force = false

  @OptionGroup var broker: BrokerOptions

  func validate() throws {
    if output == "" { throw ValidationError("--output needs a file") }
  }

  func run() throws {
    if let output, !force, access(output, F_OK) == 0 {
      throw Diagnostics.refusal(
        "\(output): it is there already; name another file, or overwrite it with --force")
    }
    let (grants, members) = try broker.ask { (connection) throws(ClientError) in
      (try connection.grants().grants, try connection.members())
    }
    let bytes = JSONLines.bytes(of: GrantFile.json(of: grants, members: members))
    guard let output else { return Output.standard.write(bytes) }
    let code = WholeFile.write(bytes, to: output)
    guard code == 0 else {
      Diagnostics.say("\(output): \(String(cString: strerror(code)))".printable)
      throw ExitCode(ExitStatus.failed)
    }
  }
}
