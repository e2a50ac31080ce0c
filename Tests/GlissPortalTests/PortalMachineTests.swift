import GlissEvents
import GlissHotkeys
import GlissPortal
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissConfiguration

/// A machine, and what it was told to do.
struct Played {
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

extension PortalMachine {
  /// Whether a call with that request waits for the user: whether closing it does anything.
  func hasRequest(_ path: String) -> Bool {
    var copy = self
    return !copy.closeRequest(path).isEmpty
  }
}

func trigger(_ text: String) -> Rule.Trigger {
  guard let trigger = try? Rule.Trigger(text: text) else {
    Issue.record("\(text) is no trigger")
    return .gesture(GestureCondition(kind: .tap))
  }
  return trigger
}

func answer(_ id: String, _ text: String?) -> ShortcutAnswers.Answer {
  ShortcutAnswers.Answer(id: id, description: "", trigger: text.map(trigger))
}

func asked(_ actions: [PortalAction]) -> ConsentQuestion? {
  for case .ask(let question) in actions { return question }
  return nil
}

func followed(_ actions: [PortalAction]) -> [Rule.Trigger]? {
  for case .follow(let triggers) in actions.reversed() { return triggers }
  return nil
}

@Suite struct PortalMachineTests {
  let talk = RequestedShortcut(id: "talk", description: "Talk", preferred: "CTRL+ALT+p")
  let mute = RequestedShortcut(id: "mute", description: "Mute", preferred: "nonsense")

  func allowed() -> Played {
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
    #expect(played.machine.shortcuts(of: "/s").first?.trigger?.words == "Ctrl+Alt+T")
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

  /// A question that is put off changes nothing, and is not asked by another way.
  @Test func shortcutsStayIfOthersArePutOff() throws {
    var played = allowed()
    let question = try #require(asked(played.bind([mute])))
    #expect(played.machine.answered(question.number, .later) == [.reply(3, .cancelled)])
    #expect(played.machine.shortcuts(of: "/s").map(\.id) == ["talk"])
    let both = try #require(asked(played.bind([talk, mute])))
    _ = played.machine.answered(both.number, .later)
    let change = try #require(asked(played.machine.configure(9, session: "/s")))
    #expect(change.rows.map(\.shortcut.id) == ["talk"])
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
    // another application's answers do not change its own
    let others = ShortcutAnswers([.init(name: "other", answers: [answer("x", "f9")])])
    #expect(played.machine.replaceAnswers(others) == [])
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

  @Test func inactiveShortcutsHaveNoTriggerText() {
    var played = allowed()
    let key = trigger("ctrl+alt+p")
    #expect(
      played.machine.note(unavailable: [key], isAnswering: false) == [.changed(session: "/s")])
    #expect(played.machine.shortcuts(of: "/s").map(\.trigger) == [nil])
    #expect(played.machine.note(unavailable: [key], isAnswering: false) == [])
    #expect(played.machine.note(unavailable: [], isAnswering: true) == [])
    #expect(played.machine.shortcuts(of: "/s").map { $0.trigger?.words } == ["Ctrl+Alt+P"])
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
