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

enum Failure: Answerable {
  case notGranted(Verdict)
  case notServed(SessionState)
  case invalidHotkey(HotkeyMistake, parameter: String)
  case hotkeyCouldType(Hotkey, parameter: String, Verdict)
  case hotkeyTaken(Hotkey, parameter: String?, holder: String?)
  case noSuchMode(String)
  case limitReached(String, maximum: Int, advice: String)
  case secureInputTaken(seconds: Double)
  case needsMore
  case notAllowed(String)
  case nobodyToAsk(String)

  var reply: VarlinkReply {
    switch self {
    case .notGranted(let verdict):
      .broker(
        "NotGranted",
        [
          "standing": .string(verdict.standing.rawValue),
          "advice": .string(verdict.advice ?? "ask for it with Request"),
        ])
    case .notServed(let state):
      .broker("NotServed", ["state": .string(state.rawValue), "advice": .string(state.advice)])
    case .invalidHotkey(let mistake, let parameter):
      .broker(
        "InvalidHotkey",
        [
          "parameter": .string(parameter), "offset": .integer(Int64(mistake.offset)),
          "length": .integer(Int64(mistake.length)),
          "message": .string(mistake.description),
        ])
    case .hotkeyCouldType(let hotkey, let parameter, let verdict):
      .broker(
        "HotkeyCouldType",
        [
          "hotkey": .string(hotkey.description),
          "advice": .string(
            (hotkey.isTap
              ? "use a chord with ctrl, alt or super"
              : "use ctrl, alt or super with each key, or a key that types nothing")
              + (verdict.advice.map { "; otherwise it needs a grant: \(Self.missing(in: $0))" }
                ?? "")),
          "parameter": .string(parameter),
        ])
    case .hotkeyTaken(let hotkey, let parameter, let holder):
      .broker(
        "HotkeyTaken",
        [
          "hotkey": .string(hotkey.description), "holder": holder.map(JSON.string),
          "parameter": parameter.map(JSON.string),
        ])
    case .noSuchMode(let mode): .broker("NoSuchMode", ["mode": .string(mode)])
    case .limitReached(let limit, let maximum, let advice):
      .limitReached(limit, maximum, advice: advice)
    case .secureInputTaken(let seconds):
      .broker("SecureInputTaken", ["seconds": .decimal(seconds)])
    case .needsMore: VarlinkService.expectedMore
    case .notAllowed(let advice): .grants("NotAllowed", ["advice": .string(advice)])
    case .nobodyToAsk(let advice): .grants("NobodyToAsk", ["advice": .string(advice)])
    }
  }

  /// The advice of a verdict without its first words, which would be read as another refusal.
  private static func missing(in advice: String) -> Substring {
    let words = "not granted: "
    return advice.hasPrefix(words) ? advice.dropFirst(words.count) : advice[...]
  }
}

extension ParameterError: Answerable {
  var reply: VarlinkReply {
    .error(
      "org.varlink.service.InvalidParameter",
      [
        "parameter": .string(parameter),
        "message": .string(message + (advice.map { "; \($0)" } ?? "")),
      ])
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
      .limitReached("chords that wait", maximum, advice: "press them more slowly")
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
    case .syntax:
      .grants(
        "Invalid",
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
