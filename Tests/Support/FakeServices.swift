import Foundation

/// A D-Bus daemon of the test's own, with a stand-in for a service on it that does what it is told.
package final class FakeServices {
  private static let python = "/usr/bin/python3"
  private static let daemon = "/usr/bin/dbus-daemon"

  /// Whether dbus-daemon and Python's dbus and gi are installed.
  package static let isAvailable: Bool = {
    guard FileManager.default.isExecutableFile(atPath: daemon),
      FileManager.default.isExecutableFile(atPath: python)
    else { return false }
    let check = Process()
    check.executableURL = URL(filePath: python)
    check.arguments = ["-c", "import dbus.service, dbus.mainloop.glib, gi.repository.GLib"]
    check.standardError = FileHandle.nullDevice
    guard (try? check.run()) != nil else { return false }
    check.waitUntilExit()
    return check.terminationStatus == 0
  }()

  package struct Failure: Error { var description: String }

  package let address: String
  private let folder: URL
  private var bus: Process?
  private var service: Process?
  private var orders = Pipe()
  private var answers = Pipe()

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    address = "unix:path=\(folder.appending(path: "socket").path)"
    try startBus()
  }

  deinit {
    endService()
    endBus()
    try? FileManager.default.removeItem(at: folder)
  }

  package func startBus() throws {
    let file = folder.appending(path: "bus.conf")
    try """
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*"/>
        <allow receive_sender="*"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(to: file, atomically: false, encoding: .utf8)
    let output = Pipe()
    bus = try Self.run(
      Self.daemon, ["--nofork", "--nopidfile", "--print-address=1", "--config-file=\(file.path)"],
      Pipe(), output)
  }

  package func endBus() {
    Self.end(bus)
    bus = nil
  }

  /// Puts the service of that script on the bus; it waits for ``order(_:)``.
  package func serve(_ script: String) throws {
    orders = Pipe()
    answers = Pipe()
    service = try Self.run(
      Self.python, ["-c", Self.frame.replacing("SERVICE", with: script), address], orders, answers)
  }

  package func endService() {
    Self.end(service)
    service = nil
  }

  /// Runs a line of Python in the service, and waits until it has.
  package func order(_ line: String) throws {
    try orders.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    let answer = String(decoding: answers.fileHandleForReading.nextData, as: UTF8.self)
    guard answer.hasPrefix("done") else { throw Failure(description: "\(line): \(answer)") }
  }

  /// Starts a program and waits for its first line.
  private static func run(
    _ program: String, _ arguments: [String], _ input: Pipe, _ output: Pipe
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    // the daemon complains where it may not raise its limit of descriptors
    process.standardError = FileHandle.nullDevice
    try process.run()
    if output.fileHandleForReading.nextData.isEmpty {
      throw Failure(description: "\(program) ended before it was ready")
    }
    return process
  }

  private static func end(_ process: Process?) {
    guard let process else { return }
    // a thread of Dispatch starts it, and it inherits that SIGTERM is blocked
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static let frame = """
    import sys, traceback
    import dbus, dbus.service, dbus.mainloop.glib
    from gi.repository import GLib

    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(sys.argv[1])
    def say(line):
        # print writes an unbuffered line in two pieces
        sys.stdout.write(line + "\\n")
        sys.stdout.flush()
    PROPERTIES = "org.freedesktop.DBus.Properties"

    SERVICE

    def take(*_):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        try:
            exec(line, globals())
            bus.flush()
            say("done")
        except Exception:
            say(traceback.format_exc())
        return True

    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, take)
    say("ready")
    loop = GLib.MainLoop()
    loop.run()
    """
}
