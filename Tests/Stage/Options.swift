import Glibc
import GlissBroker
import GlissEvents

/// `gliss-stage SOCKET STORE UID MACHINE [CONNECTIONS [REST]]`.
struct Options {
  let socket: String
  let store: String
  let user: UInt32
  let machine: String
  var limits = Limits()

  struct Usage: Error {}

  init(_ arguments: [String]) throws {
    guard arguments.count >= 5, let user = UInt32(arguments[3]) else { throw Usage() }
    socket = arguments[1]
    store = arguments[2]
    self.user = user
    machine = arguments[4]
    // a hundred clients of one user, for measurements
    if arguments.count > 5, let count = Int(arguments[5]) { limits.connections = count }
    // how many milliseconds after a question the next one may be put
    if arguments.count > 6, let rest = Double(arguments[6]) {
      limits.restAfterQuestion = .milliseconds(rest)
    }
  }
}
