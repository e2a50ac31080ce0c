import Foundation

/// A D-Bus daemon of the test's own, with a stand-in for systemd's locale1 on it.
final class PrivateBus {
  private static let python = "/usr/bin/python3"
  private static let daemon = "/usr/bin/dbus-daemon"

  /// Whether dbus-daemon and Python's dbus and gi are installed.
  static let isAvailable: Bool = {
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

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let address: String
  private let folder: URL
  private var processes: [Process] = []

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let socket = folder.appending(path: "socket").path
    let configuration = folder.appending(path: "bus.conf")
    try """
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*"/>
        <allow receive_sender="*"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(to: configuration, atomically: false, encoding: .utf8)
    address = "unix:path=\(socket)"
    try start(
      Self.daemon,
      ["--nofork", "--nopidfile", "--print-address=1", "--config-file=\(configuration.path)"])
  }

  deinit {
    for process in processes.reversed() {
      // a thread of Dispatch starts it, and it inherits that SIGTERM is blocked
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Puts a locale1 on the bus.
  ///
  /// - Parameter answer: what GetAll gives, as a Python expression; `None` for a service that never answers.
  func serveLocale(_ answer: String) throws {
    try start(Self.python, ["-c", Self.service, address, answer])
  }

  /// Starts a program and waits for its first line.
  private func start(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = output
    // the daemon complains where it may not raise its limit of descriptors
    process.standardError = FileHandle.nullDevice
    try process.run()
    processes.append(process)
    if output.fileHandleForReading.availableData.isEmpty {
      throw Failure(description: "\(program) ended before it was ready")
    }
  }

  private static let service = """
    import sys
    import dbus, dbus.service, dbus.mainloop.glib
    from gi.repository import GLib

    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(sys.argv[1])
    answer = eval(sys.argv[2])

    class Locale(dbus.service.Object):
        @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s",
                             out_signature="a{sv}", async_callbacks=("done", "failed"))
        def GetAll(self, interface, done, failed):
            if interface != "org.freedesktop.locale1":
                failed(ValueError(interface))
            elif answer is not None:
                done(answer)

    name = dbus.service.BusName("org.freedesktop.locale1", bus)
    locale = Locale(bus, "/org/freedesktop/locale1")
    print("ready", flush=True)
    GLib.MainLoop().run()
    """
}
