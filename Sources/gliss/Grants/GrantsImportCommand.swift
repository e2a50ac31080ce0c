import ArgumentParser
import Gliss

/// `gliss grants import`: grants from a file.
struct GrantsImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Grant all that a file holds, as 'gliss grants export' writes it.",
    discussion: """
      All of it is checked first: where anything is wrong, or is granted already,
      nothing is done. Then they are granted one by one; users are meant by their
      numbers. Without sudo an administrator is asked about each.

      EXAMPLES
        sudo gliss grants import grants.json
        sudo gliss grants import --skip-existing grants.json

      EXIT STATUS
        0  all is granted
        1  some is granted already, or the broker refused; it is said how many were
        2  the file cannot be read or is wrong
      """)

  @Argument(
    help: ArgumentHelp("The file; - is standard input.", valueName: "file"), completion: .file())
  var file: String

  @Flag(help: "Leave out what is granted already, whatever else is said of it.")
  var skipExisting = false

  @OptionGroup var broker: BrokerOptions

  /// More than any store holds, in bytes.
  private static let limits = JSON.Limits(bytes: 16 << 20, depth: 16, values: 1 << 20)

  func run() throws {
    let all = try terms()
    let (added, existing) = try broker.ask { (connection) throws(ClientError) in
      try add(all, over: connection)
    }
    let skipped = existing > 0 ? ", \(existing) were there already" : ""
    Output.standard.write(line: "\(added) granted\(skipped)")
    if existing > 0, !skipExisting { throw ExitCode(ExitStatus.failed) }
  }

  // MARK: The file

  private func terms() throws -> [Grant.Terms] {
    let bytes: [UInt8]
    switch WholeFile.read(file, limit: Self.limits.bytes) {
    case .success(let read): bytes = read
    case .failure(let failure): throw Self.refuse(file, failure.text)
    }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes, limits: Self.limits)
    } catch {
      let place = "\(file):\(Self.place(of: error.offset, in: bytes))"
      throw Self.refuse(place, error.reason.rawValue)
    }
    do throws(GateError) {
      return try GrantFile.terms(in: json)
    } catch {
      throw Self.refuse(file, "\(error)")
    }
  }

  private static func refuse(_ place: String, _ reason: String) -> ExitCode {
    Diagnostics.refusal("\(place): \(reason); nothing was granted")
  }

  /// Line and column, both from 1.
  static func place(of offset: Int, in bytes: [UInt8]) -> String {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return "\(line):\(before.count - start + 1)"
  }

  // MARK: The broker

  /// What makes two grants the same.
  private struct Key: Hashable {
    var uid: UInt32
    var client: Client
    var group: AccessGroup?
    var scope: Scope

    init(_ terms: Grant.Terms) {
      uid = terms.uid
      client = terms.client
      group = terms.group
      scope = terms.scope
    }
  }

  private func add(
    _ all: [Grant.Terms], over connection: BrokerConnection
  ) throws(ClientError) -> (added: Int, existing: Int) {
    var known: [Key: GrantID] = [:]
    for grant in try connection.grants().grants { known[Key(grant.terms)] = grant.id }
    var existing = 0
    for (index, terms) in all.enumerated() {
      guard let id = known[Key(terms)] else { continue }
      existing += 1
      if !skipExisting {
        Diagnostics.say(
          "\(file): grants[\(index)] is granted already: grant \(id.rawValue)".printable)
      }
    }
    guard existing == 0 || skipExisting else { return (0, existing) }
    var added = 0
    for (index, terms) in all.enumerated() where known[Key(terms)] == nil {
      do throws(ClientError) {
        _ = try connection.add(terms)
        added += 1
      } catch {
        // granted by somebody else meanwhile
        if case .duplicate = error, skipExisting {
          existing += 1
          continue
        }
        Diagnostics.say(
          "\(file): grants[\(index)] was refused, after \(added) were granted".printable)
        throw error
      }
    }
    return (added, existing)
  }
}
