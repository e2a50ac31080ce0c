import Glibc
import GlissEvents

/// `glissd`: the process that owns the devices.
public enum GlissDaemon {
  /// Serves until a signal ends it. Exits with 0 then, with 1 if it cannot serve, and with 2 if the
  /// command line is invalid.
  public static func main() { exit(run(CommandLine.arguments.dropFirst())) }

  static func run(_ arguments: some Sequence<String>) -> Int32 {
    do throws(BrokerError) {
      switch try DaemonOptions.parse(arguments) {
      case .printHelp: print(DaemonOptions.help, terminator: "")
      case .printVersion: print("glissd \(Release.version)")
      case .run(let options): return serve(options)
      case .tellPrograms:
        let sockets = try ServiceManager.sockets(of: SOCK_SEQPACKET)
        guard let socket = sockets.first else {
          throw BrokerError(
            "--tell-programs", "needs the service manager's socket",
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
      try Serving(options).run()
      return 0
    } catch {
      DaemonProcess.say("\(error)", priority: 3)
      return 1
    }
  }
}
