import Foundation
import GlissBroker
import GlissDevices
import GlissEvents
import GlissHotkeys
import Synchronization
import TestSupport
import Testing

@testable import GlissAgent
@testable import GlissConfiguration

@Suite struct ActionWorkerTests {
  private func thread(
    _ said: SaidLines, _ scratch: Scratch,
    press: (@Sendable (KeyOrder) throws(ActionFailure) -> Void)? = nil
  ) throws -> ActionWorker {
    try ActionWorker(
      ActionWorker.Context(
        environment: ["HOME=\(scratch.path)", "PATH=/usr/bin:/bin"],
        bus: nil, runtimeFolder: scratch.path), log: said.log(), press: press)
  }

  @Test func errandsAreDoneInTheirOrder() throws {
    let (said, pressed) = (SaidLines(), SaidLines())
    let scratch = try Scratch()
    let thread = try thread(said, scratch) { order throws(ActionFailure) in
      let text =
        switch order {
        case .move(let way): "move \(way.x) \(way.y)"
        case .press(let chords): chords.map { "\($0)" }.joined(separator: " ")
        case .hold(let chords, let holder): "hold \(chords[0].textToPress) \(holder)"
        case .release(let holder): "release \(holder)"
        }
      pressed.log().report(.notice, text)
    }
    let alt = try Chord.chords(toPress: "alt")
    func add(_ verb: Action.Verb, times: Int = 1) {
      thread.add(.act(Action(verb, place: .line(1)), times: times, .tap()))
    }
    add(.hold(alt))
    for chord in ["super+left", "super+right"] {
      add(.keys(try Hotkey(chord).chords), times: 2)
    }
    add(.letGo(alt))
    add(.notify(summary: "Hello", body: "you"))
    thread.finish()
    let chords = ["super+left", "super+left", "super+right", "super+right"]
    #expect(pressed.all == ["hold alt 0"] + chords + ["release 0"])
    #expect(said.all == ["test: Hello: you (there is no desktop to show it)"])
  }

  @Test func whyKeysAreNotPressedIsSaidOnce() throws {
    let said = SaidLines()
    let scratch = try Scratch()
    let thread = try thread(said, scratch) { _ throws(ActionFailure) in
      throw ActionFailure("nobody granted it; gliss grants grant x")
    }
    for _ in 0..<3 { thread.add(.act(Action(.keys([]), place: .line(1)), times: 5, .tap())) }
    thread.finish()
    #expect(
      said.all == [
        "test: its keys are not pressed: nobody granted it; gliss grants grant x"
      ])
  }

  @Test func actionsBeyondTheLimitAreLeftOutAndCounted() {
    let queue = ActionQueue()
    for place in 1...ActionQueue.capacity { #expect(queue.append(.log(.info, "")) == place) }
    for _ in 0..<7 { #expect(queue.append(.log(.info, "")) == nil) }
    let (requests, leftOut) = queue.takeRequests()
    #expect(requests.count == ActionQueue.capacity)
    #expect(leftOut == 7)
    #expect(queue.append(.log(.info, "")) == 1)
  }

  @Test func commandsThatRunGoOn() throws {
    let said = SaidLines()
    let scratch = try Scratch()
    mkfifo(scratch.file("gate"), 0o600)
    let thread = try thread(said, scratch)
    thread.add(
      .act(
        Action(
          .run(Command(.shell("echo $$ > pid; read x < gate; echo on > out"))), place: .line(1)),
        times: 1, .tap()))
    thread.finish()
    #expect(said.all == ["1 command still runs, and goes on by itself"])
    let gate = open(scratch.file("gate"), O_RDWR)
    defer { close(gate) }
    _ = write(gate, "go\n", 3)
    try wait(for: "the command to go on") { scratch.text("out") == "on\n" }
    try scratch.reap("pid")
  }
}

@Suite struct EmitterTests {
  private let context = ActionContext.tap(on: "Pad")

  // the agent ignores it as well
  init() { signal(SIGPIPE, SIG_IGN) }

  private func read(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
  }

  @Test func aLineGoesIntoAFIFOThatSomebodyReads() throws {
    let scratch = try Scratch()
    let said = SaidLines()
    mkfifo(scratch.file("fifo"), 0o600)
    let emitter = Emitter(said.log(), NamedFolders(home: scratch.path, runtime: nil))
    let emission = Emission(path: "~/fifo", line: "left")
    // nobody reads: nothing waits, and it is said once
    for _ in 0..<3 { emitter.emit(emission, context) }
    #expect(said.all == ["test: no line can be sent to \(scratch.file("fifo")): nobody reads it"])
    var reader = open(scratch.file("fifo"), O_RDONLY | O_NONBLOCK)
    emitter.emit(emission, context)
    emitter.emit(emission, context)
    #expect(read(reader) == "left\nleft\n")
    close(reader)
    emitter.emit(emission, context)
    #expect(said.all.count == 2)
    reader = open(scratch.file("fifo"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    emitter.emit(emission, context)
    #expect(read(reader) == "left\n")
  }

  @Test func withoutALineTheEventIsWritten() throws {
    let scratch = try Scratch()
    mkfifo(scratch.file("fifo"), 0o600)
    let reader = open(scratch.file("fifo"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let emitter = Emitter(SaidLines().log(), NamedFolders(home: "/", runtime: scratch.path))
    emitter.emit(Emission(path: "$XDG_RUNTIME_DIR/fifo", line: nil), .tap(on: "Pad \"1\"\n"))
    let line = read(reader)
    #expect(
      line.hasPrefix(
        "{\"time\":0.000000,\"device\":\"Pad \\\"1\\\"\\u000a\",\"kind\":\"gesture\",\"gesture\":\"tap\""
      ))
    #expect(line.filter { $0 == "\n" }.count == 1)
  }

  @Test func aReaderThatDoesNotReadKeepsNobodyWaiting() throws {
    let scratch = try Scratch()
    let said = SaidLines()
    mkfifo(scratch.file("fifo"), 0o600)
    let reader = open(scratch.file("fifo"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let emitter = Emitter(said.log(), NamedFolders(home: scratch.path, runtime: nil))
    let emission = Emission(path: "~/fifo", line: String(repeating: "x", count: 1000))
    for _ in 0..<200 { emitter.emit(emission, context) }
    #expect(said.all.count == 1)
    #expect(said.contains("its reader is too slow"))
  }

  @Test func onlyFIFOsAndSocketsAreWrittenTo() throws {
    let scratch = try Scratch()
    let said = SaidLines()
    try scratch.write("old", to: "file")
    let emitter = Emitter(said.log(), NamedFolders(home: scratch.path, runtime: nil))
    for path in ["~/file", "~", "/dev/null", "~/none"] {
      emitter.emit(Emission(path: path, line: "x"), context)
    }
    #expect(said.all.count == 4)
    #expect(said.all.prefix(3).allSatisfy { $0.contains("neither a FIFO nor a socket") })
    #expect(scratch.text("file") == "old")
  }

  @Test func aLineGoesIntoASocket() throws {
    let scratch = try Scratch()
    let said = SaidLines()
    let socket = try OwnSocket(scratch.file("socket"))
    let emitter = Emitter(said.log(), NamedFolders(home: scratch.path, runtime: nil))
    emitter.emit(Emission(path: "~/socket", line: "one"), context)
    emitter.emit(Emission(path: "~/socket", line: "two"), context)
    let connection = accept(socket.descriptor, nil, nil)
    defer { close(connection) }
    #expect(read(connection) == "one\ntwo\n")
    #expect(said.all.isEmpty)
  }

  /// The old reader may be there still.
  @Test func aFIFOInAnothersPlaceGetsTheLinesFromThenOn() throws {
    let scratch = try Scratch()
    let said = SaidLines()
    let emitter = Emitter(said.log(), NamedFolders(home: scratch.path, runtime: nil))
    var readers: [Int32] = []
    defer { for reader in readers { close(reader) } }
    for _ in 0..<2 {
      unlink(scratch.file("fifo"))
      mkfifo(scratch.file("fifo"), 0o600)
      readers.append(open(scratch.file("fifo"), O_RDONLY | O_NONBLOCK))
      emitter.emit(Emission(path: "~/fifo", line: "\(readers.count)"), context)
    }
    #expect(read(readers[0]) == "1\n")
    #expect(read(readers[1]) == "2\n")
    #expect(said.all.isEmpty)
    unlink(scratch.file("fifo"))
    emitter.emit(Emission(path: "~/fifo", line: "3"), context)
    #expect(read(readers[1]) == "")
    #expect(said.all.count == 1)
  }

  @Test func aSocketInAnothersPlaceGetsTheLinesFromThenOn() throws {
    let scratch = try Scratch()
    let said = SaidLines()
    let emitter = Emitter(said.log(), NamedFolders(home: scratch.path, runtime: nil))
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    for path in ["first", "second"] {
      let socket = try OwnSocket(scratch.file(path))
      // where the last one stands
      rename(scratch.file(path), scratch.file("socket"))
      emitter.emit(Emission(path: "~/socket", line: path), context)
      #expect(fcntl(socket.descriptor, F_SETFL, O_NONBLOCK) == 0)
      let connection = accept(socket.descriptor, nil, nil)
      #expect(connection >= 0)
      connections.append(connection)
      #expect(read(connection) == "\(path)\n")
    }
    #expect(said.all.isEmpty)
  }
}
