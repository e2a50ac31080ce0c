import Foundation
import GlissEvents
import GlissHotkeys
import GlissSession
import TestSupport
import Testing

extension Hotkey.Name {
  fileprivate static let openTerminal = Self("openTerminal")
  fileprivate static let louder = Self("louder")
}

/// Hotkeys under the names that a program has for them.
@Suite struct NamedHotkeyTests {
  private let hotkeys = Session()
  private let log = Log()
  private let keyboard: DeviceID

  private final class Log { var lines: [String] = [] }

  init() { keyboard = hotkeys.add(Device(name: "Keys", keys: [.t, .k, .leftSuper, .volumeUp])) }

  private func send(_ key: Key, _ value: Int32) {
    hotkeys.process(.key(key, value, at: EventTime(microseconds: 1000)), from: keyboard)
  }

  private func pressSuper(_ key: Key) {
    for (key, value) in [(Key.leftSuper, Int32(1)), (key, 1), (key, 0), (.leftSuper, 0)] {
      send(key, value)
    }
  }

  private func follow(_ name: Hotkey.Name) {
    hotkeys.onPress(of: name) { [log] in log.lines.append("\(name) pressed") }
    hotkeys.onRelease(of: name) { [log] in log.lines.append("\(name) released") }
    hotkeys.onRepeat(of: name) { [log] in log.lines.append("\(name) repeated") }
  }

  @Test func aTokenThatIsRenewedKeepsTheHotkey() throws {
    var token = try hotkeys.hold(Hotkey(.t, .super), as: .openTerminal)
    token = try hotkeys.hold(Hotkey(.t, .super), as: .openTerminal)
    #expect(hotkeys.hotkeys.count == 1)
    withExtendedLifetime(token) {}
    // and one that is registered for good is not held any more
    try hotkeys.register("super+t", as: .openTerminal)
    token = try hotkeys.hold(Hotkey(.k, .super), as: .louder)
    #expect(hotkeys.hotkeys.count == 2)
    withExtendedLifetime(token) {}
  }

  /// Its key is held while the name gets another hotkey.
  @Test func aHotkeyRegisteredByTheReleaseOfTheOldOneIsNotLeftBehind() throws {
    try hotkeys.register("super+t", as: .openTerminal)
    hotkeys.onRelease(of: .openTerminal) { [weak hotkeys] in
      _ = try? hotkeys?.register("super+volumeup", as: .openTerminal)
    }
    send(.leftSuper, 1)
    send(.t, 1)
    try hotkeys.register("super+k", as: .openTerminal)
    #expect(hotkeys.hotkeys.count == 1)
    #expect(hotkeys.unregister(.openTerminal))
    #expect(hotkeys.hotkeys.count == 0)
  }

  @Test func aHotkeyUnregisteredByItsNumberCanBeRegisteredAgain() throws {
    follow(.openTerminal)
    try hotkeys.register("super+t", as: .openTerminal)
    #expect(hotkeys.unregisterHotkey(hotkeys.hotkeys[0].id))
    #expect(hotkeys.named.all.isEmpty)
    try hotkeys.register("super+t", as: .openTerminal)
    pressSuper(.t)
    #expect(log.lines == ["openTerminal pressed", "openTerminal released"])
  }

  @Test func aHeldHotkeyStaysHeldIfTheNameCannotHaveAnother() throws {
    follow(.openTerminal)
    try hotkeys.register("super+t", as: .openTerminal)
    try hotkeys.register("super+k", as: .louder)
    send(.leftSuper, 1)
    send(.t, 1)
    let error = #expect(throws: HotkeyError.self) {
      try hotkeys.register("super+k", as: .openTerminal)
    }
    #expect(error.map { "\($0)" } == "super+k is taken by louder")
    #expect(log.lines == ["openTerminal pressed"])
    #expect(hotkeys.hotkeys.map(\.owner) == ["openTerminal", "louder"])
    send(.t, 0)
    #expect(log.lines == ["openTerminal pressed", "openTerminal released"])
  }

  @Test func aTokenCanEndEarly() throws {
    let token = try hotkeys.hold("super+t", as: .openTerminal)
    token.end()
    #expect(hotkeys.hotkeys.isEmpty)
    try hotkeys.register("super+k", as: .openTerminal)
    token.end()
    #expect(hotkeys.named[.openTerminal] == Hotkey(.k, .super))
  }

  @Test func handlersBelongToTheNameNotToTheHotkey() throws {
    follow(.openTerminal)
    pressSuper(.t)
    #expect(log.lines.isEmpty)
    try hotkeys.register("super+t", as: .openTerminal)
    pressSuper(.t)
    #expect(log.lines == ["openTerminal pressed", "openTerminal released"])
    try hotkeys.register(Hotkey(.k, .super), as: .openTerminal)
    pressSuper(.t)
    #expect(log.lines.count == 2 && hotkeys.hotkeys.count == 1)
    pressSuper(.k)
    #expect(log.lines.count == 4)
    var count = 0
    let token = hotkeys.onPress(of: .openTerminal) { count += 1 }
    hotkeys.onRelease(of: .openTerminal) { token.remove() }
    for _ in 0..<3 { pressSuper(.k) }
    #expect(count == 1 && log.lines.count == 10)
    hotkeys.named.removeHandlers(of: .openTerminal)
    pressSuper(.k)
    #expect(log.lines.count == 10)
  }

  @Test func aHandlerThatAnotherRemovesIsNotCalledForThatEvent() throws {
    try hotkeys.register("super+t", as: .openTerminal)
    var (second, third): (HandlerToken?, Int) = (nil, 0)
    hotkeys.onPress(of: .openTerminal) { second?.remove() }
    var count = 0
    second = hotkeys.onPress(of: .openTerminal) { count += 1 }
    hotkeys.onPress(of: .openTerminal) { third += 1 }
    pressSuper(.t)
    #expect(count == 0 && third == 1)
  }

  @Test func aKeyRepeatsOnlyIfTheHotkeyDoes() throws {
    follow(.louder)
    try hotkeys.register(Hotkey(.volumeUp, activation: .repeat), as: .louder)
    for value: Int32 in [1, 2, 0] { send(.volumeUp, value) }
    #expect(log.lines == ["louder pressed", "louder repeated", "louder released"])
    try hotkeys.register(Hotkey(.volumeUp), as: .louder)
    log.lines = []
    for value: Int32 in [1, 2, 0] { send(.volumeUp, value) }
    #expect(log.lines == ["louder pressed", "louder released"])
  }

  @Test func aHotkeyEndsByNameByValueAndWithItsToken() throws {
    try hotkeys.register("super+t", as: .openTerminal)
    #expect(hotkeys.unregister(.openTerminal) && !hotkeys.unregister(.openTerminal))
    try hotkeys.register("super+t", as: .openTerminal)
    #expect(hotkeys.named.unregister(Hotkey(.t, .super)) && hotkeys.hotkeys.count == 0)
    do {
      let token = try hotkeys.hold(Hotkey(.t, .super), as: .openTerminal)
      #expect(hotkeys.hotkeys.count == 1)
      withExtendedLifetime(token) {}
    }
    #expect(hotkeys.hotkeys.count == 0)
  }

  @Test func aTokenEndsOnlyTheHotkeyItWasGivenFor() throws {
    var token: HotkeyToken? = try hotkeys.hold(Hotkey(.t, .super), as: .openTerminal)
    try hotkeys.register("super+k", as: .openTerminal)
    #expect(token != nil)
    token = nil
    #expect(hotkeys.named[.openTerminal] == Hotkey(.k, .super))
  }

  @Test func aTokenStaysValidIfAnotherHotkeyCannotBeRegistered() throws {
    var token: HotkeyToken? = try hotkeys.hold(Hotkey(.t, .super), as: .openTerminal)
    try hotkeys.register("super+k", as: .louder)
    #expect(throws: HotkeyError.self) { try hotkeys.register("super+k", as: .openTerminal) }
    #expect(token != nil && hotkeys.named[.openTerminal] == Hotkey(.t, .super))
    token = nil
    #expect(hotkeys.named[.openTerminal] == nil)
  }

  @Test func oneThatCannotBeRegisteredLeavesTheOldOne() throws {
    try hotkeys.register("super+t", as: .openTerminal)
    try hotkeys.register("super+k", as: .louder)
    #expect(throws: HotkeyError.self) { try hotkeys.register("super+k", as: .openTerminal) }
    #expect(throws: HotkeyError.self) { try hotkeys.register("supper+k", as: .openTerminal) }
    #expect(hotkeys.named[.openTerminal] == Hotkey(.t, .super))
    follow(.openTerminal)
    pressSuper(.t)
    #expect(log.lines.count == 2)
    // its own old hotkey is not in the way: it would begin the new one
    try hotkeys.register("super+t ; k", as: .openTerminal)
  }

  @Test func aStoredHotkeyThatFailsDoesNotStopTheOthers() throws {
    let (other, another) = (Hotkey.Name("other"), Hotkey.Name("another"))
    try hotkeys.register("super+t", as: .openTerminal)
    try hotkeys.register("super+k", as: .louder)
    let stored = [
      other: try Hotkey("super+t"), .louder: try Hotkey("super+t"), another: try Hotkey("super+u"),
    ]
    let failures = hotkeys.register(stored)
    #expect(Set(failures.keys) == [other, .louder])
    #expect(failures.values.allSatisfy { "\($0)".contains("super+t") })
    let expected = [Hotkey.Name.openTerminal: "super+t", .louder: "super+k", another: "super+u"]
    #expect(hotkeys.named.all.mapValues { "\($0)" } == expected)
  }

  @Test func hotkeysAreStoredAsAnObjectOfTexts() throws {
    try hotkeys.register("shift+super+t", as: .openTerminal)
    try hotkeys.register("repeat:volumeup", as: .louder)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let stored = try encoder.encode(hotkeys.named.all)
    let text = #"{"louder":"repeat:volumeup","openTerminal":"super+shift+t"}"#
    #expect(String(decoding: stored, as: UTF8.self) == text)
    let loaded = try JSONDecoder().decode([Hotkey.Name: Hotkey].self, from: stored)
    let other = Session()
    #expect(other.named.register(loaded).isEmpty)
    #expect(other.named.all == hotkeys.named.all)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Hotkey.Name: Hotkey].self, from: Data(#"{"a":"supper+t"}"#.utf8))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("supper"))
  }

  @Test func eventsComeAsASequence() async throws {
    try hotkeys.register("super+t", as: .openTerminal)
    let events = hotkeys.events(of: .openTerminal)
    pressSuper(.t)
    hotkeys.named.removeHandlers(of: .openTerminal)
    pressSuper(.t)
    var phases: [HotkeyEvent.Phase] = []
    for await event in events { phases.append(event.phase) }
    #expect(phases == [.pressed, .released])
  }
}

/// Events that a handler leaves for a task.
@Suite struct BufferedEventTests {
  @Test func theOldestAreDroppedAndCounted() async {
    let (events, intake) = BufferedEvents<Int>.make(capacity: 3)
    for number in 0..<10 { #expect(intake.offer(number)) }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next() == 7 && iterator.missedCount == 7)
    #expect(await iterator.next() == 8 && iterator.missedCount == 7)
    for number in 10..<13 { intake.offer(number) }
    #expect(await iterator.next() == 10 && iterator.missedCount == 8)
  }

  @Test func eachLoopCountsWhatDidNotComeToIt() async {
    let (events, intake) = BufferedEvents<Int>.make(capacity: 4)
    for number in 0..<6 { intake.offer(number) }
    var (first, second) = (events.makeAsyncIterator(), events.makeAsyncIterator())
    #expect(await first.next() == 2 && first.missedCount == 2)
    #expect(await second.next() == 3 && second.missedCount == 3)
    #expect(await first.next() == 4 && first.missedCount == 3)
  }

  @Test func theyEndWithTheHandler() async {
    var numbers: [Int] = []
    let events: BufferedEvents<Int>
    do {
      let (ends, intake) = BufferedEvents<Int>.make()
      intake.offer(1)
      events = ends
    }
    for await number in events { numbers.append(number) }
    #expect(numbers == [1])
  }

  @Test func theHandlerKnowsWhenNobodyListens() async {
    let intake: BufferedEvents<Int>.Intake
    do {
      let (events, end) = BufferedEvents<Int>.make()
      intake = end
      #expect(intake.offer(1))
      for await _ in events { break }
    }
    #expect(!intake.offer(2))
  }
}
