import GlissEvents
import Testing

@testable import GlissGate

/// Verdicts on asks, by the existing grants.
@Suite struct JudgementTests {
  static let now = WallTime(seconds: 1_000_000)
  static let foo = ClientIdentity.program("/opt/foo")

  static func confined(_ confinement: ClientIdentity.Confinement, program: String? = "/opt/foo")
    -> ClientIdentity
  {
    ClientIdentity(uid: 1000, pid: 7, startTime: 1, confinement: confinement, program: program)
  }

  static func raw(
    _ events: EventMask, keys: KeyClasses = [], on devices: Set<String>? = nil
  ) -> Scope { Scope(tier: .raw, events: events, devices: devices, keys: keys) }

  static func grants(_ terms: [Grant.Terms]) -> [Grant] {
    terms.enumerated().map { index, terms in
      Grant(
        id: GrantID(rawValue: Int64(index + 1)), terms: terms, created: now, modified: now,
        grantedBy: "root")
    }
  }

  static func verdict(
    _ scope: Scope, by identity: ClientIdentity = foo, groups: [String] = [],
    _ terms: Grant.Terms...
  ) throws -> Verdict {
    let groups = try groups.map { try AccessGroup($0) }
    return Judgement.verdict(
      on: Ask(identity, scope), in: groups, grants: grants(terms), at: now)
  }

  static func refusal(_ scope: Scope, _ program: String = "/opt/foo") -> Grant.Terms {
    .program(program, scope).with { $0.isAllowed = false }
  }

  // MARK: Tiers

  static let wide = raw([.gesture, .touch, .key], keys: .all)

  /// Asked for × granted → given; `nil` for nothing.
  static let tiers: [(Scope, Scope, Scope?)] = [
    (.gestures, .gestures, .gestures),
    (.gestures, raw(.gesture), .gestures),
    (.gestures, raw([.touch, .key], keys: .all), nil),
    (.gestures, Scope(tier: .post), nil),
    (raw(.gesture), .gestures, .gestures),
    (raw(.gesture), raw(.gesture), raw(.gesture)),
    (wide, .gestures, .gestures),
    (wide, raw(.touch), raw(.touch)),
    (wide, raw([.touch, .pointer]), raw(.touch)),
    (wide, raw(.key, keys: .media), raw(.key, keys: .media)),
    (raw(.key, keys: .media), wide, raw(.key, keys: .media)),
    (
      raw(.key, keys: [.media, .typing]), raw(.key, keys: [.media, .modifiers]),
      raw(.key, keys: .media)
    ),
    (raw(.key, keys: .typing), raw(.key, keys: [.media, .modifiers, .function]), nil),
    (wide, Scope(tier: .post), nil),
    (Scope(tier: .post), wide, nil),
    (Scope(tier: .post), Scope(tier: .post), Scope(tier: .post)),
    (raw(.touch, on: ["Pad"]), raw(.touch), raw(.touch, on: ["Pad"])),
    (raw(.touch), raw(.touch, on: ["Pad"]), raw(.touch, on: ["Pad"])),
    (
      raw(.touch, on: ["Pad", "Pen"]), raw(.touch, on: ["Pad", "Mouse"]), raw(.touch, on: ["Pad"])
    ),
    (raw(.touch, on: ["Pen"]), raw(.touch, on: ["Pad"]), nil),
  ]

  @Test(arguments: tiers.indices)
  func anAskIsNarrowedToWhatIsGranted(_ index: Int) throws {
    let (asked, granted, given) = Self.tiers[index]
    let verdict = try Self.verdict(asked, .program("/opt/foo", granted))
    #expect(verdict.entitlements == (given.map { [Entitlement($0, .whenUnlocked)] } ?? []))
    #expect(verdict.standing == (given == nil ? .notDetermined : .granted))
    #expect(verdict.grants == (given == nil ? [] : [GrantID(rawValue: 1)]))
    let isWhole = given == asked
    #expect(verdict.isNarrower(than: asked) == !isWhole)
    #expect(verdict.mayRequest == !isWhole)
    #expect((verdict.advice == nil) == isWhole)
  }

  @Test func nothingIsGrantedByDefault() throws {
    for scope in TextFormTests.sound where scope.tier != .hotkey {
      let verdict = try Self.verdict(scope)
      #expect(verdict.standing == .notDetermined)
      #expect(verdict.entitlements.isEmpty)
    }
  }

  static let replaced: ClientIdentity = {
    var identity = confined(.none, program: nil)
    identity.isReplaced = true
    return identity
  }()
  static let strangers: [ClientIdentity] = [
    confined(.anonymous), confined(.anonymous, program: nil), confined(.none, program: nil),
    replaced,
    confined(.none, program: "/opt/a\nb"), confined(.none, program: "/opt/../bin/foo"),
  ]

  @Test(arguments: strangers)
  func anUnnamedClientIsGrantedOnlyItsOwnHotkeys(_ identity: ClientIdentity) throws {
    let path = identity.program ?? "/opt/foo"
    let verdict = try Self.verdict(
      Self.wide, by: identity, .program(path, Self.wide), .program("/opt/foo", Self.wide))
    #expect(verdict.standing == .restricted)
    #expect(verdict.entitlements.isEmpty)
    #expect(verdict.advice?.contains("start it again") == identity.isReplaced)
    #expect(!verdict.mayRequest)
    // chords that cannot be typing reveal nothing of what is typed
    let hotkeys = try Self.verdict(Scope(tier: .hotkey), by: identity)
    #expect(hotkeys.standing == .granted)
    #expect(hotkeys.entitlements == [Entitlement(Scope(tier: .hotkey), .whenUnlocked)])
  }

  @Test func aGrantIsForItsUserAndItsClientOnly() throws {
    let others: [(ClientIdentity, Client)] = [
      (.program("/opt/bar"), .program("/opt/foo")),
      (Self.confined(.app("org.foo.Bar")), .program("/opt/foo")),
      (Self.confined(.unit("foo.service")), .program("/opt/foo")),
      (Self.foo, .app("org.foo.Bar")),
      (Self.foo, .unit("foo.service")),
      (Self.confined(.app("org.foo.Bar")), .app("org.foo.Baz")),
      (Self.confined(.unit("foo.service")), .app("foo.service")),
      (.program("/opt/foo", uid: 1001), .program("/opt/foo")),
    ]
    for (identity, client) in others {
      let verdict = try Self.verdict(
        .gestures, by: identity, Grant.Terms(uid: 1000, client: client, scope: .gestures))
      #expect(verdict.standing == .notDetermined, "\(identity) has what \(client) was granted")
    }
    for confinement in [
      ClientIdentity.Confinement.app("org.foo.Bar"), .unit("foo.service"), .none,
    ] {
      let identity = Self.confined(confinement)
      let client = try #require(identity.client)
      let verdict = try Self.verdict(
        .gestures, by: identity, Grant.Terms(uid: 1000, client: client, scope: .gestures))
      #expect(verdict.standing == .granted)
    }
  }

  @Test func anAskWithoutEventsIsGrantedNothing() throws {
    let verdict = try Self.verdict(Scope(tier: .raw), .program("/opt/foo", Self.wide))
    #expect(verdict.standing == .notDetermined)
    #expect(verdict.advice?.contains("no event is asked for") == true)
  }

  // MARK: Time

  @Test(arguments: [(-1, false), (0, false), (1, true)] as [(Int64, Bool)])
  func aGrantHoldsUntilItsTimeAndNoLonger(_ offset: Int64, _ holds: Bool) throws {
    let end = WallTime(seconds: Self.now.seconds + offset)
    let verdict = try Self.verdict(
      .gestures, Grant.Terms.program("/opt/foo").with { $0.expiry = .at(end) })
    #expect(verdict.standing == (holds ? .granted : .notDetermined))
    #expect(verdict.until == (holds ? end : nil))
  }

  @Test func anExpiredRefusalRefusesNothing() throws {
    let verdict = try Self.verdict(
      .gestures, .program("/opt/foo"), Self.refusal(.gestures).with { $0.expiry = .at(Self.now) })
    #expect(verdict.standing == .granted)
  }

  @Test func lastingGrantsAreUsedBeforeSingleUseOnes() throws {
    let once = Grant.Terms.program("/opt/foo").with { $0.expiry = .once }
    let both = try Self.verdict(.gestures, once, .program("/opt/foo", Self.raw(.gesture)))
    #expect(both.grants == [GrantID(rawValue: 2)])
    #expect(try Self.verdict(.gestures, once).grants == [GrantID(rawValue: 1)])
  }

  // MARK: Several grants

  @Test func eachPartIsGivenOnceWithTheWidestAvailability() throws {
    let verdict = try Self.verdict(
      Self.raw([.key, .touch], keys: [.media, .function]),
      .program("/opt/foo", Self.raw(.key, keys: [.media, .function])),
      .program("/opt/foo", Self.raw(.key, keys: .media)).with { $0.availability = .always },
      .program("/opt/foo", Self.raw([.touch, .pointer])))
    #expect(
      verdict.entitlements == [
        Entitlement(Self.raw([.touch, .key], keys: .function), .whenUnlocked),
        Entitlement(Self.raw(.key, keys: .media), .always),
      ])
    #expect(verdict.grants == [1, 2, 3].map { GrantID(rawValue: $0) })
    #expect(verdict.advice == nil)
  }

  @Test func devicesOfSeveralGrantsAreCombined() throws {
    let asked = Self.raw(.touch, on: ["Pad", "Pen"])
    let verdict = try Self.verdict(
      asked, .program("/opt/foo", Self.raw(.touch, on: ["Pad"])),
      .program("/opt/foo", Self.raw(.touch, on: ["Pen", "Pad"])))
    #expect(!verdict.isNarrower(than: asked))
    #expect(verdict.entitlements == [Entitlement(asked, .whenUnlocked)])
  }

  @Test func gesturesWithCoordinatesOnOneDeviceLeaveThoseWithoutOnTheOthers() throws {
    let verdict = try Self.verdict(
      Self.raw(.gesture), .program("/opt/foo"),
      .program("/opt/foo", Self.raw(.gesture, on: ["Pad"])))
    #expect(
      verdict.entitlements == [
        Entitlement(Self.raw(.gesture, on: ["Pad"]), .whenUnlocked),
        Entitlement(.gestures, .whenUnlocked),
      ])
    #expect(verdict.advice?.contains("gestures come without coordinates") == true)
  }

  // MARK: Refusals

  @Test func aRefusalOverridesAGrantForThePartsItCovers() throws {
    let verdict = try Self.verdict(
      Self.wide, .program("/opt/foo", Self.wide), Self.refusal(Self.raw(.key, keys: .typing)))
    #expect(verdict.standing == .granted)
    #expect(
      verdict.entitlements == [
        Entitlement(
          Self.raw([.gesture, .touch, .key], keys: [.modifiers, .function, .media]), .whenUnlocked)
      ])
    #expect(!verdict.mayRequest)
    #expect(verdict.advice?.contains("gliss grants revoke 2") == true)
    let none = try Self.verdict(
      Self.raw(.key, keys: .typing), .program("/opt/foo", Self.wide), Self.refusal(Self.wide))
    #expect(none.standing == .denied)
    #expect(none.entitlements.isEmpty)
    #expect(!none.mayRequest)
  }

  @Test func refusingGesturesRefusesCoordinatesButNotTheOtherWayRound() throws {
    let all = Grant.Terms.program("/opt/foo", Self.raw(.gesture))
    #expect(try Self.verdict(Self.raw(.gesture), all, Self.refusal(.gestures)).standing == .denied)
    let narrowed = try Self.verdict(
      Self.raw(.gesture), all, Self.refusal(Self.raw(.gesture)))
    #expect(narrowed.entitlements == [Entitlement(.gestures, .whenUnlocked)])
    let gestures = try Self.verdict(.gestures, all, Self.refusal(Self.raw(.gesture)))
    #expect(gestures.entitlements == [Entitlement(.gestures, .whenUnlocked)])
  }

  @Test func aRefusalForOneDeviceDoesNotCoverANamedOther() throws {
    let refusal = Self.refusal(Self.raw(.touch, on: ["Pen"]))
    let all = Grant.Terms.program("/opt/foo", Self.raw(.touch))
    let named = try Self.verdict(Self.raw(.touch, on: ["Pad", "Pen"]), all, refusal)
    #expect(named.entitlements == [Entitlement(Self.raw(.touch, on: ["Pad"]), .whenUnlocked)])
    // a scope cannot express “all but one”, so nothing is shown, with the reason
    let unnamed = try Self.verdict(Self.raw(.touch), all, refusal)
    #expect(unnamed.standing == .denied)
    #expect(unnamed.advice?.contains("name them") == true)
    let grantedElsewhere = try Self.verdict(
      Self.raw(.touch), .program("/opt/foo", Self.raw(.touch, on: ["Pad"])), refusal)
    #expect(
      grantedElsewhere.entitlements == [Entitlement(Self.raw(.touch, on: ["Pad"]), .whenUnlocked)])
  }

  @Test func anotherClientsRefusalDoesNotCount() throws {
    let verdict = try Self.verdict(
      .gestures, .program("/opt/foo"), Self.refusal(.gestures, "/opt/bar"),
      Self.refusal(.gestures).with { $0.uid = 1001 })
    #expect(verdict.standing == .granted)
  }

  // MARK: Interpreters

  @Test func aServiceThatRunsAnInterpreterCountsAsAService() throws {
    let identity = Self.confined(.unit("foo.service"), program: "/usr/bin/python3.11")
    let terms = Grant.Terms(uid: 1000, client: .unit("foo.service"), scope: Self.raw(.touch))
    #expect(try Self.verdict(Self.raw(.touch), by: identity, terms).standing == .granted)
  }

  // MARK: Groups

  /// The group of a grant × the groups that the client is in → whether it reaches the client.
  static let members: [(String, [String], Bool)] = [
    ("org.foo", ["org.foo"], true), ("org.foo", ["org.foo.bar"], true),
    ("org.foo", ["org.baz", "org.foo.bar"], true), ("org.foo", ["org.foobar"], false),
    ("org.foo.bar", ["org.foo"], false), ("org.foo", [], false),
  ]

  /// Programs, units and apps: also an app whose own id is below the group is in it only as a member.
  static let clients: [ClientIdentity] = [
    foo, confined(.unit("foo.service")), confined(.app("org.foo.Viewer")),
    confined(.app("com.other.App")),
  ]

  @Test(arguments: members, clients)
  func aGrantForAGroupReachesItsMembersAndThoseOfGroupsBelow(
    _ member: (group: String, groups: [String], holds: Bool), _ identity: ClientIdentity
  ) throws {
    let group = try AccessGroup(member.group)
    let other = Grant.Terms.program("/opt/other").with { $0.group = group }
    let verdict = try Self.verdict(.gestures, by: identity, groups: member.groups, other)
    #expect(verdict.standing == (member.holds ? .granted : .notDetermined))
    // so does a refusal, whatever the client itself was granted
    let client = try #require(identity.client)
    let own = Grant.Terms(uid: 1000, client: client, scope: .gestures)
    let refused = try Self.verdict(
      .gestures, by: identity, groups: member.groups, own, other.with { $0.isAllowed = false })
    #expect(refused.standing == (member.holds ? .denied : .granted))
    // another user's group does not count for this one
    let foreign = try Self.verdict(
      .gestures, by: identity, groups: member.groups, other.with { $0.uid = 1001 })
    #expect(foreign.standing == .notDetermined)
  }

  @Test(arguments: clients)
  func aGrantForAClientHoldsInAnyGroup(_ identity: ClientIdentity) throws {
    let client = try #require(identity.client)
    var terms = Grant.Terms(uid: 1000, client: client, scope: .gestures)
    terms.group = try AccessGroup("org.foo")
    for groups in [[], ["org.foo"], ["org.bar"]] {
      let verdict = try Self.verdict(.gestures, by: identity, groups: groups, terms)
      #expect(verdict.standing == .granted)
      let refused = try Self.verdict(
        .gestures, by: identity, groups: groups, terms, terms.with { $0.isAllowed = false })
      #expect(refused.standing == .denied)
    }
  }

  @Test func anInterpretersGroupGrantsItNoLastingRawInput() throws {
    let python = ClientIdentity.program("/usr/bin/python3.11")
    let terms = try Grant.Terms.program("/opt/foo", Self.raw(.touch)).with {
      $0.group = try AccessGroup("org.foo")
    }
    let verdict = try Self.verdict(Self.raw(.touch), by: python, groups: ["org.foo"], terms)
    #expect(verdict.standing == .notDetermined)
    let once = try Self.verdict(
      Self.raw(.touch), by: python, groups: ["org.foo"], terms.with { $0.expiry = .once })
    #expect(once.standing == .granted)
  }

  // MARK: The package's own

  @Test func glissSeesGesturesWithoutAGrantAndNothingElse() throws {
    let gliss = ClientIdentity.program("/usr/bin/gliss")
    let verdict = try Self.verdict(.gestures, by: gliss)
    #expect(verdict.entitlements == [Entitlement(.gestures, .whenUnlocked)])
    #expect(verdict.grants.isEmpty)
    #expect(
      try Self.verdict(Self.wide, by: gliss).entitlements
        == [Entitlement(.gestures, .whenUnlocked)])
    #expect(try Self.verdict(Scope(tier: .post), by: gliss).standing == .notDetermined)
    #expect(
      try Self.verdict(.gestures, by: gliss, Self.refusal(.gestures, "/usr/bin/gliss")).standing
        == .denied)
    for identity in [
      .program("/home/me/gliss"), Self.confined(.anonymous, program: "/usr/bin/gliss"),
      Self.confined(.app("org.foo.Bar"), program: "/usr/bin/gliss"),
    ] {
      #expect(try Self.verdict(.gestures, by: identity).entitlements.isEmpty)
    }
  }

  // MARK: Advice

  @Test func adviceNamesWhatIsMissingAndTheCommandThatGrantsIt() throws {
    let identity = ClientIdentity.program("/opt/a b/it's")
    let asked = Self.raw([.touch, .key], keys: [.typing, .media], on: ["My Pad", "Pen"])
    let verdict = try Self.verdict(
      asked, by: identity, groups: ["org.foo"],
      .program("/opt/a b/it's", Self.raw(.key, keys: .media)))
    #expect(
      verdict.advice == """
        not granted: raw: touch, key; keys: typing; only on “My Pad”, “Pen”; \
        to grant it, run: sudo gliss grants grant '/opt/a b/it'\\''s' --user 1000 --tier raw \
        --events touch,key --keys typing --device 'My Pad' --device Pen
        """)
    let app = try Self.verdict(.gestures, by: Self.confined(.app("org.foo.Bar")))
    #expect(
      app.advice?.contains("gliss grants grant app:org.foo.Bar --user 1000 --tier gesture") == true)
  }
}
