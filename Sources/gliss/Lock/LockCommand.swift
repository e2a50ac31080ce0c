import ArgumentParser
import Gliss

/// `gliss lock -- COMMAND`: tells the broker that the screen is locked while a locker runs.
struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Run a screen locker, and show no program anything meanwhile.",
    usage: "gliss lock [--socket <path>] -- <command> [<argument> ...]",
    discussion: """
      For lockers that do not tell logind that the screen is locked. First the broker
      is asked, and then the command runs in any case. If the broker is not there or
      does not agree, programs may be shown input meanwhile: that is said on standard
      error, and it is tried again while the command runs. Signals are handed on to
      it, and its status is the status of this. If it puts itself into the
      background, this waits until that has ended too.

      EXAMPLES
        gliss lock -- swaylock
        gliss lock -- i3lock --nofork --color 000000

      EXIT STATUS
        1    the system did not let this wait for the command
        126  the command cannot be run
        127  there is no such command
        else the command's own, or 128 and the number of the signal that ended it
      """)

  /// Ignored; kept for compatibility. The command now always runs without the broker too.
  @Flag(help: .hidden)
  var anyway = false

  @OptionGroup var broker: BrokerOptions

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The locker and its arguments, behind --.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    guard let name = command.first, !name.isEmpty else {
      throw ValidationError("name the locker behind --, as in: gliss lock -- swaylock")
    }
  }

  func run() throws {
    let status: Int32
    do throws(DeviceError) {
      status = try Locking(path: broker.path, command: command).run()
    } catch {
      Diagnostics.say("\(error)".printable)
      throw ExitCode(ExitStatus.failed)
    }
    if status != ExitStatus.done { throw ExitCode(status) }
  }
}
