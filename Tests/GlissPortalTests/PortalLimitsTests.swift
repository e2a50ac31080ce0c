import GlissEvents
import GlissPortal
import Testing

/// How many questions, sessions and shortcuts the portal takes.
extension PortalMachineTests {
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
}
