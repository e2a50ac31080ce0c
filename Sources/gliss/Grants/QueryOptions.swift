import ArgumentParser
import Gliss

/// Selects grants by client, tier, user or access group.
struct QueryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Those of this client: a path, unit:NAME or app:ID.", valueName: "client"))
  var client: ClientArgument?

  @Option(
    help: "Those of this tier: hotkey, gesture, raw or post.",
    completion: .list(GrantWords.tiers), transform: GrantWords.tier)
  var tier: Tier?

  @Option(
    help: ArgumentHelp("Those of this user, by name or number.", valueName: "user"),
    transform: GrantWords.user)
  var user: UInt32?

  @Option(
    help: ArgumentHelp("Those for this access group.", valueName: "group"),
    transform: GrantWords.group)
  var group: AccessGroup?

  var areGiven: Bool { client != nil || tier != nil || user != nil || group != nil }

  func query() throws -> Gate.Query {
    var query = Gate.Query()
    query.client = try client?.known()
    query.tier = tier
    query.uid = user
    query.group = group
    return query
  }
}

/// The command line's words for the parts of grants.
enum GrantWords {
  static let tiers = Tier.allCases.map(\.name)

  static func tier(_ text: String) throws -> Tier {
    guard let tier = Tier.allCases.first(where: { $0.name == text }) else {
      throw ValidationError("'\(text.printable)' is not one of \(tiers.joined(separator: ", "))")
    }
    return tier
  }

  static let availabilities = Availability.allCases.map(\.rawValue)

  static func availability(_ text: String) throws -> Availability {
    guard let availability = Availability(rawValue: text) else {
      throw ValidationError(
        "'\(text.printable)' is not one of \(availabilities.joined(separator: ", "))")
    }
    return availability
  }

  static func action(_ text: String) throws -> AuditAction {
    guard let action = AuditAction(rawValue: text) else {
      let words = AuditAction.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(text.printable)' is not one of \(words)")
    }
    return action
  }

  static func user(_ text: String) throws -> UInt32 {
    guard let uid = Users.uid(text) else {
      throw ValidationError("'\(text.printable)' is not a user of this system")
    }
    return uid
  }

  static func group(_ text: String) throws -> AccessGroup {
    do throws(GateError) {
      return try AccessGroup(text)
    } catch {
      throw ValidationError("'\(text)' \(error.message); it is like org.example.suite".printable)
    }
  }

  static func expiry(_ text: String) throws -> ExpiryArgument {
    guard let expiry = ExpiryArgument(argument: text) else {
      throw ValidationError("'\(text.printable)' is not one of \(ExpiryArgument.forms)")
    }
    return expiry
  }

  static func keys(_ text: String) throws -> KeyClassList {
    guard let list = KeyClassList(argument: text) else {
      throw ValidationError(
        "'\(text.printable)' is not made of \(KeyClassList.names.joined(separator: ", "))")
    }
    return list
  }
}
