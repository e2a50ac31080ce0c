import GlissEvents
import Testing

@testable import GlissHotkeys

/// Which presses are kept from the rest of the desktop.
@Suite struct ConsumingTests {
  private static let (k, w, t, escape) = (
    Key(rawValue: 37), Key(rawValue: 17), Key(rawValue: 20), Key(rawValue: 1)
  )

  /// Presses and releases keys one after the other, modifiers `held`; the names of those that are kept.
  private static func kept(
    _ matcher: inout HotkeyMatcher, _ keys: Key..., held: Modifiers = [], at start: Int64 = 0
  ) -> [String] {
    var kept: [String] = []
    for (index, key) in keys.enumerated() {
      let time = EventTime(microseconds: start + Int64(index) * 1000)
      for state in [KeyEvent.State.down, .repeat, .up] {
        _ = matcher.process(
          KeyEvent(
            time: time, device: DeviceID(rawValue: 1), key: key, state: state, modifiers: held)
        ) { _ in }
        if matcher.isConsumed { kept.append("\(key.name) \(state.name)") }
      }
    }
    return kept
  }

  @Test func onlyThePressesOfThoseThatConsume() throws {
    var matcher = HotkeyMatcher()
    _ = try matcher.register(try Hotkey("super+t"), owner: "a", consumes: true)
    _ = try matcher.register(try Hotkey("super+w"), owner: "a")
    #expect(Self.kept(&matcher, Self.t, Self.w, held: .leftSuper) == ["KEY_T down"])
    #expect(Self.kept(&matcher, Self.t, Self.w, held: [], at: 10_000) == [])
  }

  @Test func theBeginningOfASequenceAndWhatGivesItUp() throws {
    var matcher = HotkeyMatcher()
    let id = try matcher.register(try Hotkey("super+k ; w"), owner: "a", consumes: true)
    _ = try matcher.register(try Hotkey("super+k ; t"), owner: "b")
    #expect(Self.kept(&matcher, Self.k, held: .leftSuper) == ["KEY_K down"])
    #expect(Self.kept(&matcher, Self.w, at: 10_000) == ["KEY_W down"])
    #expect(Self.kept(&matcher, Self.k, held: .leftSuper, at: 20_000) == ["KEY_K down"])
    #expect(Self.kept(&matcher, Self.escape, Self.escape, at: 30_000) == ["KEY_ESC down"])
    // the other one of the same beginning does not
    #expect(Self.kept(&matcher, Self.k, held: .leftSuper, at: 40_000) == ["KEY_K down"])
    #expect(Self.kept(&matcher, Self.t, at: 50_000) == [])
    matcher.unregister(id, at: .zero) { _ in }
    #expect(Self.kept(&matcher, Self.k, held: .leftSuper, at: 60_000) == [])
  }

  @Test func aModeThatConsumesIsLeftWithoutAWord() throws {
    var matcher = HotkeyMatcher()
    _ = try matcher.register(try Hotkey("t"), owner: "a", mode: "size", consumes: true)
    #expect(Self.kept(&matcher, Self.t, Self.escape) == [])
    matcher.enter(mode: "size")
    #expect(
      Self.kept(&matcher, Self.t, Self.k, Self.escape, at: 10_000) == [
        "KEY_T down", "KEY_ESC down",
      ])
    #expect(Self.kept(&matcher, Self.t, Self.escape, at: 20_000) == [])
  }

  @Test(arguments: ["tap:super", "button1", "super+k ; button1"])
  func indispensableKeysCannotBeConsumed(_ text: String) throws {
    var table = HotkeyTable()
    let hotkey = try Hotkey(text)
    #expect(!hotkey.isConsumable)
    #expect(throws: HotkeyError.notConsumable(hotkey)) {
      _ = try table.register(hotkey, owner: "a", consumes: true)
    }
    #expect(table.all.count == 0)
    _ = try table.register(hotkey, owner: "a")
  }

  @Test func theKeysForWhichKeyboardsAreGrabbed() throws {
    var table = HotkeyTable()
    #expect(table.consumedKeys == .none)
    _ = try table.register(try Hotkey("super+w"), owner: "a")
    #expect(table.consumedKeys == .none)
    let sequence = try table.register(try Hotkey("super+k ; t"), owner: "a", consumes: true)
    #expect(table.consumedKeys == ConsumedKeys(keys: [Self.k, Self.t]))
    let letter = try table.register(try Hotkey("super+'ö'"), owner: "a", consumes: true)
    #expect(table.consumedKeys == ConsumedKeys(keys: [Self.k, Self.t], hasCharacters: true))
    let wheel = try table.register(try Hotkey("super+wheelup"), owner: "a", consumes: true)
    #expect(table.consumedKeys.hasWheel)
    table.unregister(wheel)
    table.unregister(letter)
    table.unregister(sequence)
    #expect(table.consumedKeys == .none)
    let both = ConsumedKeys(keys: [Self.k]).union(ConsumedKeys(keys: [Self.t], hasWheel: true))
    #expect(both == ConsumedKeys(keys: [Self.k, Self.t], hasWheel: true))
  }
}
