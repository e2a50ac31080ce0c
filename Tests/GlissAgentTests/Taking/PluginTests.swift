import Foundation
import GlissEvents
import GlissSynthesis
import StrokeClasses
import TestSupport
import Testing

/// gliss.lua, which desktops load, over strokes of all classes.
@Suite(.enabled(if: Plugin.canRun, "lua5.4 is missing: apt-get install lua5.4"))
struct PluginTests {
  /// What the control says about a stroke.
  enum Verdict: CaseIterable { case keep, giveBack, none }

  @Test(arguments: [Pad.small, .medium, .large, .unsized])
  func strokesAreUntouchedWithoutARule(on pad: Pad) throws {
    var plugin = Plugin(pad, counts: 0)
    for played in Self.strokes(on: pad, each: 2) { plugin.play(played) }
    try plugin.run { before, after, moment in
      #expect(before.contacts == after.contacts, moment)
    }
  }

  /// Contacts may be late, and hidden ones elsewhere, but only of strokes of a wanted number of fingers.
  @Test(arguments: [Pad.medium, .large, .unsized], Verdict.allCases)
  func nothingIsLostOrLeftBehind(on pad: Pad, _ verdict: Verdict) throws {
    var plugin = Plugin(pad, counts: 0b111000)
    for played in Self.strokes(on: pad, each: 2) { plugin.play(played, verdict) }
    var (late, elsewhere, isLate) = (0, 0, false)
    try plugin.run(finally: { before, after, moment in
      #expect(before.slot == after.slot, moment)
      #expect(before.contacts == after.contacts, moment)
      #expect(before.keys == after.keys, moment)
    }) { before, after, moment in
      let ids = (before.places.mapValues(\.id), after.places.mapValues(\.id))
      if ids.0 != ids.1 { late += 1 }
      if before.places != after.places { elsewhere += 1 }
      if verdict == .keep, before.isDecided {
        #expect(before.places == after.places, "\(moment): what is kept has nothing to wait for")
      }
      // fingers may land while the stroke before them is late, and are late then, too
      isLate = before.contacts != after.contacts && (isLate || before.most >= 3)
      guard before.most < 3, !isLate else { return }
      #expect(before.contacts == after.contacts, "\(moment): fewer than three fingers are hidden")
      #expect(before.slot == after.slot && before.keys == after.keys, moment)
    }
    #expect(elsewhere > 20 && (late > 0 || verdict != .none), "\(late), \(elsewhere)")
  }

  /// As if nothing had been hidden, but for the time: the verdict comes as the fingers lift, or so many frames before.
  @Test(arguments: 0...3) func aFlickThatIsGivenBackGoesAllOfItsWay(left: Int) throws {
    let flick = try #require(TraceClass.named("flick-3")).trace(on: .large, index: 0, seed: 1)
    var played = Played(flick)
    let lift = try #require(
      played.frames.firstIndex { $0.contains { $0.isAbsolute(.trackingID) && $0.value < 0 } })
    played.decision = lift - left
    var plugin = Plugin(.large, counts: 0b1000)
    for _ in 0..<2 { plugin.play(played, .giveBack) }
    var last: [Int: PadState.Place] = [:]
    let shown = try plugin.run { before, _, _ in
      if before.stroke == 0, before.count == 3 { last = before.places }
    }
    let places = shown.filter { $0.stroke == 0 && $0.fingers.count == 3 }.map(\.places)
    // libinput begins a pinch in the second frame of motion, and updates it in the third
    #expect(places.contains(last) && Set(places).count > 3, "\(places), \(last)")
  }

  /// A stroke that a rule wants, right behind a flick without a verdict.
  @Test func theStrokeBehindAFlickIsKept() throws {
    let flick = try #require(TraceClass.named("flick-3")).trace(on: .large, index: 0, seed: 1)
    let swipe = try #require(TraceClass.named("swipe-3")).trace(on: .large, index: 0, seed: 1)
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(Played(flick), .none, pause: 24_000)
    plugin.play(Played(swipe), .keep)
    plugin.play(Played(flick), .none)
    try plugin.run { before, after, moment in
      if before.stroke == 1, before.frame == 0 {
        #expect(before.contacts == after.contacts, "what waits gives way to the next stroke")
      }
      guard before.stroke == 1, before.isDecided, before.count > 0 else { return }
      #expect(after.fingers.isEmpty, moment)
    }
  }

  /// libinput sees jumps in frames that follow at once.
  @Test func whatIsGivenBackFollowsInTime() throws {
    let swipe = try #require(TraceClass.named("swipe-3")).trace(on: .large, index: 0, seed: 1)
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(Played(swipe), .giveBack)
    let times = try plugin.run { _, _, _ in }.map(\.time)
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    // the pad's are 8 ms
    #expect(gaps.allSatisfy { $0 > 5000 } && gaps.contains { $0 < 6000 }, "\(gaps)")
  }

  @Test(arguments: [Pad.medium, .large, .unsized])
  func aKeptStrokeIsHiddenUntilItEnds(on pad: Pad) throws {
    var plugin = Plugin(pad, counts: 0b111000)
    var kept: Set<Int> = []
    for (index, played) in Self.strokes(on: pad, each: 4).enumerated() {
      plugin.play(played, .keep)
      if played.decision != nil { kept.insert(index) }
    }
    #expect(kept.count > 40)
    try plugin.run { before, after, moment in
      guard kept.contains(before.stroke), before.isDecided, before.count > 0 else {
        return
      }
      #expect(after.fingers.isEmpty, moment)
    }
  }

  /// libinput gets all frames as the pad sends them, if some later.
  @Test(arguments: [Pad.medium, .large, .unsized], [Verdict.giveBack, .none])
  func aStrokeThatIsGivenBackIsTheSame(on pad: Pad, verdict: Verdict) throws {
    var plugin = Plugin(pad, counts: 0b111000)
    for played in Self.strokes(on: pad, each: 4) { plugin.play(played, verdict) }
    var (sent, late) = ([PadState](), 0)
    let known = try plugin.run { before, after, _ in
      sent.append(before)
      if before.places != after.places { late += 1 }
    }
    try #require(sent.count == known.count)
    let first = zip(sent, known).enumerated().first {
      $1.0.contacts != $1.1.contacts || $1.0.keys != $1.1.keys
    }
    #expect(first == nil, "\(Seed.advice)")
    #expect(late > 20, "nothing waited at all")
  }

  /// What is dragged with a held button would stop on the way.
  @Test func aStrokeWithAHeldButtonIsTheDesktops() throws {
    let swipe = try #require(TraceClass.named("swipe-3")).trace(on: .large, index: 0, seed: 1)
    var played = Played(swipe)
    let landed = try #require(
      played.frames.firstIndex { $0.contains { $0.isAbsolute(.trackingID) } })
    played.frames[landed + 1].append(.key(.leftButton, 1, at: .zero))
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(played, .keep)
    try plugin.run { before, after, moment in
      #expect(before.contacts == after.contacts && before.keys == after.keys, moment)
    }
  }

  /// libinput has seen the way that they went with the button down.
  @Test func aButtonThatIsReleasedHidesNothing() throws {
    let kind = try #require(TraceClass.named("swipe-3"))
    // the last finger lands after the press, and with it the stroke is open again
    let swipe = try #require(
      (0..<40).lazy.map { Played(kind.trace(on: .large, index: $0, seed: 1)) }.first {
        $0.frames.count { $0.contains { $0.isAbsolute(.trackingID) && $0.value > 0 } } > 1
      })
    var played = swipe
    let landed = try #require(
      swipe.frames.firstIndex { $0.contains { $0.isAbsolute(.trackingID) } })
    let lifted = try #require(
      swipe.frames.firstIndex { $0.contains { $0.isAbsolute(.trackingID) && $0.value < 0 } })
    try #require(lifted > landed + 4)
    played.frames[landed].append(.key(.leftButton, 1, at: .zero))
    played.frames[lifted - 2].append(.key(.leftButton, 0, at: .zero))
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(played)
    try plugin.run { before, after, moment in
      #expect(before.contacts == after.contacts, moment)
    }
  }

  /// While the desktop has disabled the pad, nothing says that fingers lift.
  @Test func fingersThatLiftedUnseenDoNotCount() throws {
    let swipe = try #require(TraceClass.named("swipe-3")).trace(on: .large, index: 0, seed: 1)
    let scroll = try #require(TraceClass.named("drag-plain")).trace(on: .large, index: 0, seed: 1)
    var unseen = Played(swipe)
    let lift = try #require(
      unseen.frames.firstIndex { $0.contains { $0.isAbsolute(.trackingID) && $0.value < 0 } })
    unseen.frames.removeSubrange(lift...)
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(unseen, .giveBack)
    plugin.play(Played(scroll))
    try plugin.run { before, after, moment in
      guard before.stroke == 1 else { return }
      #expect(before.contacts == after.contacts, moment)
    }
  }

  /// One is still down when the desktop enables the pad again, and lifts then.
  @Test func fingersThatLiftedUnseenBesideAnotherDoNotCount() throws {
    let (down, up) = (Self.touch(true), Self.touch(false))
    var plugin = Plugin(.large, counts: 0b1000)
    let landing = try #require(Self.swipe(0...2, id: 10).first)
    plugin.play(Played(frames: [landing + down, Self.contact(0, id: -1) + up]))
    var next = Self.swipe(0...0, id: 20)
    next[0] += down
    next[next.count - 1] += up
    plugin.play(Played(frames: next))
    try plugin.run { before, after, moment in
      #expect(before.contacts == after.contacts, moment)
    }
  }

  /// Gliss may find that a thumb rests; the plugin does not know of that.
  @Test func aVerdictCountsWithMoreContactsThanFingers() throws {
    let frames =
      [Self.contact(0, id: 9, x: -2000)] + Self.swipe(1...3, id: 10) + [Self.contact(0, id: -1)]
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(Played(frames: frames, decision: 4), .keep)
    var moments = 0
    try plugin.run { before, after, moment in
      guard before.isDecided else { return }
      moments += 1
      #expect(after.fingers.isEmpty, moment)
    }
    #expect(moments > 3)
  }

  /// It lands as the last finger of the stroke lifts.
  @Test func aFingerThatLandsAsAKeptStrokeEndsIsTheDesktops() throws {
    var frames: [[EvdevEvent]] = Self.swipe(0...2, id: 10).dropLast()
    frames.append(Self.contact(1, id: -1) + Self.contact(2, id: -1))
    frames.append(Self.contact(0, id: -1) + Self.contact(3, id: 20, x: 3000))
    let end = frames.count
    for x in [3010, 3020] as [Int32] { frames.append(Self.contact(3, x: x)) }
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(Played(frames: frames, decision: 3), .keep)
    try plugin.run { before, after, moment in
      if before.frame == end - 2 { #expect(after.fingers.isEmpty, moment) }
      if before.frame >= end { #expect(after.fingers == [3], moment) }
    }
  }

  /// The verdict comes a frame later, when the finger may have moved. A thumb rests beside it.
  @Test(arguments: [10, 100] as [Int32])
  func aFingerThatLandsAsAWaitingStrokeEndsIsTheDesktops(way: Int32) throws {
    var frames: [[EvdevEvent]] = [Self.contact(4, id: 9, x: -2000)]
    let swipe = Self.swipe(0...2, id: 10)
    frames += swipe.prefix(2)
    // all of them lift
    frames.append(swipe[swipe.count - 1] + Self.contact(3, id: 20, x: 3000))
    for step: Int32 in 1...3 { frames.append(Self.contact(3, x: 3000 + way * step)) }
    var plugin = Plugin(.large, counts: 0b10000)
    plugin.play(Played(frames: frames, decision: 4), .keep)
    try plugin.run { before, after, moment in
      if before.frame == 3 { #expect(after.fingers == [0, 1, 2, 4], moment) }
      if before.frame >= 5 { #expect(after.fingers == [3] && after.count == 2, moment) }
    }
  }

  /// Only one contact has moved far enough, and the pad loses it for a frame.
  @Test func aContactThatWasLostIsPartOfTheStrokeThatWaits() throws {
    var frames = [(0...2).flatMap { Self.contact($0, id: 10 + $0, x: 400 * $0) }]
    frames.append(Self.contact(0, x: 100) + Self.contact(1, x: 420) + Self.contact(2, x: 820))
    frames.append(Self.contact(0, id: -1))
    frames.append(Self.contact(0, id: 20, x: 100))
    for step: Int32 in 1...3 {
      frames.append((0...2).flatMap { Self.contact($0, x: 400 * $0 + 100 * step) })
    }
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(Played(frames: frames, decision: 4), .keep)
    try plugin.run { before, after, moment in
      if before.frame >= 5 { #expect(after.count == 3 && after.fingers == [], moment) }
    }
  }

  /// No frame of the one before waits any more.
  @Test func theStrokeBehindAFlickThatWasGivenBackIsNotLate() throws {
    let flick = Self.swipe(0...2, id: 10)
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(Played(frames: flick, decision: flick.count - 1), .giveBack, pause: 40_000)
    plugin.play(Played(frames: Self.swipe(0...0, id: 20)))
    try plugin.run { before, after, moment in
      guard before.stroke == 1 else { return }
      #expect(before.contacts == after.contacts, moment)
    }
  }

  /// What the large pad says of a contact.
  private static func contact(_ slot: Int32, id: Int32? = nil, x: Int32? = nil) -> [EvdevEvent] {
    var events = [EvdevEvent.absolute(.slot, slot, at: .zero)]
    if let id { events.append(.absolute(.trackingID, id, at: .zero)) }
    if let x { events.append(.absolute(.positionX, x, at: .zero)) }
    if id != -1 { events.append(.absolute(.positionY, 0, at: .zero)) }
    return events
  }

  private static func touch(_ isDown: Bool) -> [EvdevEvent] {
    [.key(.touch, isDown ? 1 : 0, at: .zero)]
  }

  /// Contacts in these slots land in one frame, go 2 mm in each of six, and lift in one.
  private static func swipe(_ slots: ClosedRange<Int32>, id: Int32) -> [[EvdevEvent]] {
    var frames: [[EvdevEvent]] = [slots.flatMap { contact($0, id: id + $0, x: 400 * $0) }]
    for step: Int32 in 1...6 {
      frames.append(slots.flatMap { contact($0, x: 400 * $0 + 100 * step) })
    }
    return frames + [slots.flatMap { contact($0, id: -1) }]
  }

  /// A contact that the pad loses for an instant begins no stroke.
  @Test func aStrokeThatWasGivenBackMayLoseAContact() throws {
    let swipe = try #require(TraceClass.named("swipe-3")).trace(on: .large, index: 0, seed: 1)
    var played = Played(swipe)
    let loss = try #require(played.decision) + 4
    played.lose(1, in: loss..<loss + 3)
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(played, .giveBack)
    var moments = 0
    try plugin.run { before, after, moment in
      // until nothing waits any more
      guard before.frame > loss + 4, before.count == 3 else { return }
      moments += 1
      #expect(before.fingers == after.fingers, moment)
    }
    #expect(moments > 8)
  }

  @Test func strokesAreTheDesktopsWhenTheControlGoes() throws {
    var plugin = Plugin(.large, counts: 0b1000)
    let swipe = try #require(TraceClass.named("swipe-3")).trace(on: .large, index: 0, seed: 1)
    plugin.play(Played(swipe), .none, controlGoesAt: 12)
    plugin.play(Played(swipe), .none)
    try plugin.run { before, after, moment in
      // until nothing waits any more
      guard before.frame > 24 || before.stroke > 0 else { return }
      #expect(before.contacts == after.contacts, moment)
    }
  }

  /// The button is clicked right after a flick, which has no verdict yet.
  @Test func aClickAfterTheLastLiftDoesNotWait() throws {
    var played = Played(
      try #require(TraceClass.named("flick-3")).trace(on: .large, index: 0, seed: 1))
    let end = played.frames.count
    played.frames += [[.key(.leftButton, 1, at: .zero)], [.key(.leftButton, 0, at: .zero)]]
    var plugin = Plugin(.large, counts: 0b1000)
    plugin.play(played, .none)
    var late = 0
    try plugin.run { before, after, moment in
      if before.places != after.places { late += 1 }
      guard before.frame >= end else { return }
      #expect(before.keys == after.keys && before.contacts == after.contacts, moment)
    }
    #expect(late > 0)
  }

  /// The focus changes during a swipe that the desktop has.
  @Test func rulesThatComeDuringAStrokeDoNotStopIt() throws {
    let swipe = Played(
      try #require(TraceClass.named("swipe-3")).trace(on: .large, index: 0, seed: 1))
    let decision = try #require(swipe.decision)
    var (first, rest) = (swipe, swipe)
    first.frames.removeSubrange((decision + 2)...)
    rest.frames.removeSubrange(..<(decision + 2))
    rest.decision = nil
    var plugin = Plugin(.large, counts: 0b11000)
    plugin.say(PluginEvent.gesture, 0b10000)
    plugin.play(first, pause: 0)
    plugin.say(PluginEvent.gesture, 0b1000)
    plugin.play(rest)
    try plugin.run { before, after, moment in #expect(before.contacts == after.contacts, moment) }
  }

  @Test(arguments: [0, 0b1000, 0b10000])
  func onlyWantedNumbersOfFingersAreHidden(counts: Int32) throws {
    var plugin = Plugin(.large, counts: 0b111000)
    plugin.say(PluginEvent.gesture, counts)
    let classes = ["swipe-3", "swipe-4", "pinch-in-symmetric", "tap-3", "hold-3", "click-2"]
    for name in classes {
      let strokes = try #require(TraceClass.named(name))
      for index in 0..<6 {
        plugin.play(Played(strokes.trace(on: .large, index: index, seed: Seed.value)))
      }
    }
    var hidden: Set<Int> = []
    try plugin.run { before, after, _ in
      if after.places != before.places { hidden.insert(before.most) }
    }
    #expect(hidden == Set([3, 4].filter { counts & 1 << $0 != 0 }), "\(Seed.advice)")
  }

  /// Each number of fingers is hidden only after it has moved, so taps and holds stay.
  @Test(arguments: ["tap-3", "tap-4", "hold-3", "hold-4", "tap-triple"])
  func fingersThatLieStillAreNotHidden(name: String) throws {
    var plugin = Plugin(.medium, counts: 0b111000)
    let strokes = try #require(TraceClass.named(name))
    for index in 0..<20 {
      let stroke = Played(strokes.trace(on: .medium, index: index, seed: Seed.value))
      if !stroke.creeps { plugin.play(stroke, .keep) }
    }
    try plugin.run { before, after, moment in
      #expect(before.contacts == after.contacts, "\(moment) \(Seed.advice)")
    }
  }

  @Test func theControlIsAsTheFileSays() throws {
    let text = try Repository.text("Sources/GlissAgent/Taking/gliss.lua")
    #expect(text.contains(#"NAME, VENDOR, VERSION = "\#(Plugin.control)", 0x676c, 0x10"#))
  }

  /// Strokes of every class on this pad, shuffled.
  private static func strokes(on pad: Pad, each: Int) -> [Played] {
    var random = Seed.source("plugin")
    var strokes = TraceClass.plain.flatMap { strokes in
      (0..<each).map { Played(strokes.trace(on: pad, index: $0, seed: random.next())) }
    }
    for index in strokes.indices.reversed() {
      strokes.swapAt(index, Int(random.next() % UInt64(index + 1)))
    }
    return strokes
  }
}
