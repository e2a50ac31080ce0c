import Glibc
import GlissEvents
import GlissGate
import GlissSynthesis

/// Adds and revokes grants until it is killed or the disk is full, and says so, a line each: what it is about to do
/// (`? +7`), and that it was done (`! +7`).
///
///     gate-torture FOLDER SEED [BYTES]     no file may grow beyond BYTES
enum Torture {
  static let machine = Machine(id: "this computer", boot: "this run")

  static func main(_ arguments: [String]) {
    guard arguments.count >= 3, let seed = UInt64(arguments[2]) else { exit(2) }
    if arguments.count > 3, let bytes = UInt(arguments[3]) { limitFiles(to: bytes) }
    let gate = Gate(folder: arguments[1], machine: machine, at: WallTime(seconds: 0))
    if let fault = gate.fault ?? gate.auditFault {
      say("fault \(fault)")
      exit(1)
    }
    do {
      try run(gate, RandomSource(seed: seed, name: "torture"))
    } catch {
      say("error \(error)")
      exit(1)
    }
  }

  private static func run(_ gate: Gate, _ source: RandomSource) throws(GateError) {
    var source = source
    var second: Int64 = 0
    while true {
      second += 1
      let now = WallTime(seconds: second)
      let number = source.integer(0...23)
      let client = Client.program("/opt/client-\(number)")
      var query = Gate.Query()
      query.client = client
      if try gate.grants(query).isEmpty {
        var terms = Grant.Terms(
          uid: 1000, client: client, scope: Scope(tier: .gesture, events: .gesture))
        // long enough that a full disk is not far
        terms.reason = String(repeating: "because ", count: 40)
        say("? +\(number)")
        _ = try gate.add(terms, by: "torture", at: now)
        say("! +\(number)")
      } else {
        say("? -\(number)")
        _ = try gate.revoke(query, all: false, by: "torture", at: now)
        say("! -\(number)")
      }
    }
  }

  private static func limitFiles(to bytes: UInt) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    if setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) != 0 { exit(2) }
  }

  /// One write for each line: a line is said whole or not at all.
  private static func say(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { if write(STDOUT_FILENO, $0.baseAddress, $0.count) != $0.count { exit(3) } }
  }
}
