import ArgumentParser
import Gliss

/// What is granted or denied, to which client and user: the same for `grant` and `deny`.
struct TermsOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A program's path or name, unit:NAME or app:ID.", valueName: "client"))
  var client: ClientArgument

  @Option(
    help: "gesture, raw or post; hotkey needs no grant.",
    completion: .list(GrantWords.tiers), transform: GrantWords.tier)
  var tier: Tier

  @Option(
    help: ArgumentHelp(
      "With --tier raw, kinds with commas between: gesture, touch, key, pointer, scroll, device.",
      valueName: "kinds"),
    completion: .list(EventKinds.names.map(\.name)), transform: EventKinds.init)
  var events: EventKinds?

  @Option(
    help: ArgumentHelp(
      "With key among the events: typing, modifiers, function, media, or all.",
      valueName: "classes"),
    completion: .list(KeyClassList.names), transform: GrantWords.keys)
  var keys: KeyClassList?

  @Option(
    name: .customLong("device"),
    help: ArgumentHelp(
      "Only of the device of this name; may be given more than once.", valueName: "name"))
  var devices: [String] = []

  @Option(
    help: ArgumentHelp(
      "For this user, by name or number; without it you.", valueName: "user"),
    transform: GrantWords.user)
  var user: UInt32?

  @Option(
    help: ArgumentHelp("Also for the members of this access group.", valueName: "group"),
    transform: GrantWords.group)
  var group: AccessGroup?

  @Option(help: ArgumentHelp("Why, for whoever looks at it later.", valueName: "text"))
  var reason: String?

  @Flag(help: "It also holds where the store is copied to another machine.")
  var anyDevice = false

  func validate() throws {
    if tier == .raw, events == nil {
      throw ValidationError("--tier raw needs --events, such as --events touch")
    }
    if tier != .raw, events != nil { throw ValidationError("--events is for --tier raw") }
    let hasKeys = events?.mask.contains(.key) == true
    if hasKeys, keys == nil {
      throw ValidationError("--events key needs --keys, such as --keys modifiers,media")
    }
    if !hasKeys, keys != nil { throw ValidationError("--keys is for --events key") }
    if devices.contains("") { throw ValidationError("--device needs a name") }
  }

  /// The user the grant is for.
  var uid: UInt32 { user ?? Users.principal }

  var scope: Scope {
    Scope(
      tier: tier,
      events: tier == .gesture ? .gesture : (events?.mask ?? []).intersection(EventKinds.grantable),
      devices: devices.isEmpty ? nil : Set(devices), keys: keys?.classes ?? [])
  }

  func terms() throws -> Grant.Terms {
    var terms = Grant.Terms(uid: uid, client: try client.resolved(), group: group, scope: scope)
    terms.thisDeviceOnly = !anyDevice
    terms.reason = reason
    return terms
  }
}
