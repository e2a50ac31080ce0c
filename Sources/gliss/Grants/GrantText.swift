import Gliss

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
