import Gliss

/// Grants as a table with one row each, followed by the pending requests.
struct GrantTable {
  let grants: [Grant]
  let pending: [PendingRequest]

  var lines: [String] {
    var lines = grants.isEmpty ? [] : table.lines
    if !lines.isEmpty, !pending.isEmpty { lines.append("") }
    return lines + waiting
  }

  private var table: TextTable {
    TextTable(
      [
        .init("id", grants.map { "\($0.id.rawValue)" }, isNumber: true),
        .init("user", grants.map { Users.name($0.terms.uid) }),
        .init("while", grants.map(Self.times)),
        .init("until", grants.map { ScopeSentence.describe($0.terms.expiry) }),
        .init("client", grants.map { ScopeSentence.describe($0.terms.client) }),
      ], last: .init("what", grants.map(Self.what)))
  }

  private static func times(_ grant: Grant) -> String {
    grant.terms.isAllowed ? ScopeSentence.describe(grant.terms.availability) : "always"
  }

  private static func what(_ grant: Grant) -> String {
    (grant.terms.isAllowed ? "" : "denied: ") + ScopeSentence.describe(grant.terms.scope)
      + ScopeSentence.describe(grant.terms.group)
  }

  /// What clients say about themselves is in quotes; the rest is verified.
  private var waiting: [String] {
    if pending.isEmpty { return [] }
    return [Style.bold("Pending requests:")]
      + pending.flatMap { request in
        let client = ScopeSentence.describe(named: request.client)
        var text =
          "\(request.number): \(client) (process \(request.pid) of \(Users.name(request.uid)))"
          + " asked for \(ScopeSentence.describe(request.scope)) at"
          + " \(request.since.localMinute)"
        if let reason = request.reason { text += ", saying '\(reason.printable)'" }
        return text.wrapped(margin: 2) + [
          "    sudo gliss grants answer \(request.number) --allow     (or --deny)"
        ]
      }
  }
}

enum GrantText {
  static func write(_ grant: Grant, _ format: AnswerFormat) {
    format.print([line(grant)], grant.json)
  }

  static func line(_ grant: Grant) -> String {
    "grant \(grant.id.rawValue): \(ScopeSentence.describe(grant))"
  }

  static func details(_ grant: Grant) -> [String] {
    let terms = grant.terms
    let events = terms.scope.events.words
    let devices = terms.scope.devices.map { $0.sorted().map(\.printable).joined(separator: ", ") }
    let lines: [(String, String?)] = [
      ("grant", "\(grant.id.rawValue)"),
      ("user", "\(Users.name(terms.uid)) (\(terms.uid))"),
      ("client", "\(terms.client)".printable),
      ("group", terms.group?.name.printable),
      ("allowed", terms.isAllowed ? "yes" : "no"),
      ("tier", terms.scope.tier.name),
      ("events", events.isEmpty ? nil : events.joined(separator: ", ")),
      ("keys", terms.scope.keys.isEmpty ? nil : ScopeSentence.classes(terms.scope.keys)),
      ("devices", devices ?? "all"),
      ("while", terms.availability.rawValue),
      ("until", ScopeSentence.describe(terms.expiry)),
      ("bound", terms.thisDeviceOnly ? "to this machine" : "to no machine"),
      ("made", "\(grant.created.localMinute) by \(grant.grantedBy.printable)"),
      ("changed", grant.modified > grant.created ? grant.modified.localMinute : nil),
      ("last used", grant.lastUsed.map(\.localMinute) ?? "never"),
      ("reason", terms.reason.map { "'\($0.printable)'" }),
    ]
    return lines.compactMap { name, value in value.map { name.padded(11) + $0 } }
  }
}

enum ScopeSentence {
  static func describe(_ scope: Scope) -> String {
    var words: String
    switch scope.tier {
    case .hotkey: words = "its own hotkeys"
    case .gesture: words = "gestures"
    case .raw: words = "raw: " + kinds(scope).joined(separator: ", ")
    case .post: words = "pressing keys and buttons"
    }
    if let devices = scope.devices {
      words += " of " + devices.sorted().map { "'\($0.printable)'" }.joined(separator: ", ")
    }
    return words
  }

  /// The event kinds of a scope, with the key classes unless it has all of them.
  private static func kinds(_ scope: Scope) -> [String] {
    if scope.events.words.isEmpty { return ["nothing"] }
    let keys = scope.keys.isSuperset(of: .all) ? "all keys" : "key (\(classes(scope.keys)))"
    return scope.events.words.map { $0 == "key" ? keys : $0 }
  }

  static func classes(_ keys: KeyClasses) -> String {
    keys.names.isEmpty ? "none" : keys.names.joined(separator: ", ")
  }

  static func describe(_ client: Client) -> String {
    switch client {
    case .program(let path): path.printable
    case .unit(let name): "unit:\(name)".printable
    case .app(let id): "app:\(id)".printable
    }
  }

  /// Describes the client called `name`; returns the name itself if it is not a valid client.
  static func describe(named name: String) -> String {
    (try? Client(name)).map { describe($0) } ?? name.printable
  }

  static func describe(_ expiry: Expiry) -> String {
    switch expiry {
    case .once: "used once"
    case .session(let name): "session \(name) ends".printable
    case .at(let time): time.localMinute
    case .never: "revoked"
    }
  }

  static func describe(_ availability: Availability) -> String {
    switch availability {
    case .whenUnlocked: "unlocked"
    case .afterFirstUnlock: "once unlocked"
    case .always: "always"
    }
  }

  static func describe(_ grant: Grant) -> String {
    let terms = grant.terms
    let may = terms.isAllowed ? "may have" : "is denied"
    return "\(describe(terms.client)) of \(Users.name(terms.uid)) \(may) "
      + "\(describe(terms.scope))\(describe(terms.group)), until \(describe(terms.expiry))"
  }

  /// The group it is for besides the client; empty without one.
  static func describe(_ group: AccessGroup?) -> String {
    group.map { ", for all of \($0.name)".printable } ?? ""
  }
}
