import Glibc
import GlissBroker
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissHotkeys
import GlissSession
import Testing

@testable import GlissAgent

/// Rules on devices of the process' own, with keys made by hand.
@Suite struct DeviceFeedTests {
  /// A feed and the rules that receive it, with nothing done but what concerns the mode.
  private final class Rig {
    let feed: DeviceFeed
    let engine: RuleEngine
    let worker: ActionWorker
    let said = SaidLines()
    private let scratch: Scratch
    private var device: DeviceID
    private var session: Session
    private let clock = HandClock()
    private var lag: Int64 = 0
    private var time: Int64 = 0 {
      didSet { clock.now = EventTime(microseconds: time + lag) }
    }
    private var held: [Key] = []

    init(_ rules: [Rule], seat: SeatWatch.Rule = .none, user: UInt32 = getuid()) throws {
      let configuration = Configuration(rules: rules)
      let clock = clock
      scratch = try Scratch()
      worker = try ActionWorker(
        ActionWorker.Context(
          environment: ["HOME=\(scratch.path)"], bus: nil,
          runtimeFolder: scratch.path), log: said.log())
      engine = RuleEngine(
        worker, said.log(), configuration, appliesSettings: true,
        now: { clock.now })
      let needs = InputNeeds(configuration, namesKeyboards: true)
      feed = try DeviceFeed(said.log(), needs, .paths([]), seat: seat, user: user)
      session = feed.session
      device = session.add(
        Device(name: "Keys", keys: Set((1...240).map { Key(rawValue: $0) })))
      feed.didReceive = { [unowned self] in engine.receive($0) }
      engine.feed = feed
      engine.bind(feed.hotkeys, as: needs)
    }

    func replace(_ rules: [Rule], because occasion: FeedOccasion = .user) {
      let configuration = Configuration(rules: rules)
      let needs = InputNeeds(configuration, namesKeyboards: true)
      engine.replace(
        configuration, appliesSettings: true, at: EventTime(microseconds: time))
      feed.follow(needs, because: occasion)
      engine.bind(feed.hotkeys, as: needs)
    }

    /// Presses them in turn, and lets go of all.
    func press(_ keys: Key...) {
      for key in keys { write(key, 1) }
      for key in keys.reversed() { write(key, 0) }
    }

    func write(_ key: Key, _ value: Int32) {
      time += 10_000
      session.process(.key(key, value, at: EventTime(microseconds: time)), from: device)
      session.process(.report(at: EventTime(microseconds: time)), from: device)
    }

    /// Goes on from now: what is older than an interruption is not reported.
    func goOn() { time = max(time, InputLoop.now.microseconds) }

    /// From here on nobody reads for so many ms, and then all at once.
    func stall(_ ms: Int64) { lag = ms * 1000 }
    func catchUp() {
      time += lag
      lag = 0
    }

    func lose() {
      session.process(
        EvdevEvent(
          time: clock.now, type: .synchronization, code: SynchronizationCode.dropped, value: 0),
        from: device)
    }

    /// What was done, once all of it is.
    func finish() -> [String] {
      worker.finish()
      return said.all.filter { $0.contains(" (there is no desktop") }
        .map { String($0.prefix { $0 != " " }) }
    }
  }

  private static let (escape, w, r, k, b) = (
    Key(rawValue: 1), Key(rawValue: 17), Key(rawValue: 19), Key(rawValue: 37), Key(rawValue: 48)
  )

  private func rule(
    _ text: String, mode: String? = nil, consumes: Bool = false, _ actions: [Action.Verb]
  ) throws -> Rule {
    Rule(
      name: mode.map { "\($0)-\(text)" } ?? text,
      trigger: .hotkey(HotkeyCondition(hotkey: try Hotkey(text), consumes: consumes)), mode: mode,
      reactions: Reactions(end: actions.map { Action($0, place: MatchingRig.place) }),
      place: MatchingRig.place)
  }

  private static let note = Action.Verb.notify(summary: "done", body: nil)

  @Test func escapeLeavesAModeForTheRulesToo() throws {
    let rig = try Rig([
      try rule("super+r", [.mode("size")]), try rule("super+a", [Self.note]),
      try rule("super+a", mode: "size", [Self.note]),
    ])
    rig.press(.leftSuper, Self.r)
    #expect(rig.engine.mode == "size")
    rig.press(.leftSuper, .a)
    rig.press(Self.escape)
    #expect(rig.engine.mode == nil)
    rig.press(.leftSuper, .a)
    rig.press(.leftSuper, Self.r)
    #expect(rig.engine.mode == "size")
    #expect(rig.finish() == ["size-super+a", "super+a"])
  }

  @Test func escapeLeavesAModeInWhichNoHotkeyHolds() throws {
    let rig = try Rig([
      try rule("super+r", [.mode("hand")]), try rule("super+a", [Self.note]),
      MatchingRig.rule(GestureCondition(kind: .swipe), mode: "hand"),
    ])
    rig.press(.leftSuper, Self.r)
    #expect(rig.engine.mode == "hand" && rig.feed.session.hotkeyMode == "hand")
    rig.press(.leftSuper, .a)
    rig.press(Self.escape)
    #expect(rig.engine.mode == nil)
    rig.press(.leftSuper, .a)
    #expect(rig.finish() == ["super+a"])
  }

  /// The process was stopped: what was typed meanwhile is read at once, long after it was.
  @Test func keysPressedWhileNobodyReadDoNotActOrHoldAnything() throws {
    let rig = try Rig([try rule("super+a", [Self.note])])
    rig.write(.leftSuper, 1)
    rig.stall(700)
    rig.write(.a, 1)
    rig.write(.a, 0)
    rig.write(.leftSuper, 0)
    rig.catchUp()
    #expect(rig.feed.session.heldKeys == [] && rig.feed.session.modifiers == [])
    rig.press(.a)
    rig.press(.leftSuper, .a)
    let reasons = rig.engine.report.hotkeys.map { $0.fired[0].records[0].reason ?? "" }
    #expect(reasons.map { $0.contains("too late") } == [true, false])
    #expect(rig.finish() == ["super+a"])
  }

  @Test func aLossIsReportedToTheRules() throws {
    let rig = try Rig([try rule("super+a", [Self.note])])
    rig.write(.leftSuper, 1)
    rig.write(.a, 1)
    rig.lose()
    #expect(rig.engine.report.losses.map(\.device) == ["Keys"])
    #expect(rig.feed.session.heldKeys == [])
    _ = rig.finish()
    #expect(rig.said.contains("lost what was done on Keys"))
  }

  @Test func aModeWhoseHotkeysAreAllReplacedGoesOn() throws {
    let entrance = try rule("super+r", [.mode("size")])
    let rig = try Rig([entrance, try rule("super+a", mode: "size", [Self.note])])
    rig.press(.leftSuper, Self.r)
    rig.replace([entrance, try rule("super+b", mode: "size", [Self.note])])
    #expect(rig.engine.mode == "size" && rig.feed.session.hotkeyMode == "size")
    rig.press(.leftSuper, Self.b)
    rig.replace([entrance])
    #expect(rig.engine.mode == nil && rig.feed.session.hotkeyMode == nil)
    #expect(rig.finish() == ["size-super+b"])
  }

  @Test func asLongAsNobodySaysWhoseTheSeatIsNothingIsKept() throws {
    let nobody = SeatWatch.Rule.logind(busAddress: "unix:path=/nowhere")
    let plain = try Rig([try rule("super+a", [Self.note])], seat: nobody)
    #expect(plain.feed.problems.isEmpty)
    plain.replace([try rule("super+a", consumes: true, [Self.note])])
    #expect(!plain.feed.live.mayConsume)
    #expect(plain.feed.problems.contains { $0.hasPrefix("no hotkey is consumed: ") })
    // it is looked for again
    #expect(plain.feed.deadline != nil)
    let known = try Rig([try rule("super+a", consumes: true, [Self.note])], seat: .user(getuid()))
    #expect(known.feed.live.mayConsume && known.feed.problems.isEmpty)
    _ = (plain.finish(), known.finish())
  }

  @Test(.enabled(if: getuid() == 0, "needs root"))
  func inputOfOtherSessionsIsNotForRules() throws {
    let folder = try Scratch()
    func sit(_ terminal: String, _ user: UInt32) throws {
      try folder.write("", to: terminal)
      chown("\(folder.path)/\(terminal)", user, 0)
      try folder.write("\(terminal)\n", to: "active")
    }
    try sit("tty2", 1000)
    let rig = try Rig(
      [
        try rule("super+r", [.mode("size")]), try rule("super+a", [Self.note]),
        try rule("super+b", mode: "size", [Self.note]), try rule("super+k ; w", [Self.note]),
      ], seat: .virtualTerminal(states: folder.path, devices: folder.path), user: 1000)
    func wait(until isSo: () -> Bool) throws {
      let end = InputLoop.now + .milliseconds(10_000)
      while !isSo(), InputLoop.now < end { try rig.feed.loop.wait(until: end) }
      #expect(isSo())
      rig.goOn()
    }
    try wait { rig.feed.live.mayConsume }
    rig.press(.leftSuper, .a)
    rig.press(.leftSuper, Self.r)
    #expect(rig.engine.mode == "size")
    try sit("tty3", 1001)
    try wait { rig.feed.problems == ["no rule acts: another user's session is active"] }
    rig.press(.leftSuper, Self.b)
    // the mode stays until its user can leave it
    rig.press(Self.escape)
    #expect(rig.engine.mode == "size" && rig.feed.session.hotkeyMode == "size")
    try sit("tty2", 1000)
    try wait { rig.feed.problems.isEmpty }
    rig.press(Self.escape)
    #expect(rig.engine.mode == nil)
    try sit("tty3", 1001)
    try wait { !rig.feed.problems.isEmpty }
    rig.press(.leftSuper, Self.k)
    try sit("tty2", 1000)
    try wait { rig.feed.problems.isEmpty }
    // nor is a sequence begun elsewhere completed here
    rig.press(Self.w)
    try sit("tty3", 1001)
    try wait { !rig.feed.problems.isEmpty }
    rig.press(.leftSuper, .a)
    rig.write(.leftSuper, 1)
    rig.write(.a, 1)
    try sit("tty2", 1000)
    try wait { rig.feed.problems.isEmpty }
    // what was pressed meanwhile is nobody's
    rig.write(.a, 0)
    rig.write(.leftSuper, 0)
    rig.press(.leftSuper, .a)
    #expect(rig.finish() == ["super+a", "super+a"])
  }

  /// No layout has this one.
  @Test func aHotkeyWithAMissingCharacterIsWarnedOfOnceALayout() throws {
    let rules = [try rule("super+'\u{a66e}'", [Self.note]), try rule("super+a", [Self.note])]
    let rig = try Rig(rules)
    rig.replace(rules + [try rule("alt+'\u{a66e}'", [Self.note])])
    rig.replace(rules)
    let warnings = { rig.said.all.filter { $0.contains(" never acts") } }
    #expect(warnings().map { $0.contains("has no \u{a66e}, so super+") } == [true, false])
    rig.feed.session.keyTranslator = try XkbKeyTranslator(KeyboardLayout(layout: "fo"))
    rig.replace(rules)
    _ = rig.finish()
    #expect(warnings().count == 3 && warnings()[2].contains("'fo' has no \u{a66e}, so super+"))
  }

  @Test func problemsOfGrabsAreReportedOnlyWhileSomethingIsToBeConsumed() throws {
    let plain = try rule("super+a", [Self.note])
    let rig = try Rig([try rule("super+a", consumes: true, [Self.note])])
    rig.feed.receive(.panic)
    #expect(rig.feed.problems.contains { $0.contains("'gliss reload'") })
    // a reload that the user asks for ends it, and neither another focus nor a saved file
    for occasion in [FeedOccasion.focus, .rules] {
      rig.replace([try rule("super+a", consumes: true, [Self.note])], because: occasion)
      #expect(!rig.feed.problems.isEmpty)
    }
    rig.replace([try rule("super+a", consumes: true, [Self.note]), plain])
    #expect(rig.feed.problems.isEmpty)
    rig.feed.receive(.grabbed(path: "/e", name: "Keys"))
    #expect(rig.feed.grabbed == ["Keys (/e)"])
    rig.feed.receive(.givenBack(path: "/e"))
    rig.feed.receive(.panic)
    rig.replace([plain])
    #expect(rig.feed.grabbed.isEmpty && rig.feed.problems.isEmpty)
    _ = rig.finish()
  }
}
