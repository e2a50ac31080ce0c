import Glibc
import Gliss

/// Describes a scope or grant in a few words.
enum ScopeSentence {
  static func describe(_ scope: Scope) -> String {
    var words: String
    switch scope.tier {
    case .hotkey: words = "its own hotkeys"
    case .gesture: words = "gestures"
    case .raw: words = "raw: " + kinds(scope).joined(separator: ", ")
    case .post: words = "pressing keys"
    }
    if let devices = scope.devices {
      words += " of " + devices.sorted().map { "'\($0.printable)'" }.joined(separator: ", ")
    }
    return words
  }

  /// The event kinds of a scope, with the key classes unless it has all of them.
  private static func kinds(_ scope: Scope) -> [String] {
    let kinds = EventKinds.names.filter { $0.name != "all" && scope.events.contains($0.mask) }
    if kinds.isEmpty { return ["nothing"] }
    return kinds.map { kind in
      guard kind.mask == .key else { return kind.name }
      return scope.keys.isSuperset(of: .all) ? "all keys" : "key (\(classes(scope.keys)))"
    }
  }

  static func classes(_ keys: KeyClasses) -> String {
    let words = KeyClasses.words.filter { keys.contains($0.0) }.map { "\($0.1)" }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
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
    case .at(let time): CalendarTime.text(time)
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

  /// Describes the whole grant in one sentence.
  static func describe(_ grant: Grant) -> String {
    let terms = grant.terms
    let may = terms.isAllowed ? "may have" : "is denied"
    return "\(describe(terms.client)) of \(Users.name(terms.uid)) \(may) "
      + "\(describe(terms.scope)), until \(describe(terms.expiry))"
  }
}

/// Converts between user names and numbers.
enum Users {
  /// The name of `uid`, or the number if no user has it.
  static func name(_ uid: UInt32) -> String {
    guard let entry = getpwuid(uid), let name = entry.pointee.pw_name else { return "\(uid)" }
    return String(cString: name).printable
  }

  /// The number of a user given by name or number; `nil` without one.
  static func uid(_ text: String) -> UInt32? {
    if let entry = getpwnam(text) { return entry.pointee.pw_uid }
    guard let uid = UInt32(text), uid != .max else { return nil }
    return uid
  }

  /// The user of this process.
  static var caller: UInt32 { getuid() }

  /// The user the command acts for. With sudo this is the user who typed it.
  static var principal: UInt32 {
    guard caller == 0 else { return caller }
    for name in ["SUDO_UID", "PKEXEC_UID"] {
      if let text = getenv(name), let uid = UInt32(String(cString: text)), uid != .max {
        return uid
      }
    }
    return caller
  }
}
