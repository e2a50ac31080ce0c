package import Glibc
public import GlissEvents

/// Seconds since 1970, UTC: the clock of grants.
package struct WallTime: Hashable, Comparable, Sendable {
  package var seconds: Int64
  package init(seconds: Int64) { self.seconds = seconds }
  package static func < (a: WallTime, b: WallTime) -> Bool { a.seconds < b.seconds }
}

/// A grant's number in its store.
package struct GrantID: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: GrantID, b: GrantID) -> Bool { a.rawValue < b.rawValue }
}

/// When a grant holds, like the accessibility of a Keychain item. While the screen is locked only
/// media keys are ever shown.
package enum Availability: String, Hashable, Sendable, CaseIterable {
  case whenUnlocked
  /// Once the session was unlocked, also while it is locked again.
  case afterFirstUnlock
  case always
}

extension Availability: Comparable {
  /// A greater value holds more of the time.
  package static func < (a: Availability, b: Availability) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

package enum Expiry: Hashable, Sendable {
  /// For one stream, or one answer.
  case once
  /// Until the user's session of that name ends.
  case session(String)
  case at(WallTime)
  case never
}

/// A standing decision: whether this client may see this.
package struct Grant: Hashable, Sendable {
  /// What a person decides. The store adds who decided, when, and the grant's number.
  package struct Terms: Hashable, Sendable {
    package var uid: UInt32
    package var client: Client
    package var group: AccessGroup?
    package var scope: Scope
    /// False if it was refused permanently.
    package var isAllowed = true
    package var availability = Availability.whenUnlocked
    package var expiry = Expiry.never
    /// Valid only on the machine where it was granted.
    package var thisDeviceOnly = true
    /// The reason, as the client or the decider gave it.
    package var reason: String?

    package init(uid: UInt32, client: Client, group: AccessGroup? = nil, scope: Scope) {
      self.uid = uid
      self.client = client
      self.group = group
      self.scope = scope
    }
  }

  package var id: GrantID
  package var terms: Terms
  package var created: WallTime
  package var modified: WallTime
  package var lastUsed: WallTime?
  /// The name or uid of the user that granted it.
  package var grantedBy: String
  /// In a store, the computer it was granted on, if it holds only there; else empty.
  var machine = ""
  /// In a store, the boot during which it was granted, if it holds for a session; else empty.
  var boot = ""

  package init(
    id: GrantID, terms: Terms, created: WallTime, modified: WallTime, lastUsed: WallTime? = nil,
    grantedBy: String
  ) {
    self.id = id
    self.terms = terms
    self.created = created
    self.modified = modified
    self.lastUsed = lastUsed
    self.grantedBy = grantedBy
  }
}

extension Grant.Terms {
  /// When it holds. A refusal always does, whatever its availability.
  package var holdsWhile: Availability { isAllowed ? availability : .always }

  /// The fields that together are unique to a grant; the others have their defaults.
  package var key: Grant.Terms {
    Grant.Terms(uid: uid, client: client, group: group, scope: scope)
  }
}

extension Expiry: CustomStringConvertible {
  /// `once`, `never`, `session:NAME`, or the seconds since 1970.
  package var description: String {
    switch self {
    case .once: "once"
    case .never: "never"
    case .session(let name): "session:" + name
    case .at(let time): String(time.seconds)
    }
  }

  /// For people, with dates like `2026-11-23T14:16:20Z`.
  package var inWords: String {
    switch self {
    case .once: "once"
    case .never: "permanently"
    case .session(let name): "until the session \(name) ends"
    case .at(let time): "until \(time)"
    }
  }

  /// Parses a ``description``.
  package init(_ text: String) throws(GateError) {
    let session = "session:"
    if text == "once" {
      self = .once
    } else if text == "never" {
      self = .never
    } else if text.hasPrefix(session), text.utf8.count > session.utf8.count {
      let name = String(text.dropFirst(session.count))
      try Grant.Terms.check("expiry", name, TermsLimits.session)
      self = .session(name)
    } else if let seconds = Int64(text), seconds >= 0, text.first != "+" {
      self = .at(WallTime(seconds: seconds))
    } else {
      throw GateError(
        .syntax, "expiry", "“\(text.boundedLine(60))” is not a time",
        advice: "use once, session:NAME, never, or seconds since 1970")
    }
  }
}

extension WallTime {
  package static var now: WallTime { WallTime(seconds: Int64(time(nil))) }

  /// In the machine's time zone: `2026-11-21 17:30`.
  package var localMinute: String { text("%Y-%m-%d %H:%M", localtime_r) }

  /// In the machine's time zone: `2026-11-21 17:30:05`.
  package var localSecond: String { text("%Y-%m-%d %H:%M:%S", localtime_r) }

  private func text(
    _ format: String,
    _ split: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
  ) -> String {
    var (seconds, parts) = (time_t(seconds), tm())
    guard split(&seconds, &parts) != nil else { return "\(self.seconds)" }
    return Self.text(of: parts, format)
  }

  package static func text(of parts: tm, _ format: String) -> String {
    var parts = parts
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension Grant.Terms {
  /// The terms as they may be stored: bounded, and reading back as the same terms. Throws
  /// ``GateError/Problem/syntax`` with the field as its place, ``GateError/Problem/notGrantable``.
  func checked() throws(GateError) -> Grant.Terms {
    var terms = self
    terms.scope = try scope.validated()
    try checkTier()
    terms.reason = reason?.boundedLine(TermsLimits.reason)
    try client.check()
    guard try Expiry(expiry.description) == expiry else {
      throw GateError(.syntax, "expiry", "\(expiry) cannot be stored as that time")
    }
    if !isAllowed, expiry == .once {
      throw GateError(.syntax, "expiry", "a one-time refusal would refuse nothing")
    }
    try checkInterpreter()
    return terms
  }

  private func checkTier() throws(GateError) {
    if scope.tier == .hotkey {
      throw GateError(
        .notGrantable, "scope.tier", "every program may register hotkeys that cannot be typing",
        advice: "hotkeys need no grant, and none can be refused")
    }
    if scope.tier == .post, scope.devices != nil {
      throw GateError(
        .syntax, "scope.devices", "keys are pressed on no device of the computer",
        advice: "leave devices out")
    }
  }

  /// What an interpreter may see permanently, any program of that user may see.
  private func checkInterpreter() throws(GateError) {
    guard isAllowed, expiry != .once, isForInterpreterOnly else { return }
    throw GateError(
      .notGrantable, "client",
      "every program of the user can run \(client), so a lasting grant of raw input would be for all of them",
      advice:
        "grant it once (--expires once), or run the program as a service of its own and grant that unit"
    )
  }

  /// Whether it may only be granted once.
  var isForInterpreterOnly: Bool { scope.parts.contains { Interpreters.mayOnlyOnce(client, $0) } }

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

// Public values of the gate in the form of org.gliss.Broker.

extension Tier: SchemaWord {}
extension Standing: Codable {}
extension Availability: Codable {}
extension GrantID: Codable {}

extension WallTime: Codable {
  package init(from decoder: any Decoder) throws { self.init(seconds: try Int64(from: decoder)) }

  package func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}

extension Scope: Codable {
  /// Reads a scope as the broker's Varlink interface writes it.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(GateError) {
      self = try Parameters(json, "scope.").scope
    } catch {
      throw DecodingError.invalid("\(error)", at: decoder)
    }
  }

  /// Writes the scope as the broker's Varlink interface does.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

// MARK: Descriptions

extension WallTime: CustomStringConvertible {
  /// `2026-11-23T14:16:20Z`, or the seconds since 1970 if the calendar has no such year.
  package var description: String { text("%Y-%m-%dT%H:%M:%SZ", gmtime_r) }
}

extension Standing: CustomStringConvertible {
  /// In words: `not decided yet`.
  public var description: String {
    switch self {
    case .notDetermined: "not decided yet"
    case .denied: "denied"
    case .granted: "granted"
    case .restricted: "cannot be granted"
    }
  }
}

extension Entitlement: CustomStringConvertible {
  /// The scope and when it holds: `gesture, whenUnlocked`.
  package var description: String { "\(scope), \(availability.rawValue)" }
}

extension Verdict: CustomStringConvertible {
  /// The standing, what is granted, until when, and the advice.
  package var description: String {
    let granted = entitlements.map { "\($0)" }.joined(separator: " and ")
    return [
      granted.isEmpty ? "\(standing)" : "\(standing): \(granted)",
      until.map { "until \($0)" }, advice,
    ].compactMap { $0 }.joined(separator: "; ")
  }
}
