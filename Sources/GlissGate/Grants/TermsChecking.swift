extension Grant.Terms {
  /// The terms as they may be stored: bounded, and reading back as the same terms.
  ///
  /// - Throws: ``GateError/Problem/syntax`` with the field as its place,
  ///   ``GateError/Problem/notGrantable``.
  func checked() throws(GateError) -> Grant.Terms {
    var terms = self
    terms.scope = try scope.validated()
    terms.reason = reason?.boundedLine(TermsLimits.reason)
    guard try Client(client.description) == client else {
      throw GateError(.syntax, "client", "\(client) means another client when it is read again")
    }
    guard try Expiry(expiry.description) == expiry else {
      throw GateError(.syntax, "expiry", "\(expiry) means another time when it is read again")
    }
    if !isAllowed, expiry == .once {
      throw GateError(.syntax, "expiry", "a refusal for once would refuse nothing")
    }
    try checkInterpreter()
    return terms
  }

  /// An interpreter runs any code it is given. Whatever it may see permanently, any program of that
  /// user may see.
  private func checkInterpreter() throws(GateError) {
    guard isAllowed, expiry != .once, isForInterpreterOnly else { return }
    throw GateError(
      .notGrantable, "client",
      "\(client) runs whatever it is given, so that all of the user's programs would see raw input for good",
      advice: "grant it once, or run the program as a service of its own and grant that unit")
  }

  /// Whether it may only be granted for once.
  var isForInterpreterOnly: Bool {
    guard case .program(let path) = client else { return false }
    return Interpreters.contains(path, for: scope)
  }

  static func check(_ field: String, _ text: String, _ limit: Int) throws(GateError) {
    guard !text.isEmpty, text.utf8.count <= limit, text.unicodeScalars.allSatisfy(\.isPlain) else {
      throw GateError(
        .syntax, field, "is empty, longer than \(limit) bytes, or has invisible characters")
    }
  }
}

/// In bytes, except the numbers of devices and groups. The longest path in Linux is 4096; the
/// longest device name that evdev reports is 256.
enum TermsLimits {
  static let client = 4200
  static let session = 128
  static let reason = 500
  static let decider = 100
  static let device = 256
  static let devices = 64
  static let groups = 16
}
