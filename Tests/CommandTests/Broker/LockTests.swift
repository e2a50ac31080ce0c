import Foundation
import Glibc
import GlissEvents
import Synchronization
import Testing

/// `gliss lock -- COMMAND`.
@Suite(.timeLimit(.minutes(15))) struct LockTests {
  private func locking() throws -> FakeBroker {
    try FakeBroker { _ in .stream([["locked": true]]) }
  }

  @Test(
    arguments: [
      ("true", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137),
      // SIGPIPE is not ignored there, though we ignore it
      ("kill -PIPE $$; exit 3", 141),
    ] as [(String, Int32)])
  func itsStatusIsTheCommands(_ script: String, _ status: Int32) throws {
    let broker = try locking()
    let command = try Command.run(broker, "lock", "--", "/bin/sh", "-c", script)
    #expect(command.status == status && command.errors == "")
    #expect(broker.calls.map(\.method) == ["org.gliss.Grants.Lock"])
  }

  @Test func theCommandRunsWhileTheLockIsHeld() throws {
    let broker = try locking()
    let command = try Command.run(
      broker, "lock", "--", "/bin/sh", "-c", "test -S \(broker.path) && echo held")
    #expect(command.output == "held\n")
  }

  @Test(arguments: [("/no/such/locker", 127), ("/etc/passwd", 126)] as [(String, Int32)])
  func aCommandThatCannotBeRunIsSaidSo(_ path: String, _ status: Int32) throws {
    let command = try Command.run(try locking(), "lock", "--", path)
    #expect(command.status == status)
    #expect(command.errors.hasPrefix("gliss: \(path): "))
  }

  @Test(arguments: [[], ["--anyway"]]) func theCommandRunsWhateverTheBrokerSays(
    _ options: [String]
  ) throws {
    let broker = try FakeBroker { _ in
      .error("org.gliss.Broker.NotServed", ["state": "inactive", "advice": "go there"])
    }
    let arguments = ["lock"] + options + ["--", "/bin/sh", "-c", "echo ran; exit 4"]
    let command = try Command.run(
      try Command.process(arguments, environment: ["GLISS_SOCKET": broker.path]))
    #expect(command.status == 4 && command.output == "ran\n")
    #expect(command.errors.contains("go there"))
    #expect(command.errors.contains("may be shown input while the screen is locked"))
  }

  @Test func theCommandRunsWithoutABroker() throws {
    let folder = try TemporaryFolder()
    let command = try Command.run(
      "lock", "--", "/bin/sh", "-c", "echo ran; exit 4",
      environment: ["GLISS_SOCKET": folder.url.appending(path: "none").path])
    #expect(command.status == 4 && command.output == "ran\n")
    #expect(command.errors.contains("no broker is running"))
    #expect(command.errors.contains("trying again"))
  }

  @Test func aBrokerThatNeverAnswersIsNotWaitedForLong() throws {
    let command = try Command.run(
      try FakeBroker { _ in .silence }, "lock", "--", "/bin/sh", "-c", "echo ran; exit 4")
    #expect(command.status == 4 && command.output == "ran\n")
    #expect(command.errors.contains("trying again"))
  }

  @Test func aLockThatTheBrokerRefusesIsHadLater() throws {
    let calls = Mutex(0)
    let broker = try FakeBroker { _ in
      let number = calls.withLock { count in
        count += 1
        return count
      }
      return number == 1
        ? .error("org.gliss.Broker.NotServed", ["state": "inactive", "advice": "go there"])
        : .stream([["locked": true]])
    }
    let process = try Command.process(
      ["lock", "--", "/bin/sh", "-c", "read line"], environment: ["GLISS_SOCKET": broker.path])
    let (input, errors) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardError = errors
    try process.run()
    var said = ""
    while !said.contains("held again") {
      let data = errors.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      said += String(decoding: data, as: UTF8.self)
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGQUIT])
  func signalsAreHandedOn(_ signal: Int32) throws {
    let broker = try locking()
    // waits for a signal without a moment in which one could be lost
    let script = """
      import signal, sys
      signals = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGQUIT}
      signal.pthread_sigmask(signal.SIG_BLOCK, signals)
      print("ready", flush=True)
      print(signal.Signals(signal.sigwait(signals)).name, flush=True)
      sys.exit(9)
      """
    let process = try Command.process(
      ["lock", "--", "/usr/bin/python3", "-c", script],
      environment: ["GLISS_SOCKET": broker.path])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n")
    kill(process.processIdentifier, signal)
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 9)
    let names = [
      SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP", SIGUSR1: "SIGUSR1",
      SIGQUIT: "SIGQUIT",
    ]
    #expect(String(decoding: said, as: UTF8.self) == "\(names[signal] ?? "")\n")
  }

  @Test func aLockThatBreaksIsHadAgain() throws {
    let broker = try locking()
    let process = try Command.process(
      ["lock", "--", "/bin/sh", "-c", "echo ready; read line"],
      environment: ["GLISS_SOCKET": broker.path])
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    _ = output.fileHandleForReading.availableData
    broker.hangUp()
    var said = ""
    while !said.contains("held again") {
      let data = errors.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      said += String(decoding: data, as: UTF8.self)
    }
    #expect(said.contains("THE LOCK WAS LOST"))
    #expect(broker.calls.count == 2)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  @Test func aCommandInTheBackgroundIsWaitedFor() throws {
    let broker = try locking()
    let folder = try TemporaryFolder()
    let pipe = folder.url.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let process = try Command.process(
      ["lock", "--", "/bin/sh", "-c", "(read line < \(pipe)) & exit 5"],
      environment: ["GLISS_SOCKET": broker.path])
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains("background"))
    #expect(process.isRunning && broker.connectionCount == 1)
    try Data("x\n".utf8).write(to: URL(filePath: pipe))
    process.waitUntilExit()
    #expect(process.terminationStatus == 5)
  }
}
