import GlissEvents
import GlissHotkeys
import GlissPortal
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissConfiguration

/// A machine, and what it was told to do.
private struct Played {
  var machine: PortalMachine
  var calls = 0

  init(_ answers: ShortcutAnswers = ShortcutAnswers()) { machine = PortalMachine(answers) }

  mutating func create(_ path: String = "/s", of application: String = "app") -> [PortalAction] {
    calls += 1
    return machine.createSession(calls, path, of: application)
  }

  mutating func bind(
    _ wishes: [RequestedShortcut], _ session: String = "/s", request: String = "/r"
  ) -> [PortalAction] {
    calls += 1
    return machine.bind(calls, request: request, session: session, wishes)
  }
}

private func trigger(_ text: String) -> Rule.Trigger {
  guard let trigger = try? Rule.Trigger(text: text) else {
    Issue.record("\(text) is no trigger")
    return .gesture(GestureCondition(kind: .tap))
  }
  return trigger
}

private func answer(_ id: String, _ text: String?) -> ShortcutAnswers.Answer {
  ShortcutAnswers.Answer(id: id, description: "", trigger: text.map(trigger))
}

private func asked(_ actions: [PortalAction]) -> ConsentQuestion? {
  for case .ask(let question) in actions { return question }
  return nil
}

private func followed(_ actions: [PortalAction]) -> [Rule.Trigger]? {
  for case .follow(let triggers) in actions.reversed() { return triggers }
  return nil
}

@Suite struct PortalMachineTests {
  private let talk = RequestedShortcut(id: "talk", description: "Talk", preferred: "CTRL+ALT+p")
  private let mute = RequestedShortcut(id: "mute", description: "Mute", preferred: "nonsense")

  private func allowed() -> Played {
    var played = Played(
      ShortcutAnswers([.init(name: "app", answers: [answer("talk", "ctrl+alt+p")])]))
    #expect(played.create() == [.reply(1, .created)])
    #expect(
      played.bind([talk]) == [
        .follow([trigger("ctrl+alt+p")]), .reply(2, .shortcuts(session: "/s")),
      ])
    return played
  }

  @Test func nothingIsFollowedBeforeTheUserHasAnswered() throws {
    var played = Played()
    #expect(played.create() == [.reply(1, .created)])
    let actions = played.bind([talk, mute])
    let question = try #require(asked(actions))
    #expect(actions == [.ask(question)])
    #expect(question.rows.map(\.shortcut.id) == ["talk", "mute"])
    #expect(question.rows.map { $0.trigger?.words } == ["Ctrl+Alt+P", nil])
    #expect(question.rows[0].trigger?.consumes == true)
    let given = [answer("talk", "ctrl+alt+t"), answer("mute", nil)]
    let done = played.machine.answered(question.number, .answers(given))
    #expect(
      done == [
        .remember(given, of: "app"), .follow([trigger("ctrl+alt+t")]),
        .reply(2, .shortcuts(session: "/s")),
      ])
    #expect(played.machine.shortcuts(of: "/s").map(\.id) == ["talk"])
    #expect(played.machine.shortcuts(of: "/s").first?.trigger == "Ctrl+Alt+T")
  }

  @Test func knownShortcutsAreNotAskedForAgain() {
    var played = allowed()
    // as often as it likes, and with the same id twice
    #expect(played.bind([talk, talk]) == [.reply(3, .shortcuts(session: "/s"))])
    #expect(played.machine.shortcuts(of: "/s").count == 1)
  }

  @Test func bothEdgesReachEverySessionOnce() {
    var played = allowed()
    _ = played.create("/t")
    _ = played.bind([talk], "/t")
    let time = EventTime(microseconds: 5)
    let key = trigger("ctrl+alt+p")
    #expect(
      played.machine.triggered(key, hasBegun: true, at: time) == [
        .activated(session: "/s", id: "talk", at: time),
        .activated(session: "/t", id: "talk", at: time),
      ])
    #expect(played.machine.triggered(key, hasBegun: true, at: time) == [])
    #expect(played.machine.triggered(key, hasBegun: false, at: time).count == 2)
    #expect(played.machine.triggered(key, hasBegun: false, at: time) == [])
    #expect(played.machine.triggered(trigger("ctrl+alt+q"), hasBegun: true, at: time) == [])
  }

  @Test func deniedOnceIsDeniedUntilForgotten() {
    var played = Played(ShortcutAnswers([.init(name: "app", answers: [answer("talk", nil)])]))
    _ = played.create()
    #expect(played.bind([talk]) == [.reply(2, .cancelled)])
    var answers = played.machine.answers
    #expect(answers.forget("app") == 1)
    _ = played.machine.replaceAnswers(answers)
    #expect(asked(played.bind([talk])) != nil)
  }

  @Test func puttingOffDecidesNothing() throws {
    var played = Played()
    _ = played.create()
    let question = try #require(asked(played.bind([talk])))
    #expect(played.machine.answered(question.number, .later) == [.reply(2, .cancelled)])
    #expect(played.machine.answers == ShortcutAnswers())
    #expect(asked(played.bind([talk])) != nil)
  }

  /// An update of the application asks for one more.
  @Test func whatWasAllowedStaysAllowedIfANewShortcutIsNot() throws {
    var played = Played(
      ShortcutAnswers([.init(name: "app", answers: [answer("talk", "ctrl+alt+p")])]))
    _ = played.create()
    for number in 0..<8 {
      var actions = played.bind([talk, mute])
      if let question = asked(actions) {
        #expect(number < 4)
        actions = played.machine.answered(question.number, .later)
      }
      #expect(actions.last == .reply(played.calls, .shortcuts(session: "/s")), "\(number)")
      #expect(played.machine.shortcuts(of: "/s").map(\.id) == ["talk"])
    }
  }

  @Test func anAnswerCountsOnlyForWhatWasAskedAndMayBe() throws {
    var played = Played()
    _ = played.create()
    let question = try #require(asked(played.bind([talk])))
    let typed = ShortcutAnswers.Answer(id: "talk", description: "", trigger: trigger("a"))
    let actions = played.machine.answered(
      question.number, .answers([answer("other", "ctrl+o"), typed]))
    #expect(followed(actions) ?? [] == [])
    #expect(played.machine.answers["app", "other"] == nil)
    #expect(played.machine.answers["app", "talk"] == nil)
    // an old answer to a question that is over
    #expect(played.machine.answered(question.number, .answers([answer("talk", "f5")])) == [])
  }

  @Test func typeableChordsOfTheFileAreIgnored() {
    var played = Played(ShortcutAnswers([.init(name: "app", answers: [answer("talk", "a")])]))
    _ = played.create()
    #expect(played.bind([talk]) == [.reply(2, .cancelled)])
  }

  @Test func closingTheRequestTakesTheDialogAway() throws {
    var played = Played()
    _ = played.create()
    let question = try #require(asked(played.bind([talk])))
    #expect(played.machine.hasRequest("/r"))
    #expect(played.machine.closeRequest("/r") == [.dismiss, .reply(2, .other)])
    #expect(!played.machine.hasRequest("/r"))
    #expect(played.machine.answered(question.number, .answers([answer("talk", "f5")])) == [])
    #expect(played.machine.answers == ShortcutAnswers())
    #expect(played.machine.closeRequest("/r") == [])
  }

  @Test func oneQuestionAtATime() throws {
    var played = Played()
    _ = played.create("/s", of: "one")
    _ = played.create("/t", of: "two")
    let first = try #require(asked(played.bind([talk], "/s", request: "/r1")))
    #expect(played.bind([talk], "/t", request: "/r2") == [])
    // the same session has to wait, and the same request cannot be two
    #expect(played.bind([mute], "/s", request: "/r3") == [.reply(5, .other)])
    let next = played.machine.answered(first.number, .answers([answer("talk", "ctrl+1")]))
    #expect(asked(next)?.application == "two")
  }

  @Test func aQuestionThatWasAnsweredMeanwhileIsNotAsked() throws {
    var played = Played()
    _ = played.create("/s")
    _ = played.create("/t")
    let first = try #require(asked(played.bind([talk], "/s", request: "/r1")))
    #expect(played.bind([talk], "/t", request: "/r2") == [])
    let next = played.machine.answered(first.number, .answers([answer("talk", "ctrl+1")]))
    #expect(asked(next) == nil)
    #expect(next.contains(.reply(3, .shortcuts(session: "/s"))))
    #expect(next.contains(.reply(4, .shortcuts(session: "/t"))))
  }

  @Test func aSessionThatClosesGivesItsKeysBack() {
    var played = allowed()
    #expect(played.machine.closeSession("/s") == [.follow([])])
    #expect(!played.machine.hasSession("/s"))
    #expect(played.machine.closeSession("/s") == [])
    #expect(played.bind([talk]) == [.reply(3, .other)])
  }

  @Test func thePortalTakesAllSessionsWithIt() throws {
    var played = allowed()
    _ = played.create("/t")
    _ = played.bind([mute], "/t", request: "/r2")
    #expect(played.machine.portalLeft() == [.dismiss, .reply(4, .other), .follow([])])
    #expect(!played.machine.hasSession("/s"))
    #expect(played.machine.portalLeft() == [])
  }

  @Test func theEndIsAnnouncedToEverySession() {
    var played = allowed()
    _ = played.create("/t")
    #expect(
      played.machine.end() == [.closed(session: "/s"), .closed(session: "/t"), .follow([])])
  }

  @Test func withoutAnIdAnswersEndWithTheSession() throws {
    var played = Played()
    _ = played.create("/s", of: "")
    _ = played.create("/t", of: "")
    let question = try #require(asked(played.bind([talk])))
    let actions = played.machine.answered(
      question.number, .answers([answer("talk", "ctrl+alt+p")]))
    #expect(
      actions == [
        .follow([trigger("ctrl+alt+p")]), .reply(3, .shortcuts(session: "/s")),
      ])
    #expect(played.machine.answers == ShortcutAnswers())
    #expect(asked(played.bind([talk], "/t")) != nil)
  }

  @Test func anEditedFileHoldsAtOnce() {
    var played = allowed()
    let key = trigger("ctrl+alt+p")
    let time = EventTime(microseconds: 1)
    _ = played.machine.triggered(key, hasBegun: true, at: time)
    let next = ShortcutAnswers([.init(name: "app", answers: [answer("talk", "f9")])])
    // pressed meanwhile: the release of the old keys will not come
    #expect(
      played.machine.replaceAnswers(next) == [
        .deactivated(session: "/s", id: "talk", at: nil), .follow([trigger("f9")]),
        .changed(session: "/s"),
      ])
    #expect(played.machine.replaceAnswers(next) == [])
    let none = ShortcutAnswers([.init(name: "app", answers: [answer("talk", nil)])])
    #expect(played.machine.replaceAnswers(none) == [.follow([]), .changed(session: "/s")])
  }

  @Test func configuringShowsAllAndReportsChanges() throws {
    var played = allowed()
    let actions = played.machine.configure(9, session: "/s")
    let question = try #require(asked(actions))
    #expect(actions == [.reply(9, .nothing), .ask(question)])
    #expect(question.isChange)
    #expect(question.rows.map(\.isNew) == [false])
    let done = played.machine.answered(question.number, .answers([answer("talk", "f8")]))
    #expect(
      done == [
        .remember([answer("talk", "f8")], of: "app"), .follow([trigger("f8")]),
        .changed(session: "/s"),
      ])
    // a session without shortcuts has nothing to configure
    _ = played.create("/t")
    #expect(played.machine.configure(10, session: "/t") == [.reply(10, .nothing)])
    #expect(played.machine.configure(11, session: "/nowhere") == [.reply(11, .nothing)])
  }

  /// A session whose shortcuts were all denied has nothing to change, and must not be asked about.
  @Test func deniedShortcutsAreNotConfigured() {
    var played = Played(ShortcutAnswers([.init(name: "app", answers: [answer("talk", nil)])]))
    _ = played.create()
    #expect(played.bind([talk]) == [.reply(2, .cancelled)])
    #expect(played.machine.configure(9, session: "/s") == [.reply(9, .nothing)])
  }

  /// However often an application asks, the user sees few questions.
  @Test(arguments: ["later", "denied", "withdrawn"])
  func anApplicationThatIsRefusedMustWait(_ end: String) throws {
    var played = Played()
    _ = played.create()
    _ = played.create("/t", of: "other")
    var asked = 0
    for number in 0..<300 {
      played.machine.advance(to: EventTime(microseconds: Int64(number) * 1_000_000))
      let actions = played.bind([RequestedShortcut(id: "\(number)")])
      guard case .ask(let question)? = actions.first else {
        #expect(actions == [.reply(played.calls, .cancelled)])
        continue
      }
      asked += 1
      switch end {
      case "later": _ = played.machine.answered(question.number, .later)
      case "denied":
        _ = played.machine.answered(question.number, .answers([answer("\(number)", nil)]))
      case _: _ = played.machine.closeRequest("/r")
      }
    }
    #expect(asked == 4)
    // others may still ask, and so may this one later
    #expect(GlissPortalTests.asked(played.bind([talk], "/t")) != nil)
    _ = played.machine.closeRequest("/r")
    played.machine.advance(to: EventTime(microseconds: 310_000_000))
    #expect(GlissPortalTests.asked(played.bind([talk])) != nil)
  }

  /// What is only kept is no reason to be asked again.
  @Test func aShortcutThatIsKeptDoesNotAllowMoreQuestions() throws {
    var played = allowed()
    var asked = 0
    for number in 0..<20 {
      let actions = played.bind([talk, RequestedShortcut(id: "\(number)")])
      guard let question = GlissPortalTests.asked(actions) else { continue }
      asked += 1
      let answers = [answer("talk", "ctrl+alt+p"), answer("\(number)", nil)]
      _ = played.machine.answered(question.number, .answers(answers))
    }
    #expect(asked == 4)
    asked = 0
    for number in 0..<40 {
      let actions = played.machine.configure(100 + number, session: "/s")
      guard let question = GlissPortalTests.asked(actions) else { continue }
      asked += 1
      _ = played.machine.answered(question.number, .answers([answer("talk", "ctrl+alt+p")]))
    }
    #expect(asked == 16)
  }

  /// Questions that wait when the last one is refused are not shown either.
  @Test func pendingSessionsAreRefusedToo() throws {
    var played = Played()
    for number in 0..<8 { _ = played.create("/a/\(number)") }
    var shown = 0
    var question: ConsentQuestion?
    for number in 0..<4 {
      let actions = played.bind(
        [RequestedShortcut(id: "\(number)")], "/a/\(number)", request: "/r\(number)")
      question = asked(actions) ?? question
    }
    for number in 4..<8 {
      let current = try #require(question)
      shown += 1
      question = asked(played.machine.answered(current.number, .later))
      _ = played.bind([RequestedShortcut(id: "\(number)")], "/a/\(number)", request: "/r\(number)")
    }
    #expect(shown == 4 && question == nil)
    #expect((0..<8).count { played.machine.hasRequest("/r\($0)") } == 0)
  }

  /// A question that nobody saw was not refused, nor one of a portal that has gone.
  @Test func shortcutsThatWereNotShownAreNotDenied() throws {
    var played = Played()
    for number in 0..<20 {
      _ = played.create()
      let question = try #require(asked(played.bind([RequestedShortcut(id: "\(number)")])))
      if number.isMultiple(of: 2) {
        _ = played.machine.answered(question.number, .later, wasShown: false)
      } else {
        _ = played.machine.portalLeft()
      }
    }
  }

  /// Programs without an id are told apart by their connection.
  @Test func oneProgramWithoutAnIdDoesNotSilenceOthers() throws {
    var played = Played()
    _ = played.create("/session/1_4/s", of: "")
    _ = played.create("/session/1_5/s", of: "")
    for number in 0..<10 {
      let actions = played.bind([RequestedShortcut(id: "\(number)")], "/session/1_4/s")
      if let question = asked(actions) { _ = played.machine.answered(question.number, .later) }
    }
    #expect(asked(played.bind([talk], "/session/1_4/s")) == nil)
    #expect(asked(played.bind([talk], "/session/1_5/s")) != nil)
  }

  @Test func anApplicationThatWasAllowedSomethingMayAskAgain() throws {
    var played = Played()
    _ = played.create()
    for number in 0..<20 {
      let question = try #require(asked(played.bind([RequestedShortcut(id: "\(number)")])))
      let text = number % 3 == 2 ? "ctrl+f\(number % 12 + 1)" : nil
      _ = played.machine.answered(question.number, .answers([answer("\(number)", text)]))
    }
  }

  @Test func inactiveShortcutsHaveNoTriggerText() {
    var played = allowed()
    let key = trigger("ctrl+alt+p")
    #expect(
      played.machine.note(unavailable: [key], isAnswering: false) == [.changed(session: "/s")])
    #expect(played.machine.shortcuts(of: "/s").map(\.trigger) == [""])
    #expect(played.machine.note(unavailable: [key], isAnswering: false) == [])
    #expect(played.machine.note(unavailable: [], isAnswering: true) == [])
    #expect(played.machine.shortcuts(of: "/s").map(\.trigger) == ["Ctrl+Alt+P"])
  }

  /// Programs without an id are told apart by their connection.
  @Test func oneProgramWithoutAnIDLeavesRoomForOthers() {
    var played = Played()
    for number in 0..<100 { _ = played.create("/session/1_7/t\(number)", of: "") }
    #expect((0..<100).count { played.machine.hasSession("/session/1_7/t\($0)") } == 32)
    #expect(played.create("/session/1_8/t", of: "").contains(.reply(played.calls, .created)))
    for number in 0..<32 {
      _ = played.bind([talk], "/session/1_7/t\(number)", request: "/q\(number)")
    }
    #expect((0..<32).count { played.machine.hasRequest("/q\($0)") } == 4)
    _ = played.bind([talk], "/session/1_8/t", request: "/other")
    #expect(played.machine.hasRequest("/other"))
  }

  @Test func limitsHold() {
    var played = Played()
    var refused = 0
    for number in 0..<1000 {
      if played.create("/s\(number)").contains(.reply(played.calls, .other)) { refused += 1 }
    }
    #expect(refused == 1000 - 32)
    for number in 0..<1000 { _ = played.create("/o\(number)", of: "app\(number)") }
    #expect((0..<1000).count { played.machine.hasSession("/o\($0)") } == 256 - 32)
    let many = (0..<10_000).map { RequestedShortcut(id: "\($0)") }
    #expect(played.bind(many, "/s0") == [.reply(played.calls, .other)])
    // questions that wait
    var waiting = 0
    for number in 0..<200 {
      let actions = played.bind([talk], "/o\(number)", request: "/r\(number)")
      if !actions.contains(.reply(played.calls, .other)) { waiting += 1 }
    }
    #expect(waiting == 16)
    for number in 1..<32 { _ = played.bind([talk], "/s\(number)", request: "/q\(number)") }
    #expect((1..<32).count { played.machine.hasRequest("/q\($0)") } == 0)
    #expect(played.create("/x", of: "a\u{202e}b") == [.reply(played.calls, .other)])
    #expect(
      played.bind([], "/s3", request: "/e") == [.reply(played.calls, .shortcuts(session: "/s3"))])
  }

  /// Whatever happens, what is followed was allowed by the user, each call is answered at most once,
  /// and no shortcut is pressed twice without a release.
  @Test func anyOrderOfEventsKeepsThePromises() {
    let seed = Seed.value
    var random = Seed.source("portal")
    for _ in 0..<300 {
      var played = Played()
      var said: Set<Rule.Trigger> = []
      var answered: Set<Int> = []
      var shown: ConsentQuestion?
      var pressed: Set<String> = []
      let texts = ["ctrl+1", "ctrl+2", "f5", "{gesture: hold, fingers: 3}"]
      for step in 0..<60 {
        var actions: [PortalAction] = []
        let session = "/s\(random.integer(0...2))"
        played.machine.advance(to: EventTime(microseconds: Int64(step) * 40_000_000))
        switch random.integer(0...8) {
        case 0: actions = played.create(session, of: random.integer(0...3) == 0 ? "" : "app")
        case 1, 2:
          let wishes = (0..<random.integer(0...2)).map { RequestedShortcut(id: "\($0)") }
          actions = played.bind(wishes, session, request: "/r\(step)")
        case 3: actions = played.machine.closeSession(session)
        case 4: actions = played.machine.closeRequest("/r\(random.integer(0...59))")
        case 5:
          played.calls += 1
          actions = played.machine.configure(played.calls, session: session)
        case 6, 7:
          guard let question = shown else { continue }
          shown = nil
          let list = question.rows.map { row in
            answer(
              row.shortcut.id,
              random.integer(0...2) == 0 ? nil : texts[random.integer(0...texts.count - 1)])
          }
          if random.integer(0...3) == 0 {
            actions = played.machine.answered(question.number, .later)
          } else {
            said.formUnion(list.compactMap(\.trigger))
            actions = played.machine.answered(question.number, .answers(list))
          }
        case _:
          actions = played.machine.triggered(
            trigger(texts[random.integer(0...texts.count - 1)]),
            hasBegun: random.integer(0...1) == 0,
            at: .zero)
        }
        for action in actions {
          switch action {
          case .reply(let call, _):
            #expect(answered.insert(call).inserted, "seed \(seed)")
          case .ask(let question):
            #expect(shown == nil, "seed \(seed)")
            shown = question
          case .dismiss: shown = nil
          case .follow(let triggers):
            #expect(said.isSuperset(of: triggers), "seed \(seed)")
          case .activated(let session, let id, _):
            #expect(pressed.insert("\(session) \(id)").inserted, "seed \(seed)")
          case .deactivated(let session, let id, _):
            #expect(pressed.remove("\(session) \(id)") != nil, "seed \(seed)")
          case .remember, .changed, .closed: break
          }
        }
        pressed = pressed.filter { name in
          played.machine.hasSession(String(name.split(separator: " ")[0]))
        }
      }
      _ = played.machine.portalLeft()
    }
  }
}
