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

/// `--keys modifiers,media`: a list of key classes.
struct KeyClassList: ExpressibleByArgument {
  static let names = KeyClasses.words.map { "\($0.1)" } + ["all"]

  var classes: KeyClasses

  init?(argument: String) {
    classes = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      if word == "all" {
        classes = .all
      } else if let found = KeyClasses.words.first(where: { "\($0.1)" == word }) {
        classes.formUnion(found.0)
      } else {
        return nil
      }
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(names) }
}

/// `--expires 8h`: how long a grant is valid.
enum ExpiryArgument: Hashable, ExpressibleByArgument {
  case once
  /// Until the session on the screen ends.
  case session
  case never
  case after(seconds: Int64)
  case at(WallTime)

  static let forms = "once, session, never, a length such as 30m, 8h or 7d, or a date"

  private static let units: [Character: Int64] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
  /// Ten years, in seconds. Use `never` for anything longer.
  private static let longest: Int64 = 315_360_000

  init?(argument: String) {
    switch argument {
    case "once": self = .once
    case "session": self = .session
    case "never": self = .never
    case _:
      if let seconds = Self.length(argument) {
        self = .after(seconds: seconds)
      } else if let instant = CalendarTime.instant(argument) {
        self = .at(instant)
      } else {
        return nil
      }
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(["once", "session", "never", "8h"]) }

  /// The number of seconds in `90s`, `8h` or `1h30m`.
  private static func length(_ text: String) -> Int64? {
    var total: Int64 = 0
    var digits = ""
    for character in text {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      guard digits.count <= 9, let unit = units[character], let number = Int64(digits) else {
        return nil
      }
      total += number * unit
      digits = ""
      guard total <= longest else { return nil }
    }
    return digits.isEmpty && total > 0 ? total : nil
  }

  /// - Parameter session: The name of the session on the screen; `nil` without one.
  /// - Throws: If the time has passed, or if there is no session to bind to. The error has been
  ///   reported.
  func expiry(at now: WallTime, session: () throws -> String?) throws -> Expiry {
    switch self {
    case .once: return .once
    case .never: return .never
    case .after(let seconds): return .at(WallTime(seconds: now.seconds + seconds))
    case .at(let instant):
      guard instant > now else {
        throw Diagnostics.refusal("\(CalendarTime.text(instant)) is over: name a time to come")
      }
      return .at(instant)
    case .session:
      guard let name = try session() else {
        throw Diagnostics.refusal("no session of that user is on the screen: name a time instead")
      }
      return .session(name)
    }
  }
}
