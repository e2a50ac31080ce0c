import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys
import Testing

@testable import GlissClient

/// What follows something other than events: hotkeys, secure input.
@Suite struct ClientStreamTests {
  private let broker: FakeBroker

  init() throws { broker = try FakeBroker() }

  // MARK: Hotkeys

  private func event(_ phase: String, _ acts: Bool, in mode: String? = nil) -> String {
    #"{"parameters":{"event":{"time":1.5,"kind":"hotkey","hotkey":"super+t","#
      + (mode.map { #""mode":"\#($0)","# } ?? "")
      + #""phase":"\#(phase)","acts":\#(acts)}},"continues":true}"#
  }

  private static let registered = #"{"parameters":{"registered":"super+t"},"continues":true}"#

  @Test func aRemoteHotkeyIsReportedLikeALocalOne() throws {
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker])
    var told: [String] = []
    broker.say(Self.registered, event("pressed", true))
    let id = try hotkeys.register("meta+t") {
      [unowned hotkeys] event in
      told.append("\(event.phase.name) \(event.shouldAct) \(event.hotkey.rawValue)")
      if event.phase == .released { hotkeys.stop() }
    }
    #expect(hotkeys.hotkeys == [id: "super+t"] && told == [])
    try hotkeys.loop.wait(until: .zero)
    #expect(told == ["pressed true 1"])
    // stopped once, it can run again
    for expected in [["pressed true 1", "released false 1"], []] {
      broker.say(event("released", false))
      try hotkeys.run()
      if !expected.isEmpty { #expect(told == expected) }
    }
    #expect(told.count == 3)
    #expect(
      try broker.heard().first?["parameters"] == ["hotkey": "meta+t"])
  }

  @Test func oneThatIsGivenBackIsReleased() throws {
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker])
    var told: [String] = []
    broker.say(
      Self.registered, event("pressed", true, in: "m"), event("repeated", true, in: "m"))
    let id = try hotkeys.register("super+t", mode: "m") {
      [unowned hotkeys] event in
      told.append("\(event.phase.name) \(event.shouldAct)")
      if event.phase == .pressed { hotkeys.unregister(event.hotkey) }
    }
    try hotkeys.loop.wait(until: .zero)
    #expect(told == ["pressed true", "released false"])
    #expect(!hotkeys.unregister(id))
  }

  @Test func theSameKeysInTwoModesAreTwoHotkeys() throws {
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker])
    var told: [HotkeyID] = []
    broker.say(
      #"{"parameters":{"registered":["super+t","super+t","super+t"]},"continues":true}"#,
      event("pressed", true, in: "n"), event("pressed", true))
    let wishes = [("super+t", mode: "m"), ("super+t", mode: "n"), ("super+t", mode: nil)]
    let ids = try hotkeys.register(wishes, consuming: false) {
      told.append($0.hotkey)
    }
    try hotkeys.loop.wait(until: .zero)
    #expect(ids.count == 3 && told == [ids[1], ids[2]])
    #expect(
      try broker.heard().first?["parameters"] == [
        "hotkeys": [
          ["hotkey": "super+t", "mode": "m"], ["hotkey": "super+t", "mode": "n"],
          ["hotkey": "super+t"],
        ]
      ])
  }

  @Test func theModeThatEscapeHasLeftIsReported() throws {
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker])
    var left: [String] = []
    hotkeys.didLeaveMode = { left.append($0) }
    broker.say(Self.registered, #"{"parameters":{"left":"m"},"continues":true}"#)
    _ = try hotkeys.register("super+t", mode: "m") { _ in }
    try hotkeys.loop.wait(until: .zero)
    #expect(left == ["m"])
    #expect(hotkeys.hotkeys.count == 1)
  }

  @Test func theBrokersEndReleasesAndEndsIt() throws {
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker])
    var told: [String] = []
    broker.say(Self.registered, event("pressed", true))
    _ = try hotkeys.register("super+t") { event in
      told.append("\(event.phase.name) \(event.shouldAct)")
    }
    broker.hangUp()
    #expect(throws: ClientError.disconnected) { try hotkeys.run() }
    #expect(told == ["pressed true", "released false"])
    #expect(hotkeys.hotkeys.isEmpty)
  }

  @Test func aStopThatMeetsAnEndIsNotLost() throws {
    let second = try FakeBroker()
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker, second])
    broker.say(Self.registered, event("pressed", true))
    try hotkeys.register("super+t") { [unowned hotkeys] _ in hotkeys.stop() }
    broker.hangUp()
    #expect(throws: ClientError.disconnected) { try hotkeys.run() }
    second.say(Self.registered)
    try hotkeys.register("super+t") { _ in }
    try hotkeys.run()
    #expect(hotkeys.hotkeys.count == 1)
  }

  @Test func eachHotkeyThatEndsIsReported() throws {
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker])
    var ended: [ClientError] = []
    hotkeys.didEnd = { [unowned hotkeys] _, error in
      ended.append(error)
      hotkeys.stop()
    }
    broker.say(Self.registered)
    _ = try hotkeys.register("super+t") { _ in }
    broker.say(#"{"parameters":{"event":{"kind":"hotkey"}},"continues":true}"#)
    try hotkeys.run()
    #expect(ended == [.malformed("time: it is missing")])
  }

  @Test func aHotkeyThatIsTakenIsRefused() throws {
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker])
    broker.say(
      #"{"error":"org.gliss.Broker.HotkeyTaken","parameters":{"hotkey":"super+t","holder":"x"}}"#)
    #expect(throws: ClientError.hotkeyTaken("super+t", holder: "x")) {
      try hotkeys.register("super+t") { _ in }
    }
    #expect(hotkeys.hotkeys.isEmpty)
  }

  /// The broker knows only the process.
  @Test func aClashWithAnOwnHotkeyNamesIt() throws {
    let taken =
      #"{"error":"org.gliss.Broker.HotkeyTaken","parameters":{"hotkey":"super+t","holder":"x, 7"}}"#
    let (second, third) = (try FakeBroker(), try FakeBroker())
    let hotkeys = try RemoteHotkeys()
    connect(hotkeys, to: [broker, second, third])
    broker.say(Self.registered)
    try hotkeys.register("super+t", as: Self.name)
    second.say(taken)
    let own = ClientError.hotkeyTaken("super+t", holder: "this program, as a", conflict: "super+t")
    #expect(throws: own) {
      try hotkeys.register("super+t") { _ in }
    }
    // an own one of another mode is not in the way
    third.say(taken)
    #expect(throws: ClientError.hotkeyTaken("super+t", holder: "x, 7")) {
      try hotkeys.register("super+t", mode: "m") { _ in }
    }
  }

  private static let name = Hotkey.Name("a")

  /// Lets each of them answer one connection; no further one is made.
  private func connect(_ hotkeys: RemoteHotkeys, to brokers: [FakeBroker]) {
    var connections = brokers.map(\.connection)
    hotkeys.connect = { () throws(ClientError) in
      guard !connections.isEmpty else { throw .disconnected }
      return connections.removeFirst()
    }
  }

  /// Two named hotkeys over the first broker's connection, the second added over `second`.
  private func two(_ second: FakeBroker, _ others: FakeBroker...) throws -> RemoteHotkeys {
    let hotkeys = try RemoteHotkeys(path: "/no/such/broker")
    connect(hotkeys, to: [broker, second] + others)
    broker.say(Self.registered)
    try hotkeys.register("super+t", as: Hotkey.Name("one"))
    second.say(#"{"parameters":{"registered":["super+k"]}}"#)
    try hotkeys.register("super+k", as: Hotkey.Name("two"))
    return hotkeys
  }

  @Test func aHotkeyThatCouldNotBeReleasedIsReleasedWithTheNext() throws {
    let (second, silent, third) = (try FakeBroker(), try FakeBroker(), try FakeBroker())
    let hotkeys = try two(second, silent, third)
    silent.hangUp()
    #expect(hotkeys.unregister(Hotkey.Name("two")))
    third.say(#"{"parameters":{"released":1}}"#)
    // no broker is left for the new one
    #expect(throws: ClientError.disconnected) {
      try hotkeys.register("super+j", as: Hotkey.Name("two"))
    }
    for broker in [silent, third] {
      #expect(
        try broker.heard().map { $0["parameters"] } == [["hotkeys": [["hotkey": "super+k"]]]])
    }
  }

  /// An event of the first may still be on its way.
  @Test func aSecondRegistrationHasANewConnection() throws {
    let (second, release, third) = (try FakeBroker(), try FakeBroker(), try FakeBroker())
    let hotkeys = try two(second, release, third)
    var count = 0
    hotkeys.onPress(of: Hotkey.Name("two")) { count += 1 }
    release.say(#"{"parameters":{"released":1}}"#)
    #expect(hotkeys.unregister(Hotkey.Name("two")))
    third.say(Self.registered.replacing("super+t", with: "super+k"))
    try hotkeys.register("super+k", as: Hotkey.Name("two"))
    #expect(try third.heard().first?["method"] == "org.gliss.Broker.RegisterHotkey")
    broker.say(
      event("pressed", true).replacing("super+t", with: "super+k"), event("pressed", true))
    hotkeys.onPress(of: Hotkey.Name("one")) { [unowned hotkeys] in hotkeys.stop() }
    try hotkeys.run()
    #expect(count == 0)
  }

  @Test func aRegistrationAtTheEndOfAConnectionHasAnother() throws {
    let (second, third) = (try FakeBroker(), try FakeBroker())
    let hotkeys = try two(second, third)
    third.say(Self.registered)
    var ended = 0
    hotkeys.didEnd = { [unowned hotkeys] _, _ in
      ended += 1
      if ended == 1 { _ = try? hotkeys.register("super+t", as: Hotkey.Name("one")) }
      if ended == 2 { hotkeys.stop() }
    }
    broker.hangUp()
    try hotkeys.run()
    #expect(ended == 2 && Array(hotkeys.hotkeys.values) == ["super+t"])
    #expect(try third.heard().first?["method"] == "org.gliss.Broker.RegisterHotkey")
  }

  @Test func aRemoteHotkeyHasANameToo() throws {
    let hotkeys = try RemoteHotkeys(path: "/no/such/broker")
    connect(hotkeys, to: [broker])
    var told: [String] = []
    hotkeys.onPress(of: Self.name) { told.append("pressed") }
    hotkeys.onRelease(of: Self.name) { told.append("released") }
    broker.say(Self.registered, event("pressed", true))
    let id = try hotkeys.register("meta+t", as: Self.name)
    try hotkeys.loop.wait(until: .zero)
    #expect(told == ["pressed"] && hotkeys.hotkeys == [id: "super+t"])
    #expect(
      try broker.heard().first?["parameters"] == ["hotkey": "super+t"])
    #expect(hotkeys.unregister(Self.name) && !hotkeys.unregister(Self.name))
    #expect(told == ["pressed", "released"] && hotkeys.hotkeys.isEmpty)
  }

  @Test func aNameLosesTheHotkeyThatIsUnregisteredByItsNumber() throws {
    let hotkeys = try RemoteHotkeys(path: "/no/such/broker")
    connect(hotkeys, to: [broker])
    broker.say(Self.registered, event("pressed", true))
    try hotkeys.register("super+t", as: Self.name)
    var nameAtRelease: Hotkey?
    hotkeys.onRelease(of: Self.name) { [unowned hotkeys] in
      nameAtRelease = hotkeys.named[Self.name]
    }
    #expect(hotkeys.unregister(try #require(hotkeys.hotkeys.keys.first)))
    #expect(nameAtRelease == nil && hotkeys.named.all.isEmpty)
  }

  @Test func aNameLosesTheHotkeyThatTheBrokerEnds() throws {
    let hotkeys = try RemoteHotkeys(path: "/no/such/broker")
    connect(hotkeys, to: [broker])
    broker.say(Self.registered)
    try hotkeys.register("super+t", as: Self.name)
    #expect(hotkeys.named[Self.name] != nil)
    broker.hangUp()
    #expect(throws: ClientError.disconnected) { try hotkeys.run() }
    #expect(hotkeys.named[Self.name] == nil)
    let error = #expect(throws: ClientError.self) {
      try hotkeys.register("supper+t", as: Self.name)
    }
    guard case .invalidHotkey(0, 6, let message)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("super"))
  }

  @Test func namedHotkeysThatNeedTheSameShareAConnection() throws {
    let hotkeys = try RemoteHotkeys(path: "/no/such/broker")
    let (second, third) = (try FakeBroker(), try FakeBroker())
    connect(hotkeys, to: [broker, second, third])
    var told: [String] = []
    hotkeys.onPress(of: Hotkey.Name("one")) { told.append("one") }
    hotkeys.onPress(of: Hotkey.Name("two")) { told.append("two") }
    broker.say(Self.registered)
    try hotkeys.register("super+t", as: Hotkey.Name("one"))
    second.say(#"{"parameters":{"registered":["super+k"]}}"#)
    try hotkeys.register("super+k", as: Hotkey.Name("two"), mode: "m")
    #expect(
      try second.heard().map { $0["parameters"] } == [
        [
          "beside": ["hotkey": "super+t"], "hotkeys": [["hotkey": "super+k", "mode": "m"]],
          "consume": false,
        ]
      ])
    #expect(second.isLeft(within: 1000))
    // both come over the first connection
    broker.say(
      event("pressed", true),
      event("pressed", true, in: "m").replacing("super+t", with: "super+k"))
    hotkeys.onPress(of: Hotkey.Name("two")) { [unowned hotkeys] in hotkeys.stop() }
    try hotkeys.run()
    #expect(told == ["one", "two"])
    // what may end by itself has a connection of its own
    third.say(#"{"parameters":{"registered":"k"},"continues":true}"#)
    try hotkeys.register("k", as: Hotkey.Name("three"))
    #expect(try third.heard().first?["method"] == "org.gliss.Broker.RegisterHotkey")
    #expect(hotkeys.hotkeys.count == 3)
  }

  @Test func namedHotkeysThatRestOnOtherGrantsHaveAConnectionEach() throws {
    let hotkeys = try RemoteHotkeys(path: "/no/such/broker")
    let (second, third) = (try FakeBroker(), try FakeBroker())
    connect(hotkeys, to: [broker, second, third])
    broker.say(Self.registered)
    try hotkeys.register("super+t", as: Hotkey.Name("one"))
    second.say(
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"beside"}}"#)
    third.say(#"{"parameters":{"registered":"super+k"},"continues":true}"#)
    try hotkeys.register("super+k", as: Hotkey.Name("two"))
    #expect(hotkeys.hotkeys.values.sorted() == ["super+k", "super+t"])
  }

  // MARK: Holds

  @Test func secureInputLastsUntilItIsLetGo() throws {
    broker.say(#"{"parameters":{"seconds":120},"continues":true}"#)
    do {
      let hold = try SecureInputHold(as: "pinentry", over: broker.connection)
      #expect(hold.seconds == 120)
      #expect(try !hold.waitUntilOver(timeout: .zero))
      broker.say(#"{"parameters":{"over":true}}"#)
      #expect(try hold.waitUntilOver())
      hold.release()
    }
    #expect(broker.isLeft())
  }

  @Test func aLockThatIsNoneIsAnError() throws {
    broker.say(#"{"parameters":{"locked":false},"continues":true}"#)
    let error = #expect(throws: ClientError.self) {
      _ = try ScreenLockHold(over: broker.connection)
    }
    #expect(error == .malformed("the screen is not locked"))
  }
}
