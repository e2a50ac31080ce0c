import ArgumentParser
import Glibc
import Gliss

struct GrantsImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Grant everything in a file that 'gliss grants export' wrote.",
    discussion: """
      The whole file is checked first. If anything in it is invalid or is granted
      already, nothing is done. Grants that have expired are left out. The others
      are made one by one, and programs are added to their access groups. Users are
      identified by number. Without sudo, an administrator is asked about each
      grant.

      EXAMPLES
        sudo gliss grants import grants.json
        sudo gliss grants import --skip-existing grants.json

      EXIT STATUS
        0  everything is granted
        1  something is granted already, or the broker refused; it reports how many
           grants were made
        2  the file cannot be read or is invalid
      """)

  @Argument(help: "The file; - is standard input.", completion: .file())
  var file: String

  @Flag(help: "Leave out what is granted already, even on other terms.")
  var skipExisting = false

  @OptionGroup var broker: BrokerOptions

  /// Larger than any store.
  private static let limits = JSON.Limits(bytes: 16 << 20, depth: 16, values: 1 << 20)

  func run() throws {
    let contents = try contents()
    let done = try broker.ask { try add(contents, over: $0) }
    var words = ["\(done.granted) granted"]
    if done.joined > 0 { words.append("\(done.joined) added to groups") }
    if done.existing > 0 { words.append("\(done.existing) existed already") }
    Output.standard.write(line: words.joined(separator: ", "))
    guard done.existing > 0, !skipExisting else { return }
    Diagnostics.say("with --skip-existing, grants that exist already are no failure")
    throw ExitCode.failure
  }

  // MARK: The file

  private typealias Contents = (grants: [Grant.Terms], memberships: [Membership])

  private func contents() throws -> Contents {
    var bytes: [UInt8] = []
    do {
      bytes = try WholeFile.read(file, limit: Self.limits.bytes)
      let json = try JSON(parsing: bytes, limits: Self.limits)
      return (try GrantFile.terms(in: json), try GrantFile.memberships(in: json))
    } catch let error as SystemError {
      throw Self.refuse(file, error.problem)
    } catch let error as JSONError {
      let place = "\(file):\(Self.place(of: error.offset, in: bytes))"
      throw Self.refuse(place, error.reason.rawValue)
    } catch {
      throw Self.refuse(file, "\(error)")
    }
  }

  private static func refuse(_ place: String, _ reason: String) -> ExitCode {
    Diagnostics.refusal("\(place): \(reason); nothing was granted")
  }

  /// Line and column, both from 1.
  static func place(of offset: Int, in bytes: [UInt8]) -> String {
    let lines = bytes.prefix(offset).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return "\(lines.count):\((lines.last?.count ?? 0) + 1)"
  }

  // MARK: The broker

  private struct Entry {
    let place: String
    /// The text to print if it exists already; otherwise `nil`.
    let existing: String?
    let isGrant: Bool
    let add: (BrokerConnection) throws -> Void
  }

  private func entries(
    of contents: Contents, besides connection: BrokerConnection
  ) throws -> [Entry] {
    var known: [Grant.Terms: GrantID] = [:]
    for grant in try connection.grants().grants { known[grant.terms.key] = grant.id }
    let members =
      contents.memberships.isEmpty ? [] : Set(try connection.members().map(\.membership))
    // a grant that is over by now would be made and ended at once
    let now = WallTime.now
    let lasting = contents.grants.enumerated().filter {
      if case .at(let end) = $0.element.expiry { end > now } else { true }
    }
    let over = contents.grants.count - lasting.count
    if over > 0 { Diagnostics.say("\(file): left out: \(counted(over, "grant")) expired") }
    let grants = lasting.map { index, terms in
      let id = known[terms.key]
      return Entry(
        place: "grants[\(index)]", existing: id.map { "is granted already: grant \($0.rawValue)" },
        isGrant: true, add: { _ = try $0.add(terms) })
    }
    return grants
      + contents.memberships.enumerated().map { index, membership in
        Entry(
          place: "members[\(index)]",
          existing: members.contains(membership) ? "is in the group already" : nil,
          isGrant: false, add: { try $0.add(membership) })
      }
  }

  private func add(
    _ contents: Contents, over connection: BrokerConnection
  ) throws -> (granted: Int, joined: Int, existing: Int) {
    var count = (granted: 0, joined: 0, existing: 0)
    let entries = try entries(of: contents, besides: connection)
    for entry in entries {
      guard let existing = entry.existing else { continue }
      count.existing += 1
      if !skipExisting { Diagnostics.say("\(file): \(entry.place) \(existing)") }
    }
    guard count.existing == 0 || skipExisting else { return count }
    for entry in entries where entry.existing == nil {
      do {
        try entry.add(connection)
        if entry.isGrant { count.granted += 1 } else { count.joined += 1 }
      } catch ClientError.duplicate where skipExisting,
        ClientError.alreadyMember where skipExisting
      {
        // somebody else has made this decision meanwhile
        count.existing += 1
      } catch {
        let before = "after \(count.granted) were granted and \(count.joined) put into groups"
        // only an entry that was refused for its contents is refused again; a broker that ended may
        // or may not have added it
        let (isOpen, first) =
          switch error {
          case ClientError.refused, ClientError.invalidParameter:
            (false, "correct or remove it, then ")
          case ClientError.disconnected, ClientError.closed, ClientError.timedOut,
            ClientError.system, ClientError.malformed:
            (true, "")
          case _: (false, "")
          }
        let rest =
          isOpen || count.granted + count.joined > 0 ? ": \(first)go on with --skip-existing" : ""
        let outcome = isOpen ? "was not answered" : "was refused"
        Diagnostics.say("\(file): \(entry.place) \(outcome), \(before)\(rest)")
        throw error
      }
    }
    return count
  }
}

struct GrantsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the lasting grants and the group members as JSON.",
    discussion: """
      Grants for once or for a session would mean nothing elsewhere and are left
      out. A file is written completely or not at all.

      EXAMPLES
        sudo gliss grants export -o grants.json
        gliss grants export | jq '.grants | length'
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file; by default, and for -, standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Overwrite an existing file.")
  var force = false

  @OptionGroup var broker: BrokerOptions

  func validate() throws {
    if output == "" { throw ValidationError("--output needs a file") }
  }

  func run() throws {
    let output = output == "-" ? nil : output
    if let output, !force { try WholeFile.refuse(existing: output) }
    let (grants, members) = try broker.ask { connection in
      (try connection.grants().grants, try connection.members())
    }
    let bytes = Array(GrantFile.json(of: grants, members: members).document.utf8)
    guard let output else { return Output.standard.write(bytes) }
    try WholeFile.write(bytes, to: output)
  }
}
