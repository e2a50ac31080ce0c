import Glibc
import GlissEvents
public import GlissGate

/// Why the broker refuses something or ends it, or a connection fails, and what can be done.
public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  // MARK: The connection

  /// Nobody serves the socket, or this process may not connect. Has the system's error number.
  case noBroker(path: String, code: Int32)
  /// The broker has ended the connection.
  case disconnected
  /// This side has closed the connection.
  case closed
  /// No answer came in time. The connection is no longer usable.
  case timedOut
  /// The call is longer than a message may be.
  case tooLong
  /// The broker did not understand the call. Has the reason.
  case notUnderstood(String)
  /// The data received is not an answer of a broker. Has the reason.
  case malformed(String)
  /// The system failed to send, receive or wait. Has its error number.
  case system(Int32)

  // MARK: org.gliss.Broker

  /// It is not granted, or no longer.
  case notGranted(Standing, advice: String)
  /// The user's session is not the one on the screen, or it is locked, asleep or paused.
  case notServed(state: String, advice: String)
  /// The text is not a valid hotkey. Has the place, in Unicode scalars from 0. In a list of hotkeys
  /// the message begins with the hotkey's place in the list.
  case invalidHotkey(offset: Int, length: Int, message: String)
  /// The hotkey could be part of typing.
  case hotkeyCouldType(String, advice: String)
  /// A client has the hotkey, or one that conflicts with it. `holder` begins with "this program" if
  /// that is this one; then `conflict` is its hotkey that is in the way.
  case hotkeyTaken(String, holder: String?, conflict: String? = nil)
  /// None of this client's hotkeys is in the mode. Has its name.
  case noSuchMode(String)
  /// A limit is reached. Has its name, the maximum and what to do.
  case limitReached(String, maximum: Int, advice: String)
  /// Secure input was held too long just now. Has the seconds until it is possible again.
  case secureInputTaken(seconds: Double)
  /// No key produces the text, on the keyboard layout or at all.
  case cannotPress(String, message: String)
  /// The broker has no keyboard to press keys on.
  case noKeyboard(String, advice: String)
  /// The broker does not have the method or the interface: its version is another one.
  case notImplemented(String)
  /// A parameter is invalid.
  case invalidParameter(String, message: String)

  // MARK: org.gliss.Grants

  /// This process may not do that. Has what to do.
  case notAllowed(advice: String)
  /// Nobody could be asked. Has what to do instead.
  case nobodyToAsk(advice: String)
  /// There is no such grant, request or group. Has what was looked for.
  case notFound(String)
  /// Several grants match. Has their number and what to do.
  case ambiguous(count: Int, advice: String)
  /// The client already has such a grant. Has its number and what to do.
  case duplicate(Int64, advice: String)
  /// The client is already in the group.
  case alreadyMember(String)
  /// The gate refuses it. Has the reason, and what to do if anything helps.
  case refused(String, advice: String?)

  /// An error unknown to this version: its name, and its parameters as JSON.
  case other(String, String)
}

extension ClientError {
  public var description: String {
    switch self {
    case .noBroker(let path, let code): noBroker(path, code)
    case .disconnected: "the broker has ended the connection; see: journalctl -u glissd"
    case .closed: "the connection was closed"
    case .timedOut: "the broker did not answer in time; see: systemctl status glissd"
    case .tooLong: "the message is longer than the broker accepts: split the call"
    case .notUnderstood(let why): "the broker did not understand the call: \(why)"
    case .malformed(let why): "invalid answer from the broker: \(why)"
    case .system(let code): "the connection to the broker failed: \(Self.message(of: code))"
    case .notGranted(let standing, let advice): notGranted(standing, advice)
    case .notServed(let state, let advice): "nothing is served while \(state); \(advice)"
    case .invalidHotkey(_, _, let message): message
    case .hotkeyCouldType(let hotkey, let advice): "\(hotkey) could be part of typing; \(advice)"
    case .hotkeyTaken(let hotkey, let holder, let conflict): taken(hotkey, holder, conflict)
    case .noSuchMode(let mode): "this program has no hotkeys in the mode \(mode)"
    case .limitReached(let limit, let maximum, let advice):
      "at most \(maximum) \(limit) are allowed; \(advice)"
    case .secureInputTaken(let seconds):
      "secure input is not available; try again in \(Int64(saturating: seconds.rounded(.up))) s"
    case .cannotPress(_, let message): message
    case .noKeyboard(let message, let advice): "no keys can be pressed: \(message); \(advice)"
    case .notImplemented(let method):
      "this broker has no \(method): 'gliss status' shows its version"
    case .invalidParameter(let parameter, let message): "\(parameter): \(message)"
    case .notAllowed(let advice): "this is not allowed; \(advice)"
    case .nobodyToAsk(let advice): "nobody could be asked; \(advice)"
    case .notFound(let message): message
    case .ambiguous(let count, let advice): "\(count) match; \(advice)"
    case .duplicate(let id, let advice): "grant \(id) is the same; \(advice)"
    case .alreadyMember(let message): message
    case .refused(let message, let advice): message + (advice.map { "; \($0)" } ?? "")
    case .other(let name, let parameters): "the broker says \(name) \(parameters)"
    }
  }

  private func noBroker(_ path: String, _ code: Int32) -> String {
    let problem = "\(path): \(Self.message(of: code))"
    switch code {
    case ENOENT, ECONNREFUSED:
      return "no broker is running: \(problem); start it with 'sudo systemctl enable --now"
        + " glissd.socket' once it is installed (docs/install.md)"
    case EACCES, EPERM: return "\(problem); this program may not connect to the broker"
    case _: return "\(problem); this should be the path of the broker's socket"
    }
  }

  private func taken(_ hotkey: String, _ holder: String?, _ conflict: String?) -> String {
    if let holder, let conflict, conflict != hotkey {
      return "\(hotkey) conflicts with \(conflict) (\(holder)); choose another one"
    }
    if holder == "this program" { return "\(hotkey): this program has it already" }
    return "\(hotkey) is taken" + (holder.map { " by \($0)" } ?? "") + "; choose another one"
  }

  private func notGranted(_ standing: Standing, _ advice: String) -> String {
    // the gate's advice begins with what is missing, so do not say that twice
    let saysItself = ["ended: ", "not granted: ", "refused: ", "nothing is granted: "]
      .contains { advice.hasPrefix($0) }
    if saysItself { return advice }
    return switch standing {
    case .notDetermined: "nobody has granted this yet; \(advice)"
    case .denied: "this was denied; \(advice)"
    case .restricted: "this cannot be granted; \(advice)"
    case .granted: "this was granted otherwise; \(advice)"
    }
  }

  private static func message(of code: Int32) -> String { String(cString: strerror(code)) }
}

extension ClientError {
  /// A missing or invalid parameter counts as empty or 0.
  init(named name: String, _ json: JSON) {
    func text(_ name: String) -> String { json[name]?.string ?? "" }
    func count(_ name: String) -> Int { Int(clamping: json[name]?.integer ?? 0) }
    let (message, advice) = (text("message"), text("advice"))
    self =
      switch name {
      case "org.gliss.Broker.NotGranted":
        // an unknown standing grants nothing either
        .notGranted(Standing(rawValue: text("standing")) ?? .denied, advice: advice)
      case "org.gliss.Broker.NotServed": .notServed(state: text("state"), advice: advice)
      case "org.gliss.Broker.InvalidHotkey":
        .invalidHotkey(
          offset: count("offset"), length: count("length"),
          message: (text("parameter").contains("[") ? text("parameter") + ": " : "") + message)
      case "org.gliss.Broker.HotkeyCouldType": .hotkeyCouldType(text("hotkey"), advice: advice)
      case "org.gliss.Broker.HotkeyTaken":
        .hotkeyTaken(
          text("hotkey"), holder: json["holder"]?.string, conflict: json["conflict"]?.string)
      case "org.gliss.Broker.NoSuchMode": .noSuchMode(text("mode"))
      case "org.gliss.Broker.LimitReached":
        .limitReached(text("limit"), maximum: count("maximum"), advice: advice)
      case "org.gliss.Broker.SecureInputTaken":
        .secureInputTaken(seconds: json["seconds"]?.number ?? 0)
      case "org.gliss.Broker.CannotPress": .cannotPress(text("keys"), message: message)
      case "org.gliss.Broker.NoKeyboard": .noKeyboard(message, advice: advice)
      case "org.gliss.Broker.InvalidMessage": .notUnderstood(message)
      case "org.gliss.Grants.NotAllowed": .notAllowed(advice: advice)
      case "org.gliss.Grants.NobodyToAsk": .nobodyToAsk(advice: advice)
      case "org.gliss.Grants.NotFound": .notFound(message)
      case "org.gliss.Grants.Ambiguous": .ambiguous(count: count("count"), advice: advice)
      case "org.gliss.Grants.Duplicate": .duplicate(Int64(count("id")), advice: advice)
      case "org.gliss.Grants.AlreadyMember": .alreadyMember(message)
      case "org.gliss.Grants.Invalid": .invalidParameter(text("parameter"), message: message)
      case "org.gliss.Grants.Refused": .refused(message, advice: json["advice"]?.string)
      case "org.varlink.service.InvalidParameter":
        .invalidParameter(
          text("parameter"), message: json["message"]?.string ?? "it is not accepted")
      case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented":
        .notImplemented(text("method"))
      case "org.varlink.service.InterfaceNotFound": .notImplemented(text("interface"))
      case "org.varlink.service.PermissionDenied": .notAllowed(advice: "ask an administrator")
      case _: .other(name, json.description)
      }
  }
}
