import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissHotkeys

@Suite struct TableTests {
  /// Hotkeys are stored as text. One that cannot be read back is refused before it is stored.
  @Test func aSequenceThatIsTooLongIsRefused() throws {
    let step = Chord(.super, .key(.b))
    var table = HotkeyTable()
    _ = try table.register(Hotkey(step, then: Array(repeating: step, count: 7)), owner: "a")
    let long = Hotkey(Chord(.super, .key(.c)), then: Array(repeating: step, count: 8))
    let error = #expect(throws: HotkeyError.self) { try table.register(long, owner: "a") }
    #expect(error.map { "\($0)".contains("at most 8 chords") } == true)
    #expect(table.all.count == 1)
  }

  @Test(
    arguments: [
      ("super+t", "super+t"), ("super+t", "release:super+t"), ("super+t", "lsuper+t"),
      ("super+t", "lsuper+rsuper+t"), ("super+shift+t", "rshift+lsuper+t"),
      ("super+k", "super+k ; w"), ("super+k", "lsuper+k ; w"), ("super+k ; w", "super+k ; w ; x"),
      ("super+k ; lctrl+w", "super+k ; ctrl+w"), ("super+k ; w", "lsuper+k ; x"),
      ("tap:super", "tap:rsuper"), ("super+'ö' ; w", "super+'ö'"),
      ("super+'λ'", "lsuper+'λ'"), ("super+'+'", "lsuper+'+'"),
      ("wheelup", "repeat:wheelup"), ("button4", "btn_side"),
      ("super+'?'", "rsuper+'?'"),
    ])
  func conflictsAreRefusedEitherWayRound(_ one: String, _ other: String) throws {
    for (first, second) in [(one, other), (other, one)] {
      var table = HotkeyTable()
      let id = try table.register(Hotkey(first), owner: "editor")
      let holder = try #require(table[id])
      let hotkey = try Hotkey(second)
      let error = #expect(throws: HotkeyError.taken(hotkey, by: holder)) {
        try table.register(hotkey, owner: "player")
      }
      #expect(error.map { "\($0)".contains("editor") } == true)
      #expect(table.all.count == 1)
      table.unregister(id)
      #expect(throws: Never.self) { try table.register(hotkey, owner: "player") }
    }
  }

  @Test(
    arguments: [
      ["super+t", "t", "shift+t", "super+shift+t", "super+u", "super+'t'", "tap:super"],
      ["lsuper+t", "rsuper+t", "lsuper+rsuper+t"], ["alt+t", "altgr+t"],
      ["super+k ; w", "super+k ; v", "super+k ; x ; w", "super+k ; x ; v"],
      ["super+k ; lctrl+w", "super+k ; rctrl+w"], ["super+'ö'", "super+shift+'ö'", "super+'ä'"],
      ["super+'i'", "super+'ı'"], ["tap:lsuper", "tap:rsuper", "tap:shift"],
      ["wheelup", "wheeldown", "wheelleft", "wheelright"],
    ])
  func neighboursStandTogether(_ hotkeys: [String]) throws {
    var table = HotkeyTable()
    for hotkey in hotkeys { _ = try table.register(Hotkey(hotkey), owner: "rig") }
    #expect(table.all.map(\.hotkey.description) == hotkeys)
  }

  @Test func aRefusalSaysWhoHasWhat() throws {
    var table = HotkeyTable()
    _ = try table.register(Hotkey("super+t"), owner: "editor")
    _ = try table.register(Hotkey("super+k ; w"), owner: "player")
    let same = #expect(throws: HotkeyError.self) {
      try table.register(Hotkey("super+t"), owner: "x")
    }
    #expect(same.map { "\($0)" } == "super+t is taken by editor")
    let prefix = #expect(throws: HotkeyError.self) {
      try table.register(Hotkey("super+k"), owner: "x")
    }
    #expect(prefix.map { "\($0)" } == "super+k is taken: player has super+k ; w")
  }

  @Test func modesAreApart() throws {
    var table = HotkeyTable()
    let hotkey = try Hotkey("super+t")
    _ = try table.register(hotkey, owner: "a")
    let id = try table.register(hotkey, owner: "b", mode: "m")
    _ = try table.register(hotkey, owner: "c", mode: "n")
    #expect(throws: HotkeyError.taken(hotkey, by: try #require(table[id]))) {
      try table.register(hotkey, owner: "d", mode: "m")
    }
    #expect(table.all.map(\.mode) == [nil, "m", "n"])
  }

  @Test func aNumberIsNeverUsedAgain() throws {
    var table = HotkeyTable()
    let first = try table.register(Hotkey("f1"), owner: "a")
    let (isGone, isGoneAgain) = (table.unregister(first), table.unregister(first))
    #expect(isGone && !isGoneAgain)
    #expect(table[first] == nil)
    let second = try table.register(Hotkey("f1"), owner: "a")
    #expect(second != first)
    table.unregister(first)
    #expect(table.all.count == 1)
  }

  /// Whatever comes and goes, in the end nothing is left behind.
  @Test(arguments: 0..<40) func unregisteringLeavesNothing(_ index: Int) throws {
    var random = Seed.source("register and unregister", index)
    var table = HotkeyTable()
    var ids: [HotkeyID] = []
    for _ in 0..<200 {
      if !ids.isEmpty, random.chance(0.4) {
        ids.swapAt(random.integer(0...ids.count - 1), ids.count - 1)
        let isGone = table.unregister(ids.removeLast())
        #expect(isGone)
      } else if let id = try? table.register(
        random.hotkey(), owner: "rig", mode: random.pick([nil, "m", "n"]))
      {
        ids.append(id)
      }
    }
    #expect(table.all.count == ids.count)
    for id in ids {
      let isGone = table.unregister(id)
      #expect(isGone)
    }
    #expect(table.isBare, "\(Seed.advice)")
  }

  /// Two hotkeys of physical keys are in each other's way exactly where some keys satisfy both, or sequences begin with
  /// different chords that some keys satisfy both.
  @Test(arguments: 0..<200) func conflictsAreOverlaps(_ index: Int) throws {
    var random = Seed.source("conflicts", index)
    let keys: [Key] = [.a, Key(rawValue: 0x30)]
    func chord() -> Chord {
      let raw = UInt16(random.integer(0...0x7ff)) & 0x74f
      return Chord(ChordModifiers(rawValue: raw), .key(random.pick(keys)))
    }
    let (one, other) = (chord(), chord())
    let satisfies = (0...UInt8.max).contains { held in
      let held = Modifiers(rawValue: held)
      return Reference.satisfies(held, one.modifiers) && Reference.satisfies(held, other.modifiers)
    }
    var table = HotkeyTable()
    _ = try table.register(Hotkey(one), owner: "a")
    let isTaken = (try? table.register(Hotkey(other), owner: "b")) == nil
    #expect(
      isTaken == (satisfies && one.trigger == other.trigger), "\(one), \(other) \(Seed.advice)")
  }
}
