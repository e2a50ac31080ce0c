import GlissEvents
import GlissGate

extension ClientError {
  /// The error that the broker answered with.
  init(named name: String, _ json: JSON) {
    let parts = name.split(separator: ".")
    let interface = parts.dropLast().joined(separator: ".")
    let parameters = ErrorParameters(json)
    let known: ClientError? =
      switch interface {
      case "org.gliss.Broker": .broker(String(parts.last ?? ""), parameters)
      case "org.gliss.Grants": .grants(String(parts.last ?? ""), parameters)
      case "org.varlink.service": .service(String(parts.last ?? ""), parameters)
      case _: nil
      }
    self = known ?? .other(name, json.description)
  }

  private static func broker(_ name: String, _ given: ErrorParameters) -> ClientError? {
    switch name {
    case "NotGranted":
      // an unknown standing grants nothing either
      .notGranted(Standing(rawValue: given["standing"]) ?? .denied, advice: given["advice"])
    case "NotServed": .notServed(state: given["state"], advice: given["advice"])
    case "InvalidHotkey":
      .invalidHotkey(
        offset: given.count("offset"), length: given.count("length"), message: given["message"])
    case "HotkeyCouldType": .hotkeyCouldType(given["hotkey"], advice: given["advice"])
    case "HotkeyTaken": .hotkeyTaken(given["hotkey"], holder: given.text("holder"))
    case "NoSuchMode": .noSuchMode(given["mode"])
    case "LimitReached":
      .limitReached(given["limit"], maximum: given.count("maximum"), advice: given["advice"])
    case "SecureInputTaken":
      .secureInputTaken(holder: given.text("holder"), seconds: given.seconds("seconds"))
    case "CannotPress": .cannotPress(given["keys"], message: given["message"])
    case "NoKeyboard": .noKeyboard(given["message"], advice: given["advice"])
    case "InvalidScope": .invalidParameter(given["parameter"], message: given["message"])
    case "InvalidMessage": .malformed("the broker did not understand: \(given["message"])")
    case "NotImplemented": .notImplemented(given["method"])
    case _: nil
    }
  }

  private static func grants(_ name: String, _ given: ErrorParameters) -> ClientError? {
    switch name {
    case "NotAllowed": .notAllowed(advice: given["advice"])
    case "NobodyToAsk": .nobodyToAsk(command: given["command"])
    case "NotFound": .notFound(given["message"])
    case "Ambiguous": .ambiguous(count: given.count("count"), advice: given["advice"])
    case "Duplicate":
      .duplicate(GrantID(rawValue: Int64(given.count("id"))), advice: given["advice"])
    case "AlreadyMember": .alreadyMember(given["message"])
    case "Invalid": .invalidParameter(given["parameter"], message: given["message"])
    case "Refused": .refused(given["message"], advice: given.text("advice"))
    case _: nil
    }
  }

  private static func service(_ name: String, _ given: ErrorParameters) -> ClientError? {
    switch name {
    case "InvalidParameter":
      .invalidParameter(given["parameter"], message: given.text("message") ?? "it is not taken")
    case "MethodNotFound", "MethodNotImplemented": .notImplemented(given["method"])
    case "InterfaceNotFound": .notImplemented(given["interface"])
    case "PermissionDenied": .notAllowed(advice: "ask an administrator")
    case _: nil
    }
  }
}

/// The parameters of an error. Missing or invalid ones are ignored.
private struct ErrorParameters {
  let json: JSON

  init(_ json: JSON) { self.json = json }

  func text(_ name: String) -> String? { json[name]?.string }
  subscript(_ name: String) -> String { text(name) ?? "" }
  func count(_ name: String) -> Int { Int(clamping: json[name]?.integer ?? 0) }
  func seconds(_ name: String) -> Double { json[name]?.number ?? 0 }
}
