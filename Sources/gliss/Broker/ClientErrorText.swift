import Glibc
import Gliss

/// What went wrong with the broker, and which command helps.
enum ClientErrorText {
  static func text(_ error: ClientError) -> String {
    switch error {
    case .noBroker(let path, let code): noBroker(path, code)
    case .notAllowed(let advice): "\(advice): \(withSudo)"
    case .nobodyToAsk: "nobody could be asked for an administrator's password: \(withSudo)"
    case .duplicate(let id, _):
      "grant \(id.rawValue) is for the same user, client, group and scope: 'gliss grants show"
        + " \(id.rawValue)' shows it, 'gliss grants change --help' says how to change it"
    case .ambiguous(let count, _):
      "\(count) grants match: name one by its number, or take all of them with --all"
    case .notFound(let message):
      "\(message.isEmpty ? "there is none" : message): 'gliss grants list' shows what there is"
    case _: error.description
    }
  }

  private static func noBroker(_ path: String, _ code: Int32) -> String {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT, ECONNREFUSED:
      return "no broker is running at \(path) (\(reason)): start it with 'sudo systemctl enable"
        + " --now glissd.socket' once it is installed (docs/install.md), or say with --socket or"
        + " $GLISS_SOCKET where it is"
    case EACCES, EPERM:
      return "\(path): \(reason): this process may not speak to the broker"
    case _: return "\(path): \(reason)"
    }
  }

  /// The same command, run as root.
  private static var withSudo: String {
    guard Users.caller != 0 else { return "root would be asked nothing, unless it is sandboxed" }
    var words = ["sudo"]
    // sudo does not keep the environment
    if let socket = getenv("GLISS_SOCKET") {
      words += ["env", "GLISS_SOCKET=\(String(cString: socket))"]
    }
    words += ["gliss"] + CommandLine.arguments.dropFirst()
    return "run as root: " + words.map(\.quotedForShell).joined(separator: " ")
  }
}
