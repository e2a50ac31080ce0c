import Glibc
import GlissClient
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys

/// An error that is the answer to a call.
protocol Answerable: Error {
  var reply: VarlinkReply { get }
}

// The errors that only the broker has.
extension VarlinkReply: Answerable {
  var reply: VarlinkReply { self }

  static func notGranted(_ verdict: Verdict) -> VarlinkReply {
    .broker(
      "NotGranted",
      [
        "standing": .string(verdict.standing.rawValue),
        "advice": .string(verdict.advice ?? "ask for it with Request"),
      ])
  }

  static func notServed(_ state: SessionState) -> VarlinkReply {
    .broker("NotServed", ["state": .string(state.rawValue), "advice": .string(state.advice)])
  }

  static func invalidHotkey(_ mistake: HotkeyMistake, parameter: String) -> VarlinkReply {
    let (offset, length) = mistake.scalars
    return .broker(
      "InvalidHotkey",
      [
        "parameter": .string(parameter), "offset": .whole(offset), "length": .whole(length),
        "message": .string(mistake.description),
      ])
  }

  static func hotkeyCouldType(
    _ hotkey: Hotkey, parameter: String, _ verdict: Verdict
  ) -> VarlinkReply {
    let chord =
      hotkey.isTap
      ? "use a chord with ctrl, alt or super"
      : "use ctrl, alt or super with each key, or a key that types nothing"
    // the first words of the verdict's advice would be read as another refusal
    let words = "not granted: "
    let grant = verdict.advice.map { advice in
      let missing = advice.hasPrefix(words) ? advice.dropFirst(words.count) : advice[...]
      return "; otherwise it needs a grant: \(missing)"
    }
    return .broker(
      "HotkeyCouldType",
      [
        "hotkey": .string(hotkey.description), "advice": .string(chord + (grant ?? "")),
        "parameter": .string(parameter),
      ])
  }

  static func hotkeyTaken(
    _ hotkey: Hotkey, parameter: String?, holder: String?, conflict: Hotkey?
  ) -> VarlinkReply {
    .broker(
      "HotkeyTaken",
      [
        "hotkey": .string(hotkey.description), "holder": holder.map(JSON.string),
        "parameter": parameter.map(JSON.string),
        "conflict": conflict.map { .string($0.description) },
      ])
  }

  static func noSuchMode(_ mode: String) -> VarlinkReply {
    .broker("NoSuchMode", ["mode": .string(mode)])
  }

  static func limitReached(_ limit: String, maximum: Int, advice: String) -> VarlinkReply {
    .broker(
      "LimitReached",
      ["limit": .string(limit), "maximum": .whole(maximum), "advice": .string(advice)])
  }

  static func secureInputTaken(seconds: Double) -> VarlinkReply {
    .broker("SecureInputTaken", ["seconds": .decimal(seconds)])
  }

  static func notAllowed(_ advice: String) -> VarlinkReply {
    .grants("NotAllowed", ["advice": .string(advice)])
  }
}

/// In a call, only the devices that press keys, or withhold keys or strokes, can fail.
extension SystemError: Answerable {
  var reply: VarlinkReply {
    // other errors than these are not about rights
    let advice = [EACCES, EPERM].contains(code) ? nil : advice
    return .broker(
      "NoKeyboard",
      [
        "message": .string("glissd cannot use \(place): \(problem)"),
        "advice": .string(advice ?? Self.keyboardAdvice),
      ])
  }

  /// How to let glissd press keys. It may not unless its administrator wants it.
  private static let keyboardAdvice =
    "let it press keys: sudo install -D -m 644 /usr/share/gliss/consume.conf "
    + "/etc/systemd/system/glissd.service.d/consume.conf && sudo systemctl daemon-reload && "
    + "sudo systemctl restart glissd"
}

extension PressError: Answerable {
  var reply: VarlinkReply {
    switch self {
    case .notOnLayout(let chord, _), .noKey(let chord), .notPressed(let chord), .notHeld(let chord):
      .broker("CannotPress", ["keys": .string("\(chord)"), "message": .string("\(self)")])
    case .tooMany(let maximum):
      .limitReached("chords that wait", maximum: maximum, advice: "press them more slowly")
    case .device(let error): error.reply
    }
  }
}

extension GateError: Answerable {
  var reply: VarlinkReply {
    let advice = advice.map(JSON.string)
    return switch problem {
    case .notFound: .grants("NotFound", ["message": .string(message)])
    case .duplicate(let id):
      .grants("Duplicate", ["id": .integer(id.rawValue), "advice": advice ?? "change that one"])
    case .alreadyMember: .grants("AlreadyMember", ["message": .string(message)])
    case .ambiguous(let count):
      .grants("Ambiguous", ["count": .whole(count), "advice": advice ?? "say that all are meant"])
    case .syntax, .parameter:
      .error(
        problem == .syntax
          ? "org.gliss.Grants.Invalid" : "org.varlink.service.InvalidParameter",
        [
          "parameter": .string(place),
          "message": .string(message + (self.advice.map { "; \($0)" } ?? "")),
        ])
    case .notGrantable: .grants("Refused", ["message": .string(message), "advice": advice])
    case .store, .audit, .limit:
      .grants("Refused", ["message": .string(finding), "advice": advice])
    }
  }
}

extension VarlinkReply {
  fileprivate static func broker(
    _ name: String, _ parameters: KeyValuePairs<String, JSON?>
  ) -> VarlinkReply { .error("org.gliss.Broker." + name, .members(parameters)) }

  fileprivate static func grants(
    _ name: String, _ parameters: KeyValuePairs<String, JSON?>
  ) -> VarlinkReply { .error("org.gliss.Grants." + name, .members(parameters)) }

  static func result(_ members: KeyValuePairs<String, JSON?> = [:]) -> VarlinkReply {
    .result(.members(members), continues: false)
  }

  static func more(_ members: KeyValuePairs<String, JSON?>) -> VarlinkReply {
    .result(.members(members), continues: true)
  }
}

extension JSON {
  init(_ entitlement: Entitlement) {
    self = .members([
      "scope": entitlement.scope.json,
      "availability": .string(entitlement.availability.rawValue),
    ])
  }

  init(_ verdict: Verdict) {
    self = .members([
      "standing": .string(verdict.standing.rawValue),
      "granted": .array(verdict.entitlements.map { JSON($0) }),
      "until": verdict.until.map { .integer($0.seconds) },
      "advice": verdict.advice.map(JSON.string),
      "mayRequest": verdict.mayRequest ? .bool(true) : nil,
    ])
  }

  init(_ pending: Gate.Pending) {
    self = .members([
      "number": .integer(pending.number),
      "uid": .integer(Int64(pending.ask.identity.uid)),
      "pid": .integer(Int64(pending.ask.identity.pid)),
      "client": .string(pending.ask.identity.client?.description ?? "unknown"),
      "scope": pending.ask.scope.json,
      "reason": pending.reason.map(JSON.string),
      "since": .integer(pending.since.seconds),
    ])
  }
}
