import GlissBroker
import GlissConfiguration
import GlissDevices
import GlissEvents
import Testing

@testable import GlissAgent

/// Input that the test plays. A hotkey keeps its number while it is followed.
private final class PlayedFeed: Feed {
  let loop: InputLoop
  var alarm: EventTime?
  var didRing: (() -> Void)?
  var didReceive: ((FeedEvent) -> Void)?
  var didChange: (() -> Void)?
  private(set) var hotkeys: [HotkeyRequest: HotkeyID] = [:]
  let problems: [String] = []
  let isConnected = true
  let grabbed: [String] = []
  let readsDevices = false
  let press: PressKeys? = nil
  let deadline: EventTime? = nil
  private var last: UInt32 = 0
  /// What devices would be read for, each time.
  private(set) var masks: [EventMask] = []

  init() throws { loop = try InputLoop() }

  func follow(_ needs: InputNeeds, because occasion: FeedOccasion) {
    masks.append(DeviceFeed.mask(needs))
    hotkeys = hotkeys.filter { needs.requests.contains($0.key) }
    for request in needs.requests where hotkeys[request] == nil {
      last += 1
      hotkeys[request] = HotkeyID(rawValue: last)
    }
  }

  func enterMode(_ mode: String?) {}
  func focus(on window: RuleFocus.Window?, as matched: FollowedWindow) {}
  func take(_ now: FingerCounts, of ever: FingerCounts) {}
  func decide(_ verdict: StrokeVerdict) {}
  func watchPointing(_ isWanted: Bool) {}
  func advance(to time: EventTime) {}
  func turn() {}
  func stop() {}

  func play(_ hotkey: String, _ phase: HotkeyEvent.Phase, _ milliseconds: Double) {
    for (request, id) in hotkeys where "\(request.hotkey)" == hotkey {
      let event = HotkeyEvent(
        time: .zero + .milliseconds(milliseconds), device: DeviceID(rawValue: 0), hotkey: id,
        phase: phase, shouldAct: phase == .pressed)
      didReceive?(.hotkey(event))
    }
  }

  func hold(_ phase: GesturePhase, _ milliseconds: Int64) {
    let event = MatchingRig.event(.hold, phase, milliseconds)
    didReceive?(.gesture(event, stream: 0, modifiers: []))
  }
}

/// Triggers of the portal's applications come and go while others are held.
@Suite struct TriggerFeedTests {
  private let played: PlayedFeed
  private let feed: TriggerFeed
  private let edges = Edges()

  private final class Edges {
    var all: [String] = []
    func take() -> [String] {
      defer { all = [] }
      return all
    }
  }

  init() throws {
    played = try PlayedFeed()
    feed = TriggerFeed(played)
    feed.didTrigger = { [edges] trigger, hasBegun, _ in
      edges.all.append("\(trigger.text) \(hasBegun ? "begins" : "ends")")
    }
  }

  private func follow(_ triggers: String...) throws {
    feed.follow(try triggers.map { ($0, try #require(try Rule.Trigger(text: $0))) })
  }

  @Test func whatIsHeldEndsWithItsRelease() throws {
    try follow("f9", "ctrl+alt+f6")
    played.play("f9", .pressed, 0)
    #expect(edges.take() == ["f9 begins"])
    // another application leaves, and one comes
    try follow("f9")
    try follow("f9", "f10")
    #expect(edges.take() == [])
    played.play("f9", .repeated, 500)
    played.play("f10", .pressed, 600)
    played.play("f9", .released, 700)
    #expect(edges.take() == ["f10 begins", "f9 ends"])
    played.play("f9", .pressed, 800)
    played.play("f9", .released, 900)
    #expect(edges.take() == ["f9 begins", "f9 ends"])
  }

  /// When devices are read for other events, reading starts over, and what is held is released.
  @Test func aTriggerOfAnotherKindReleasesNothing() throws {
    try follow("f9")
    try follow("f9", "{gesture: hold, fingers: 3}")
    try follow("{gesture: hold, fingers: 3}")
    try follow()
    try follow("super+wheelup")
    #expect(Set(played.masks).count == 1)
  }

  @Test func aTriggerThatIsNoLongerFollowedEndsAtOnce() throws {
    try follow("f9", "f10")
    played.play("f9", .pressed, 0)
    _ = edges.take()
    try follow("f10")
    #expect(edges.take() == ["f9 ends"])
  }

  @Test func aGestureUnderWayEndsWhenTheFingersLift() throws {
    let hold = "{gesture: hold, fingers: 3}"
    try follow(hold, "f9")
    played.hold(.began, 0)
    #expect(edges.take() == ["\(hold) begins"])
    try follow("f10", hold)
    #expect(edges.take() == [])
    played.hold(.ended, 900)
    #expect(edges.take() == ["\(hold) ends"])
    played.hold(.began, 1000)
    played.hold(.cancelled, 1100)
    #expect(edges.take() == ["\(hold) begins", "\(hold) ends"])
  }

  /// An application leaves in the middle of a stroke, and comes again.
  @Test func aStrokeWhoseEndIsLostBeginsNothingLater() throws {
    try follow("{gesture: swipe, fingers: 4, direction: up}", "f9")
    played.didReceive?(
      .gesture(MatchingRig.swipe(.began, 0, fingers: 4), stream: 0, modifiers: []))
    try follow("f9")
    try follow("{gesture: swipe, fingers: 4, direction: up}", "f9")
    played.didReceive?(
      .gesture(MatchingRig.swipe(.began, 900, fingers: 2), stream: 0, modifiers: []))
    played.didReceive?(
      .gesture(MatchingRig.swipe(.changed, 950, y: -50, fingers: 2), stream: 0, modifiers: []))
    #expect(edges.take() == [])
  }

  @Test func interruptedInputEndsAll() throws {
    try follow("f9")
    played.play("f9", .pressed, 0)
    try follow("f9", "f10")
    _ = edges.take()
    played.didReceive?(.interrupted(at: .zero + .milliseconds(100)))
    #expect(edges.take() == ["f9 ends"])
    played.play("f9", .released, 200)
    #expect(edges.take() == [])
  }
}
