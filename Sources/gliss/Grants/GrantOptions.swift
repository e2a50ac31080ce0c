import ArgumentParser
import Glibc
import Gliss
import GlissAgent

/// What is granted or denied, to which client and user: the same for `grant` and `deny`.
struct TermsOptions: ParsableArguments {
  @Argument(help: "A program's path or name, unit:NAME or app:ID.")
  var client: ClientArgument

  @Option(
    help: "gesture, raw or post; hotkey needs no grant.",
    completion: .list(GrantWords.tiers.map(\.name)), transform: GrantWords.tier)
  var tier: Tier

  @Option(
    help: ArgumentHelp(
      "With --tier raw, kinds separated by commas: gesture, touch, key, pointer, scroll, device, or all.",
      valueName: "kinds"),
    completion: .events, transform: EventMask.init(words:))
  var events: EventMask?

  @Option(
    help: ArgumentHelp(
      "With key among the events: typing, modifiers, function, media, or all.",
      valueName: "classes"),
    completion: .list(GrantWords.keyClasses.map(\.name)), transform: GrantWords.keys)
  var keys: KeyClasses?

  @Option(
    name: .customLong("device"),
    help: ArgumentHelp(
      "Only the device of this name; may be given more than once.", valueName: "name"))
  var devices: [String] = []

  @Option(help: "For this user, by name or number; by default you.", transform: GrantWords.user)
  var user: UInt32?

  @Option(help: "Also for the members of this access group.", transform: GrantWords.group)
  var group: AccessGroup?

  @Option(help: ArgumentHelp("The reason, shown with the grant.", valueName: "text"))
  var reason: String?

  @Flag(help: "The grant also holds if the store is copied to another machine.")
  var anyDevice = false

  func validate() throws {
    if tier == .raw, events == nil {
      throw ValidationError("--tier raw needs --events, such as --events touch")
    }
    if tier != .raw, events != nil { throw ValidationError("--events is for --tier raw") }
    let hasKeys = events?.contains(.key) == true
    if hasKeys, keys == nil {
      throw ValidationError("--events key needs --keys, such as --keys modifiers,media")
    }
    if !hasKeys, keys != nil { throw ValidationError("--keys is for --events key") }
    if devices.contains("") { throw ValidationError("--device needs a name") }
    if let node = devices.first(where: { $0.hasPrefix("/dev/") }) {
      throw ValidationError(
        "\(node.printable) is a node; --device needs a name, as 'gliss devices' shows it")
    }
  }

  var uid: UInt32 { user ?? Users.principal }

  var scope: Scope {
    Scope(
      tier: tier,
      events: tier == .gesture ? .gesture : (events ?? []).intersection(EventMask.grantable),
      devices: devices.isEmpty ? nil : Set(devices), keys: keys ?? [])
  }

  /// Adds a grant of these terms and prints it. `change` sets what the other options say.
  func add(
    until expires: ExpiryArgument?, to broker: BrokerOptions, _ format: AnswerFormat,
    _ change: (inout Grant.Terms) -> Void
  ) throws {
    var terms = Grant.Terms(uid: uid, client: try client.resolved(), group: group, scope: scope)
    terms.thisDeviceOnly = !anyDevice
    terms.reason = reason
    if let expiry = try expires?.expiry(of: uid, from: broker) { terms.expiry = expiry }
    change(&terms)
    let grant = try broker.ask { try $0.add(terms) }
    GrantText.write(grant, format)
    grant.noteInterpreter()
    noteDenials(over: grant, broker)
    noteAbsentDevices(broker)
  }

  /// Names the denials of the same client that the new grant does not get past.
  private func noteDenials(over grant: Grant, _ broker: BrokerOptions) {
    guard grant.terms.isAllowed else { return }
    let query = Gate.Query(uid: grant.terms.uid, client: grant.terms.client)
    let grants = (try? broker.ask { try $0.grants(query).grants }) ?? []
    for denial in grants
    where !denial.terms.isAllowed && denial.terms.scope.overrides(grant.terms.scope) {
      let id = denial.id.rawValue
      let socket = BrokerOptions.repeated
      Diagnostics.say("denial \(id) overrides it: gliss grants revoke \(id)\(socket)")
    }
  }

  /// Names the devices that are not connected. They may be connected later.
  private func noteAbsentDevices(_ broker: BrokerOptions) {
    guard !devices.isEmpty, let status = try? broker.ask({ try $0.status() }), status.showsDevices
    else { return }
    for name in devices where !status.devices.contains(name) {
      Diagnostics.say(
        "no device of the name '\(name.printable)' is connected now; 'gliss devices' lists them")
    }
  }
}

enum ExpiryArgument: Hashable {
  case once
  /// Until the session on the screen ends.
  case session
  case never
  case after(seconds: Int64)
  case at(WallTime)

  private static let forms =
    "once, session, never, a length of 1s to 3650d such as 30m, 8h or 7d, or a date"

  private static let units: [Character: Int64] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
  /// Ten years, in seconds. Use `never` for anything longer.
  private static let longest: Int64 = 315_360_000

  init(words text: String) throws {
    let words: [String: ExpiryArgument] = ["once": .once, "session": .session, "never": .never]
    guard
      let found = words[text] ?? Self.length(text).map(Self.after(seconds:))
        ?? CalendarTime.instant(text).map(Self.at)
    else { throw ValidationError("'\(text.printable)' is not one of \(Self.forms)") }
    self = found
  }

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

  /// - Parameter user: The user whose session `session` means; `nil` for the user at the screen.
  /// - Throws: If the time has passed, or if there is no session to bind to. The error has been
  ///   reported.
  func expiry(of user: UInt32? = nil, from broker: BrokerOptions) throws -> Expiry {
    switch self {
    case .once: return .once
    case .never: return .never
    case .after(let seconds): return .at(WallTime(seconds: WallTime.now.seconds + seconds))
    case .at(let instant):
      guard instant > WallTime.now else {
        throw Diagnostics.refusal("\(instant.localMinute) is in the past: name a later time")
      }
      return .at(instant)
    case .session:
      let seat = try broker.ask { try $0.status() }.seat
      guard user == nil || seat.user == user, let name = seat.name else {
        throw Diagnostics.refusal("no session of that user is on the screen: name a time instead")
      }
      return .session(name)
    }
  }
}

struct QueryOptions: ParsableArguments {
  @Option(help: "Those of this client: a path, unit:NAME or app:ID.")
  var client: ClientArgument?

  @Option(
    help: "Those of this tier: gesture, raw or post.",
    completion: .list(GrantWords.tiers.map(\.name)), transform: GrantWords.tier)
  var tier: Tier?

  @Option(help: "Those of this user, by name or number.", transform: GrantWords.user)
  var user: UInt32?

  @Option(help: "Those for this access group.", transform: GrantWords.group)
  var group: AccessGroup?

  var areGiven: Bool { client != nil || tier != nil || user != nil || group != nil }

  /// What `ask` finds, as in ``ClientArgument/find(_:isEmpty:)`` if a client is given.
  func find<Found>(
    id: GrantID? = nil, _ ask: (Gate.Query) throws -> Found, isEmpty: (Found) -> Bool
  ) throws -> Found {
    var query = Gate.Query(id: id, uid: user, group: group, tier: tier)
    guard let client else { return try ask(query) }
    return try client.find(
      { (named: Client) throws -> Found in
        query.client = named
        return try ask(query)
      }, isEmpty: isEmpty)
  }
}

enum GrantWords {
  /// Those that can be granted or refused.
  static let tiers = Tier.allCases.filter { $0 != .hotkey }.map { (name: $0.name, value: $0) }

  static func tier(_ text: String) throws -> Tier { try Arguments.choice(text, of: tiers) }

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
      throw ValidationError("\(error.message); it is like org.example.suite".printable)
    }
  }

  static let keyClasses = KeyClasses.words.map { (name: "\($0.1)", value: $0.0) } + [("all", .all)]

  static func keys(_ text: String) throws -> KeyClasses {
    try Arguments.union(text, of: keyClasses)
  }
}

struct HoldingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long it holds: once, session, never, a length such as 30m, 8h or 7d, or a date.",
      valueName: "when"),
    completion: .list(["once", "session", "never", "8h"]), transform: ExpiryArgument.init(words:))
  var expires: ExpiryArgument?

  @Option(
    help: ArgumentHelp(
      "When it holds: whenUnlocked, afterFirstUnlock or always.", valueName: "when"),
    completion: .list(Availability.allCases.map(\.rawValue)), transform: Arguments.choice)
  var availability: Availability?
}

struct ClientArgument: ExpressibleByArgument {
  let text: String
  /// As typed: a program may be a name or a relative path.
  private let client: Client

  init?(argument: String) {
    text = argument
    let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    // systemd reads foo as foo.service
    case ("unit", 2): client = .unit(parts[1].contains(".") ? parts[1] : parts[1] + ".service")
    case ("app", 2): client = .app(parts[1])
    case ("program", 2): client = .program(parts[1])
    case ("unit", _), ("app", _), ("program", _), (nil, _): return nil
    case _: client = .program(argument)
    }
  }

  /// The program of this process, as a grant names it; the usual place if that is not known.
  static var ownProgram: String {
    WholeFile.withoutLinks("/proc/self/exe") ?? "/usr/bin/gliss"
  }

  static var defaultCompletionKind: CompletionKind { .file() }

  /// The client for a new grant. Programs are named as the kernel will report them, with links
  /// resolved. A program that does not exist, is a script or no program is reported and refused.
  func resolved() throws -> Client {
    let client = try named()
    guard case .program(let path) = client else { return client }
    if let interpreter = Self.interpreter(of: path) {
      throw Diagnostics.refusal(
        "\(path) is a script, which the kernel identifies as its interpreter, \(interpreter): "
          + "run it as a service of its own, and name unit:NAME")
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o111 != 0
    else {
      throw Diagnostics.refusal(
        "\(path) cannot be executed by anyone: if an interpreter runs it, run it as a service of its"
          + " own, and name unit:NAME")
    }
    return client
  }

  private func named() throws -> Client {
    guard case .program(let name) = client else { return try identified() }
    let folders = environmentVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    guard let path = ProgramSearch.path(of: name, in: folders).flatMap(WholeFile.withoutLinks)
    else {
      throw Diagnostics.refusal(
        "\(name): there is no such program; name its path, unit:NAME or app:ID")
    }
    if path != text { Diagnostics.say("\(text) is \(path)") }
    return .program(path)
  }

  /// What `ask` finds for the client of existing grants: as typed, and if that finds nothing, with
  /// links resolved. Its program may have been removed since, or replaced by a link: with
  /// `program:` in front, a path is only taken as it is. A name that is neither a path nor a
  /// program is reported and refused.
  ///
  /// - Parameter isEmpty: whether nothing was found. ``ClientError/notFound(_:)`` says the same.
  func find<Found>(
    _ ask: (Client) throws -> Found, isEmpty: (Found) -> Bool = { _ in false }
  ) throws -> Found {
    guard case .program(let name) = client else { return try ask(try identified()) }
    guard name.hasPrefix("/") else { return try ask(try named()) }
    guard text == name, let path = WholeFile.withoutLinks(name), path != name else {
      return try ask(try identified())
    }
    // a path such as /usr/bin/../bin/foo is in no grant
    if let typed = try? Client(client.description) {
      do {
        let found = try ask(typed)
        if !isEmpty(found) {
          Diagnostics.say(
            "\(name) is \(path) now; this was only about \(name) as it is written: for the program "
              + "that it leads to, name \(path)")
          return found
        }
      } catch ClientError.notFound {
        // what the path leads to may be found
      }
    }
    Diagnostics.say("\(name) is \(path); program:\(name) names it as it is written")
    return try ask(.program(path))
  }

  /// The client as typed, if a grant can name it.
  private func identified() throws -> Client {
    do throws(GateError) {
      return try Client(client.description)
    } catch {
      throw Diagnostics.refusal("\(error.message); \(error.advice ?? "")")
    }
  }

  private static func interpreter(of path: String) -> String? {
    guard let bytes = FileBytes.start(of: path, upTo: 256), bytes.starts(with: "#!".utf8) else {
      return nil
    }
    let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return String(decoding: words.first ?? [], as: UTF8.self).printable
  }
}

extension Grant {
  /// Warns if any program of the user can use it.
  func noteInterpreter() {
    guard terms.isAllowed, terms.expiry != .once, terms.client.runsAnyCode else { return }
    Diagnostics.say(
      "\(terms.client) runs any program of that user, and each of them has the grant; for one"
        + " alone, run it as a service and name its unit")
  }
}
