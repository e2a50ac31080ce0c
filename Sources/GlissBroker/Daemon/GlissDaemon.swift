import Glibc
import GlissDevices
import GlissEvents

/// `glissd`: the process that owns the devices.
package enum GlissDaemon {
  /// Serves until a signal ends it. Exits with 0 then, with 1 if it cannot serve, and with 2 if the
  /// command line is invalid.
  package static func main() { exit(run(CommandLine.arguments.dropFirst())) }

  static func run(_ arguments: some Sequence<String>) -> Int32 {
    do throws(SystemError) {
      switch try DaemonOptions.parse(arguments) {
      case .printHelp: print(DaemonOptions.help, terminator: "")
      case .printVersion: print("glissd \(Release.version)")
      case .run(let options): return serve(options)
      case .identifyPrograms:
        let sockets = try ServiceManager.sockets(of: SOCK_SEQPACKET)
        guard let socket = sockets.first else {
          throw SystemError(
            "--identify-programs", "needs the service manager's socket",
            advice: "glissd-programs.socket has it")
        }
        try ProcessReader.run(on: socket)
      }
      return 0
    } catch {
      DaemonProcess.say("\(error)", priority: 3)
      return 2
    }
  }

  private static func serve(_ options: DaemonOptions) -> Int32 {
    do {
      try DaemonRun(options).run()
      return 0
    } catch {
      DaemonProcess.say("\(error)", priority: 3)
      return 1
    }
  }
}

/// The command line of `glissd`.
struct DaemonOptions: Hashable, Sendable {
  /// Where to create the socket, unless the service manager passes one.
  var socket = "/run/gliss/org.gliss.Broker"
  /// The folder for the grants and their audit.
  var store = "/var/lib/gliss"
  /// The fixed user of the seat, if one is given.
  var user: UInt32?
  var ignoresLogind = false
  /// The socket of the helper that reads other users' processes: what confines them, and which
  /// programs they run.
  var programs = PeerIdentifier.path
  /// The bus that logind and polkit are on; `nil` for the system bus.
  var bus: String?

  enum Request: Hashable, Sendable {
    case run(DaemonOptions)
    /// Run as that helper.
    case identifyPrograms
    case printHelp
    case printVersion
  }

  static let help = """
    glissd: gives programs the input that they were granted, and nothing else.

    usage: glissd [<option> ...]

      --socket PATH   create the socket there (/run/gliss/org.gliss.Broker),
                      unless the service manager passes one
      --store FOLDER  keep grants and their audit there (/var/lib/gliss)
      --user UID      the seat is this user's, whatever session is active
      --no-logind     do not ask logind: the seat is the user's who owns the
                      active virtual terminal
      --bus ADDRESS   the D-Bus of logind and polkit, instead of the system's
      --programs PATH the socket of the helper that reads which programs other
                      users' processes run, and what confines them
                      (/run/gliss/programs)
      --identify-programs
                      run as that helper: needs CAP_SYS_PTRACE and the service
                      manager's socket, and nothing else
      --version       print the version
      --help          print this

    It must be able to read /dev/input: run it in group input, and as root only to
    try it. The signals TERM and INT end it; HUP makes it check the store again.

    """

  /// - Throws: if an option is invalid, with advice.
  static func parse(_ arguments: some Sequence<String>) throws(SystemError) -> Request {
    var options = DaemonOptions()
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = argument.hasPrefix("--") ? String(parts[0]) : argument
      let attached = argument.hasPrefix("--") && parts.count > 1 ? String(parts[1]) : nil
      switch name {
      case "--help", "-h", "--version", "--no-logind", "--identify-programs":
        guard attached == nil else { throw SystemError(name, "takes no value", advice: advice) }
        if name == "--version" { return .printVersion }
        if name == "--identify-programs" { return .identifyPrograms }
        if name != "--no-logind" { return .printHelp }
        options.ignoresLogind = true
      case "--socket", "--store", "--bus", "--user", "--programs":
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
          throw SystemError(name, "needs a value", advice: advice)
        }
        try options.set(name, value)
      case _: throw SystemError(argument, "unknown option", advice: advice)
      }
    }
    return .run(options)
  }

  private static let advice = "'glissd --help' lists the options"

  private mutating func set(_ name: String, _ value: String) throws(SystemError) {
    switch name {
    case "--socket": socket = try Self.path(name, value)
    case "--store": store = try Self.path(name, value)
    case "--programs": programs = try Self.path(name, value)
    case "--bus": bus = value
    case _:
      // -1 means no user
      guard let uid = UInt32(value), uid != .max else {
        throw SystemError(
          "\(name) \(value)", "is not a user's number", advice: "'id -u NAME' prints it")
      }
      user = uid
    }
  }

  /// A relative path would depend on where the service manager starts the process.
  private static func path(_ name: String, _ value: String) throws(SystemError) -> String {
    guard value.hasPrefix("/"), !value.utf8.contains(0) else {
      throw SystemError("\(name) \(value)", "is not a complete path", advice: "begin it with /")
    }
    return value
  }

  /// How to find out who is at the seat.
  func rule(hasLogind: Bool) -> SeatWatch.Rule {
    if let user { return .user(user) }
    return hasLogind && !ignoresLogind ? .logind(busAddress: bus) : .terminals
  }
}
