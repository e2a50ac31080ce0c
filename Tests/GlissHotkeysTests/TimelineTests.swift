import GlissEvents
import GlissHotkeys
import Testing

@Suite struct TimelineTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var hotkeys: [String]
    var script: String
    var told: [String]
    /// The words of the script that belong to a hotkey.
    var kept: [String]
    var testDescription: String { name }

    init(_ name: String, _ hotkeys: [String], _ script: String, _ told: [String], kept: String) {
      self.name = name
      self.hotkeys = hotkeys
      self.script = script
      self.told = told
      self.kept = kept.split(separator: " ").map(String.init)
    }
  }

  @Test(arguments: chords + symbols + sequences + modes + taps + pointers + losses)
  func timeline(_ timeline: Case) throws {
    var rig = try Rig(timeline.hotkeys)
    try rig.play(timeline.script)
    #expect(rig.told == timeline.told)
    #expect(rig.kept == timeline.kept)
  }

  static let chords = [
    Case(
      "a chord is released with its key, whatever its modifiers do", ["super+t"],
      "+leftmeta +t -leftmeta -t", ["super+t pressed!", "super+t released"], kept: "+t -t"),
    Case(
      "a chord is exact", ["super+t"], "+t -t +leftmeta +leftshift +t -t -leftshift +u -u", [],
      kept: ""),
    Case(
      "either side and both satisfy a modifier without a side", ["super+t"],
      "+leftmeta +t -t +rightmeta +t -t -leftmeta +t -t",
      ["super+t pressed!", "super+t released"] * 3, kept: "+t -t +t -t +t -t"),
    Case(
      "a side is that side alone", ["rctrl+t"],
      "+leftctrl +t -t +rightctrl +t -t -leftctrl +t -t",
      ["rctrl+t pressed!", "rctrl+t released"], kept: "+t -t"),
    Case(
      "both sides are both", ["lshift+rshift+t", "lshift+t"],
      "+leftshift +t -t +rightshift +t -t -leftshift +t -t",
      [
        "lshift+t pressed!", "lshift+t released", "lshift+rshift+t pressed!",
        "lshift+rshift+t released",
      ], kept: "+t -t +t -t"),
    Case(
      "alt and altgr are two", ["alt+t", "altgr+u"],
      "+leftalt +t -t +u -u -leftalt +rightalt +t -t +u -u",
      ["alt+t pressed!", "alt+t released", "altgr+u pressed!", "altgr+u released"],
      kept: "+t -t +u -u"),
    Case(
      "press hotkeys hear no repeats", ["f5"], "+f5 ~f5 ~f5 -f5", ["f5 pressed!", "f5 released"],
      kept: "+f5 ~f5 ~f5 -f5"),
    Case(
      "repeat hotkeys act again", ["repeat:f5"], "+f5 ~f5 ~f5 -f5 ~f5",
      [
        "repeat:f5 pressed!", "repeat:f5 repeated!", "repeat:f5 repeated!", "repeat:f5 released",
      ], kept: "+f5 ~f5 ~f5 -f5"),
    Case(
      "release hotkeys act on release", ["release:f5"], "+f5 ~f5 -f5",
      ["release:f5 pressed", "release:f5 released!"], kept: "+f5 ~f5 -f5"),
    Case(
      "a key that was down before its modifiers does not count", ["super+t"],
      "+t +leftmeta ~t -t -leftmeta", [], kept: ""),
    Case(
      "two hotkeys may be held", ["super+t", "super+u"], "+leftmeta +t +u -t -u",
      ["super+t pressed!", "super+u pressed!", "super+t released", "super+u released"],
      kept: "+t +u -t -u"),
    Case(
      "a modifier may be the key", ["super+rightshift"], "+leftmeta +rightshift -rightshift",
      ["super+rightshift pressed!", "super+rightshift released"], kept: "+rightshift -rightshift"),
    Case(
      "a lost release is made up for", ["f5"], "+f5 +f5 -f5",
      ["f5 pressed!", "f5 released", "f5 pressed!", "f5 released"], kept: "+f5 +f5 -f5"),
  ]

  static let symbols = [
    Case(
      "a letter is where the layout has it", ["super+'ö'"],
      "+leftmeta +semicolon -semicolon +semicolon=ö -semicolon +u=Ö -u",
      ["super+'ö' pressed!", "super+'ö' released"] * 2, kept: "+semicolon=ö -semicolon +u=Ö -u"),
    Case(
      "Shift counts with letters", ["super+shift+'z'"],
      "+leftmeta +y=z -y +leftshift +y=Z -y",
      ["super+shift+'z' pressed!", "super+shift+'z' released"],
      kept: "+y=Z -y"),
    Case(
      "Shift and AltGr choose signs", ["super+'?'", "super+'@'"],
      "+leftmeta +leftshift +minus=? -minus -leftshift +slash=? -slash +rightalt +q=@ -q",
      ["super+'?' pressed!", "super+'?' released"] * 2
        + ["super+'@' pressed!", "super+'@' released"],
      kept: "+minus=? -minus +slash=? -slash +q=@ -q"),
    Case(
      "the physical key comes first", ["super+q", "super+'q'"],
      "+leftmeta +q=q -q +q=a -q +a=q -a",
      ["super+q pressed!", "super+q released"] * 2 + ["super+'q' pressed!", "super+'q' released"],
      kept: "+q=q -q +q=a -q +a=q -a"),
    Case(
      "a second key for the same hotkey is no second press", ["super+'1'"],
      "+leftmeta +1=1 +kp1=1 -1 -kp1", ["super+'1' pressed!", "super+'1' released"],
      kept: "+1=1 +kp1=1 -1 -kp1"),
  ]

  static let sequences = [
    Case(
      "a sequence is pressed with its last chord", ["super+k ; w"],
      "+leftmeta +k -k -leftmeta +w -w", ["super+k ; w pressed!", "super+k ; w released"],
      kept: "+k -k +w -w"),
    Case(
      "keys of a sequence may overlap", ["super+k ; super+w"], "+leftmeta +k +w -k -w",
      ["super+k ; super+w pressed!", "super+k ; super+w released"], kept: "+k +w -k -w"),
    Case(
      "sequences may begin alike", ["super+k ; w", "super+k ; v ; x"],
      "+leftmeta +k -k -leftmeta +v -v +x -x",
      ["super+k ; v ; x pressed!", "super+k ; v ; x released"], kept: "+k -k +v -v +x -x"),
    Case(
      "a sequence waits 3 s", ["f1 ; w"], "+f1 -f1 @2999 +w -w +f1 -f1 @5999 +w -w",
      ["f1 ; w pressed!", "f1 ; w released"], kept: "+f1 -f1 +w -w +f1 -f1"),
    Case(
      "each chord has its own time", ["f1 ; w ; x"], "+f1 -f1 @2000 +w -w @4000 +x -x",
      ["f1 ; w ; x pressed!", "f1 ; w ; x released"], kept: "+f1 -f1 +w -w +x -x"),
    Case(
      "Escape ends a sequence", ["f1 ; w"], "+f1 -f1 +esc -esc +w -w +esc -esc", [],
      kept: "+f1 -f1 +esc -esc"),
    Case(
      "a sequence may ask for Escape", ["f1 ; esc"], "+f1 -f1 +esc -esc",
      ["f1 ; esc pressed!", "f1 ; esc released"], kept: "+f1 -f1 +esc -esc"),
    Case(
      "another key ends a sequence and reaches the others", ["f1 ; w"], "+f1 -f1 +x -x +w -w", [],
      kept: "+f1 -f1"),
    Case(
      "another key may begin anew", ["f1 ; w", "f2"], "+f1 -f1 +f2 -f2 +f1 +f1 -f1 +w -w",
      ["f2 pressed!", "f2 released", "f1 ; w pressed!", "f1 ; w released"],
      kept: "+f1 -f1 +f2 -f2 +f1 +f1 -f1 +w -w"),
    Case(
      "modifiers do not end a sequence", ["f1 ; shift+w"],
      "+f1 -f1 +leftctrl -leftctrl +leftshift +w",
      ["f1 ; shift+w pressed!"], kept: "+f1 -f1 +w"),
  ]

  static let modes = [
    Case(
      "only a mode's hotkeys hold in it", ["super+t", "m|h"],
      "+h -h mode:m +h -h +leftmeta +t -t -leftmeta leave +h -h",
      ["h pressed!", "h released"], kept: "+h -h"),
    Case(
      "Escape leaves a mode", ["m|h"], "mode:m +esc -esc +h -h +esc -esc", [], kept: "+esc -esc"),
    Case(
      "Escape ends a sequence before it leaves a mode", ["m|h ; h"],
      "mode:m +h -h +esc -esc +h -h +h", ["h ; h pressed!"], kept: "+h -h +esc -esc +h -h +h"),
    Case(
      "a hotkey that is held when a mode is entered is released by its key", ["f1", "m|h"],
      "+f1 mode:m ~f1 -f1", ["f1 pressed!", "f1 released"], kept: "+f1 ~f1 -f1"),
    Case(
      "there is no mode without hotkeys", ["f1"], "mode:m +f1", ["f1 pressed!"], kept: "mode:m +f1"),
  ]

  static let taps = [
    Case(
      "a modifier is tapped when it goes up alone", ["tap:super"],
      "+leftmeta @500 -leftmeta +rightmeta -rightmeta",
      ["tap:super pressed!", "tap:super released"] * 2, kept: ""),
    Case("a slow tap is none", ["tap:super"], "+leftmeta @501 -leftmeta", [], kept: ""),
    Case(
      "anything between is no tap", ["tap:super", "tap:shift"],
      "+leftmeta +a -a -leftmeta +leftmeta +button1 -button1 -leftmeta +leftmeta wheelup*3 -leftmeta"
        + " +leftmeta +leftshift -leftshift -leftmeta +a +leftshift -a -leftshift", [], kept: ""),
    Case(
      "a side is tapped", ["tap:rshift"], "+leftshift -leftshift +rightshift -rightshift",
      ["tap:rshift pressed!", "tap:rshift released"], kept: ""),
    Case(
      "a chord is no tap", ["super+t", "tap:super"], "+leftmeta +t -t -leftmeta",
      ["super+t pressed!", "super+t released"], kept: "+t -t"),
    Case(
      "a sequence's modifiers are not tapped", ["tap:shift", "f1 ; shift+w"],
      "+f1 -f1 +leftshift -leftshift +leftshift +w", ["f1 ; shift+w pressed!"], kept: "+f1 -f1 +w"),
  ]

  static let pointers = [
    Case(
      "buttons are keys", ["super+button4"],
      "+button4 -button4 +leftmeta +button4 -leftmeta -button4",
      ["super+button4 pressed!", "super+button4 released"], kept: "+button4 -button4"),
    Case(
      "two mice hold one hotkey", ["button4"], "+button4 2+button4 -button4 2-button4",
      ["button4 pressed!", "button4 released"], kept: "+button4 2+button4 -button4 2-button4"),
    Case(
      "each notch is pressed and released", ["super+wheelup"],
      "wheelup +leftmeta wheelup wheeldown wheelup*30",
      ["super+wheelup pressed!", "super+wheelup released"] * 3, kept: "wheelup wheelup*30"),
    Case(
      "parts of a notch add up", ["wheelup"],
      "wheelup*7.5 wheelup*7.5 wheelup*10 wheeldown*1 wheelup*10 wheelup*5",
      ["wheelup pressed!", "wheelup released"] * 2,
      kept: "wheelup*7.5 wheelup*7.5 wheelup*10 wheelup*10 wheelup*5"),
    Case(
      "wide notches are one each", ["wheelleft"], "wheelleft*20 wheelleft*20 wheelleft*20",
      ["wheelleft pressed!", "wheelleft released"] * 3,
      kept: "wheelleft*20 wheelleft*20 wheelleft*20"),
    Case(
      "a broken wheel does not flood", ["release:wheelup"], "wheelup*1e300 wheelup*nan wheelup*inf",
      ["release:wheelup pressed", "release:wheelup released!"] * 10, kept: "wheelup*1e300"),
    Case(
      "a notch may begin and end a sequence", ["wheelup ; wheelup"],
      "wheelup*30 wheelup*30 wheelup*30",
      ["wheelup ; wheelup pressed!", "wheelup ; wheelup released"],
      kept: "wheelup*30 wheelup*30 wheelup*30"),
    Case(
      "a wheel with a hotkey of its own ends a sequence", ["super+k ; super+w", "super+wheelup"],
      "+leftmeta +k -k wheelup +w",
      ["super+wheelup pressed!", "super+wheelup released"], kept: "+k -k wheelup"),
    Case(
      "the wheel does not end a sequence, a button does", ["f1 ; w"],
      "+f1 -f1 wheelup +w -w +f1 -f1 +button1 -button1 +w", ["f1 ; w pressed!", "f1 ; w released"],
      kept: "+f1 -f1 +w -w +f1 -f1"),
  ]

  static let losses = [
    Case(
      "what is lost is released and acts no more", ["release:f5"], "+f5 cancel ~f5 -f5 +f5 -f5",
      [
        "release:f5 pressed", "release:f5 released", "release:f5 pressed", "release:f5 released!",
      ], kept: "+f5 ~f5 -f5 +f5 -f5"),
    Case(
      "a loss ends sequences and taps", ["f1 ; w", "tap:super"],
      "+f1 -f1 cancel +w -w +leftmeta cancel -leftmeta", [], kept: "+f1 -f1"),
    Case(
      "a release that never came is forgotten with the next press", ["f5"],
      "+f5 cancel +f5 -f5", ["f5 pressed!", "f5 released"] * 2, kept: "+f5 +f5 -f5"),
  ]
}

private func * (list: [String], count: Int) -> [String] {
  (0..<count).flatMap { _ in list }
}

/// What takes more than a line.
@Suite struct MatcherTests {
  @Test func aSequenceHasADeadline() throws {
    var rig = try Rig(["f1 ; w"])
    #expect(rig.matcher.deadline == nil)
    rig.now = 100
    try rig.play("+f1 -f1")
    #expect(rig.matcher.deadline == EventTime(microseconds: 3_100_000))
    try rig.play("@3099")
    #expect(rig.matcher.deadline != nil)
    try rig.play("@3100")
    #expect(rig.matcher.deadline == nil)
  }

  @Test func aLateWakeUpChangesNothing() throws {
    // nobody called advance: the event's own time says that the sequence is over
    var rig = try Rig(["f1 ; w"])
    try rig.play("+f1 -f1")
    rig.now = 3000
    try rig.play("+w -w")
    #expect(rig.told == [])
  }

  @Test func timesAtTheEndOfTimeDoNotTrap() throws {
    var rig = try Rig(["f1 ; w"])
    rig.now = Int64.max / 1000
    try rig.play("+f1 -f1 +w -w")
    #expect(rig.kept.prefix(2) == ["+f1", "-f1"])
  }

  @Test func aHeldHotkeyIsReleasedWhenItIsUnregistered() throws {
    var rig = try Rig(["f5", "f6"])
    try rig.play("+f5 +f6")
    let id = try #require(rig.matcher.table.all.first?.id)
    rig.take { matcher, time, emit in _ = matcher.unregister(id, at: time, emit: emit) }
    #expect(rig.events.map(\.phase) == [.pressed, .pressed, .released])
    #expect(rig.events.last?.hotkey == id && rig.events.last?.shouldAct == false)
    try rig.play("-f5 +f5 -f5 -f6")
    #expect(rig.kept == ["+f5", "+f6", "-f5", "-f6"])
    #expect(rig.events.count == 4)
  }

  @Test func aModeThatLosesItsHotkeysIsLeft() throws {
    var rig = try Rig(["f5", "m|h"])
    try rig.play("mode:m")
    #expect(rig.matcher.mode == "m")
    let id = try #require(rig.matcher.table.all.last?.id)
    rig.take { matcher, time, emit in _ = matcher.unregister(id, at: time, emit: emit) }
    #expect(rig.matcher.mode == nil)
    try rig.play("+f5")
    #expect(rig.told == ["f5 pressed!"])
  }

  @Test func escapeIsAnOrdinaryKeyIfItLeavesNoMode() throws {
    var rig = try Rig(["f5", "m|h", "m|f1 ; w"])
    rig.matcher.escapeLeavesMode = false
    try rig.play("mode:m +esc")
    #expect(rig.matcher.leftMode == nil && rig.matcher.mode == "m")
    try rig.play("-esc +f5 -f5 +h -h")
    #expect(rig.told == ["h pressed!", "h released"] && rig.kept == ["+h", "-h"])
    // a sequence that waits it ends, as any other key does, and the mode stays
    try rig.play("+f1 -f1 +esc -esc +w -w")
    #expect(rig.matcher.mode == "m" && rig.told.count == 2)
    rig.matcher.escapeLeavesMode = true
    try rig.play("+esc")
    #expect(rig.matcher.leftMode == "m" && rig.matcher.mode == nil)
  }

  @Test func onlyWheelsTurn() throws {
    var rig = try Rig(["wheelup"])
    for source in [ScrollEvent.Source.finger, .continuous] {
      let isKept = rig.scroll(Vector2(x: 0, y: -15), source)
      #expect(!isKept)
    }
    let oblique = rig.scroll(Vector2(x: 7, y: -15))
    #expect(oblique)
    #expect(rig.told.count == 2)
  }

  @Test func eventsNameTimeAndDevice() throws {
    var rig = try Rig(["button4"])
    rig.now = 5
    try rig.play("2+button4")
    let id = try #require(rig.matcher.table.all.first?.id)
    #expect(
      rig.events == [
        HotkeyEvent(
          time: EventTime(microseconds: 5000), device: DeviceID(rawValue: 2), hotkey: id,
          phase: .pressed, shouldAct: true)
      ])
    #expect(HotkeyEvent.Phase.allCases.map(\.name) == ["pressed", "released", "repeated"])
  }

  @Test func timesAndTheAbortKeyCanBeSet() throws {
    var configuration = HotkeyConfiguration()
    configuration.sequenceTimeout = .milliseconds(10)
    configuration.abortKey = .a
    var rig = Rig()
    rig.matcher = HotkeyMatcher(configuration: configuration)
    _ = try rig.matcher.register(Hotkey("f1 ; w"), owner: "rig")
    try rig.play("+f1 -f1 +a -a +w -w +f1 -f1 @10 +w")
    #expect(rig.told == [])
    #expect(rig.kept == ["+f1", "-f1", "+a", "-a", "+f1", "-f1"])
  }
}
