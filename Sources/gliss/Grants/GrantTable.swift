import Gliss

/// Grants as a table with one row each, followed by the pending requests.
struct GrantTable {
  private let grants: [Grant]
  private let pending: [PendingRequest]
  private let terminal: Terminal

  init(_ grants: [Grant], pending: [PendingRequest], on terminal: Terminal) {
    self.grants = grants
    self.pending = pending
    self.terminal = terminal
  }

  /// Empty if there are neither.
  var text: String {
    var lines = grants.isEmpty ? [] : table.lines
    if !lines.isEmpty, !pending.isEmpty { lines.append("") }
    lines += waiting
    return lines.map { $0 + "\n" }.joined()
  }

  private var table: TextTable {
    TextTable(
      [
        TextTable.Column("id", grants.map { "\($0.id.rawValue)" }, isNumber: true),
        TextTable.Column("user", grants.map { Users.name($0.terms.uid) }),
        TextTable.Column("while", grants.map(Self.times)),
        TextTable.Column("until", grants.map { ScopeSentence.describe($0.terms.expiry) }),
        TextTable.Column("client", grants.map { ScopeSentence.describe($0.terms.client) }),
      ], last: TextTable.Column("what", grants.map(Self.what)), on: terminal)
  }

  private static func times(_ grant: Grant) -> String {
    grant.terms.isAllowed ? ScopeSentence.describe(grant.terms.availability) : "always"
  }

  private static func what(_ grant: Grant) -> String {
    let group = grant.terms.group.map { ", for all of \($0.name)".printable } ?? ""
    return (grant.terms.isAllowed ? "" : "denied: ") + ScopeSentence.describe(grant.terms.scope)
      + group
  }

  /// What clients say about themselves is in quotes; the rest is verified.
  private var waiting: [String] {
    if pending.isEmpty { return [] }
    return [Style.bold("These wait for an answer:", on: terminal)]
      + pending.flatMap { request in
        let client = ScopeSentence.describe(named: request.client)
        var text =
          "\(request.number): \(client) (process \(request.pid) of \(Users.name(request.uid)))"
          + " asked for \(ScopeSentence.describe(request.scope)) at"
          + " \(CalendarTime.text(request.since))"
        if let reason = request.reason { text += ", saying '\(reason.printable)'" }
        return text.wrapped(margin: 2, on: terminal) + [
          "    gliss grants answer \(request.number) --allow     (or --deny)"
        ]
      }
  }
}

extension PendingRequest {
  /// As the broker reports it.
  var json: JSON {
    .some([
      "number": .integer(number), "uid": .integer(Int64(uid)), "pid": .integer(Int64(pid)),
      "client": .string(client), "scope": scope.json,
      "reason": reason.map(JSON.string), "since": .integer(since.seconds),
    ])
  }
}

/// Describes one grant as text.
enum GrantText {
  /// Prints the result of a decision.
  static func write(_ grant: Grant, _ format: AnswerFormat) {
    switch format {
    case .text: Output.standard.write(line: line(grant))
    case .json: Output.standard.write(JSONLines.bytes(of: grant.json))
    }
  }

  static func line(_ grant: Grant) -> String {
    "grant \(grant.id.rawValue): \(ScopeSentence.describe(grant))"
  }

  /// All details, one per line.
  static func details(_ grant: Grant) -> String {
    let terms = grant.terms
    let events = EventKinds.names.filter {
      $0.name != "all" && terms.scope.events.contains($0.mask)
    }
    let devices = terms.scope.devices.map { $0.sorted().map(\.printable).joined(separator: ", ") }
    let lines: [(String, String?)] = [
      ("grant", "\(grant.id.rawValue)"),
      ("user", "\(Users.name(terms.uid)) (\(terms.uid))"),
      ("client", "\(terms.client)".printable),
      ("group", terms.group?.name.printable),
      ("allowed", terms.isAllowed ? "yes" : "no"),
      ("tier", terms.scope.tier.name),
      ("events", events.isEmpty ? nil : events.map(\.name).joined(separator: ", ")),
      ("keys", terms.scope.keys.isEmpty ? nil : ScopeSentence.classes(terms.scope.keys)),
      ("devices", devices ?? "all"),
      ("while", terms.availability.rawValue),
      ("until", ScopeSentence.describe(terms.expiry)),
      ("bound", terms.thisDeviceOnly ? "to this machine" : "to no machine"),
      ("made", "\(CalendarTime.text(grant.created)) by \(grant.grantedBy.printable)"),
      ("changed", grant.modified > grant.created ? CalendarTime.text(grant.modified) : nil),
      ("last used", grant.lastUsed.map(CalendarTime.text) ?? "never"),
      ("reason", terms.reason.map { "'\($0.printable)'" }),
    ]
    return lines.compactMap { name, value in value.map { name.padded(11) + $0 } }
      .joined(separator: "\n")
  }
}
