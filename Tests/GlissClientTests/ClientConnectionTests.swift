import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import Testing

@testable import GlissClient

/// Calls and answers, and whatever else a socket may bring.
@Suite struct ClientConnectionTests {
  private static let short = EventInterval.milliseconds(1)

  @Test func aCallIsAnsweredAndEndsWithANul() throws {
    let broker = try FakeBroker()
    broker.say(#"{"parameters":{"x":1}}"#)
    let answer = try broker.connection.call("a.b.C", ["y": 2])
    #expect(answer == ["x": 1])
    #expect(try broker.heard() == [["method": "a.b.C", "parameters": ["y": 2]]])
  }

  @Test func answersThatComeTogetherAreTakenOneByOne() throws {
    let broker = try FakeBroker()
    let connection = broker.connection
    broker.say(#"{"parameters":{"n":1}}"#, #"{}"#, #"{"parameters":null}"#)
    #expect(try connection.call("a.b.C") == ["n": 1])
    #expect(try connection.call("a.b.C") == [:])
    #expect(try connection.call("a.b.C") == [:])
  }

  /// In pieces of every length, from a thread that is as fast as it is.
  @Test(arguments: [1, 2, 3, 7]) func piecesAreOneMessage(_ length: Int) throws {
    let broker = try FakeBroker()
    let bytes = Array(#"{"parameters":{"text":"größer"}}"#.utf8) + [0]
    let code = BackgroundThread.start {
      for start in stride(from: 0, to: bytes.count, by: length) {
        broker.write(Array(bytes[start..<min(start + length, bytes.count)]))
      }
    }
    #expect(code == 0)
    #expect(try broker.connection.call("a.b.C") == ["text": "größer"])
  }

  @Test func noAnswerInTimeEndsTheConnection() throws {
    let broker = try FakeBroker()
    let connection = broker.connection
    #expect(throws: ClientError.timedOut) { try connection.call("a.b.C", timeout: Self.short) }
    // half an answer is none
    broker.write(Array(#"{"parameters"#.utf8))
    #expect(throws: ClientError.closed) { try connection.call("a.b.C", timeout: Self.short) }
  }

  @Test func halfAnAnswerIsNoneInTime() throws {
    let broker = try FakeBroker()
    broker.write(Array(#"{"parameters":{}"#.utf8))
    #expect(throws: ClientError.timedOut) {
      try broker.connection.call("a.b.C", timeout: Self.short)
    }
  }

  @Test func theEndOfABrokerIsReported() throws {
    let broker = try FakeBroker()
    broker.write(Array(#"{"parameters":{}"#.utf8))
    broker.hangUp()
    #expect(throws: ClientError.disconnected) { try broker.connection.call("a.b.C") }
  }

  @Test func closingEndsWhoeverWaits() throws {
    let broker = try FakeBroker()
    let connection = broker.connection
    let code = BackgroundThread.start {
      // once its call is here it waits, or is about to
      while (try? broker.heard())?.isEmpty != false { sched_yield() }
      connection.close()
    }
    #expect(code == 0)
    #expect(throws: ClientError.closed) { try connection.call("a.b.C", timeout: nil) }
  }

  @Test(
    arguments: [
      "", "nothing", "[]", "3", #"{"parameters":[]}"#, #"{"parameters":{}"#,
      #"{"parameters":{},"continues":true}"#, "{\"parameters\":\"\u{1}\"}",
    ])
  func garbageIsNoAnswer(_ text: String) throws {
    let broker = try FakeBroker()
    let connection = broker.connection
    broker.say(text, #"{"parameters":{}}"#)
    let error = #expect(throws: ClientError.self) { try connection.call("a.b.C") }
    #expect(error?.isMalformed == true)
    // what comes after it counts no more
    #expect(throws: ClientError.closed) { try connection.call("a.b.C") }
  }

  @Test func garbageOfBytesIsNoAnswer() throws {
    let broker = try FakeBroker()
    broker.write([0xff, 0xfe, 0x7b, 0])
    let error = #expect(throws: ClientError.self) { try broker.connection.call("a.b.C") }
    #expect(error?.isMalformed == true)
  }

  @Test func anAnswerWithoutEndIsNotKept() throws {
    let broker = try FakeBroker()
    let connection = broker.connection
    let code = BackgroundThread.start {
      let piece = [UInt8](repeating: 0x20, count: 65_536)
      for _ in 0..<32 { broker.write(piece) }
    }
    #expect(code == 0)
    let error = #expect(throws: ClientError.self) { try connection.call("a.b.C") }
    #expect(error?.isMalformed == true)
  }

  @Test func aCallThatIsTooLongIsNotSent() throws {
    let broker = try FakeBroker()
    let text = JSON.string(String(repeating: "a", count: 70_000))
    #expect(throws: ClientError.tooLong) { try broker.connection.call("a.b.C", ["x": text]) }
    #expect(try broker.heard().isEmpty)
  }

  @Test func aMissingBrokerIsReportedWithTheCommandToStartIt() {
    let path = "/run/gliss-test-nobody/socket"
    let error = #expect(throws: ClientError.self) { try BrokerConnection(path: path) }
    #expect(error == .noBroker(path: path, code: ENOENT))
    #expect("\(ClientError.noBroker(path: path, code: ENOENT))".contains("start it with"))
    for code in [EACCES, ENAMETOOLONG] {
      #expect(!"\(ClientError.noBroker(path: path, code: code))".contains("start it with"))
    }
    #expect(error?.description.hasPrefix("no broker is running: \(path): ") == true)
    #expect(throws: ClientError.noBroker(path: "", code: ENAMETOOLONG)) {
      try BrokerConnection(path: "")
    }
    let long = "/" + String(repeating: "a", count: 200)
    #expect(throws: ClientError.noBroker(path: long, code: ENAMETOOLONG)) {
      try BrokerConnection(path: long)
    }
  }
}

/// Each error of the interface files has its own case, and each says what to do.
@Suite struct ClientErrorTests {
  @Test(
    arguments: [
      (
        "org.gliss.Broker.NotGranted", #"{"standing":"denied","advice":"ask"}"#,
        .notGranted(.denied, advice: "ask")
      ),
      (
        "org.gliss.Broker.NotServed", #"{"state":"locked","advice":"unlock"}"#,
        .notServed(state: "locked", advice: "unlock")
      ),
      (
        "org.gliss.Broker.InvalidHotkey", #"{"offset":3,"length":2,"message":"no"}"#,
        .invalidHotkey(offset: 3, length: 2, message: "no")
      ),
      (
        "org.gliss.Broker.InvalidHotkey",
        #"{"parameter":"hotkeys[1].hotkey","offset":3,"length":2,"message":"no"}"#,
        .invalidHotkey(offset: 3, length: 2, message: "hotkeys[1].hotkey: no")
      ),
      (
        "org.gliss.Broker.HotkeyCouldType", #"{"hotkey":"a","advice":"hold ctrl"}"#,
        .hotkeyCouldType("a", advice: "hold ctrl")
      ),
      (
        "org.gliss.Broker.HotkeyTaken", #"{"hotkey":"super+a","holder":null}"#,
        .hotkeyTaken("super+a", holder: nil)
      ),
      (
        "org.gliss.Broker.HotkeyTaken",
        #"{"hotkey":"super+a","holder":"this program","conflict":"lsuper+a"}"#,
        .hotkeyTaken("super+a", holder: "this program", conflict: "lsuper+a")
      ),
      ("org.gliss.Broker.NoSuchMode", #"{"mode":"m"}"#, .noSuchMode("m")),
      (
        "org.gliss.Broker.LimitReached", #"{"limit":"hotkeys","maximum":256,"advice":"close"}"#,
        .limitReached("hotkeys", maximum: 256, advice: "close")
      ),
      (
        "org.gliss.Broker.SecureInputTaken", #"{"seconds":9.5}"#,
        .secureInputTaken(seconds: 9.5)
      ),
      (
        "org.gliss.Broker.CannotPress", #"{"keys":"'ö'","message":"no key"}"#,
        .cannotPress("'ö'", message: "no key")
      ),
      (
        "org.gliss.Broker.NoKeyboard", #"{"message":"none","advice":"plug one in"}"#,
        .noKeyboard("none", advice: "plug one in")
      ),
      ("org.gliss.Grants.NotAllowed", #"{"advice":"be root"}"#, .notAllowed(advice: "be root")),
      (
        "org.gliss.Grants.NobodyToAsk", #"{"advice":"sudo"}"#, .nobodyToAsk(advice: "sudo")
      ),
      ("org.gliss.Grants.NotFound", #"{"message":"none"}"#, .notFound("none")),
      (
        "org.gliss.Grants.Ambiguous", #"{"count":3,"advice":"all"}"#,
        .ambiguous(count: 3, advice: "all")
      ),
      (
        "org.gliss.Grants.Duplicate", #"{"id":7,"advice":"change it"}"#,
        .duplicate(7, advice: "change it")
      ),
      (
        "org.gliss.Grants.AlreadyMember", #"{"message":"it is in"}"#, .alreadyMember("it is in")
      ),
      (
        "org.gliss.Grants.Invalid", #"{"parameter":"expiry","message":"no"}"#,
        .invalidParameter("expiry", message: "no")
      ),
      ("org.gliss.Grants.Refused", #"{"message":"no"}"#, .refused("no", advice: nil)),
      (
        "org.varlink.service.InvalidParameter", #"{"parameter":"x"}"#,
        .invalidParameter("x", message: "it is not accepted")
      ),
      (
        "org.varlink.service.MethodNotFound", #"{"method":"a.b.C"}"#, .notImplemented("a.b.C")
      ),
      ("org.gliss.Broker.Later", #"{"a":1}"#, .other("org.gliss.Broker.Later", #"{"a":1}"#)),
      ("nonsense", "{}", .other("nonsense", "{}")),
      // what is missing or of another type is left out
      (
        "org.gliss.Broker.LimitReached", #"{"limit":3,"maximum":"many"}"#,
        .limitReached("", maximum: 0, advice: "")
      ),
    ] as [(String, String, ClientError)])
  func errorsHaveTheirCase(_ name: String, _ parameters: String, _ expected: ClientError) throws {
    let broker = try FakeBroker()
    broker.say(#"{"error":"\#(name)","parameters":\#(parameters)}"#)
    let connection = broker.connection
    #expect(throws: expected) { try connection.call("a.b.C") }
    #expect(!expected.description.isEmpty)
    // an error is an answer like any other
    broker.say(#"{"parameters":{}}"#)
    #expect(try connection.call("a.b.C") == [:])
  }
}
