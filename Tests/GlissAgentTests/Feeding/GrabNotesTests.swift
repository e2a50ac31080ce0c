import GlissBroker
import GlissDevices
import GlissGate
import Testing

@testable import GlissAgent

@Suite struct GrabNotesTests {
  private let taken = GrabChange.taken(path: "/e1", name: "One", suspects: ["keyd (process 7)"])

  @Test func grabbedKeyboardsAreNamedUntilTheyAreGivenBack() {
    var notes = GrabNotes()
    notes.note(.grabbed(path: "/e2", name: "Two"))
    notes.note(.grabbed(path: "/e1", name: "One"))
    #expect(notes.grabbed == ["One (/e1)", "Two (/e2)"])
    notes.note(.givenBack(path: "/e2"))
    #expect(notes.grabbed == ["One (/e1)"])
    #expect(notes.problems.isEmpty)
  }

  @Test func anotherGrabberIsNamedUntilTheKeyboardIsOursOrGone() {
    var notes = GrabNotes()
    notes.note(taken)
    #expect(notes.problems.count == 1)
    #expect(notes.problems.first?.contains("open in keyd (process 7)") == true)
    notes.note(.grabbed(path: "/e1", name: "One"))
    #expect(notes.problems.isEmpty)
    notes.note(taken)
    notes.forget("/e1")
    #expect(notes.problems.isEmpty && notes.grabbed.isEmpty)
  }

  @Test(arguments: [GrabChange.panic, .stall])
  func aStopOfAllGrabsNamesTheCommandThatEndsIt(_ news: GrabChange) {
    var notes = GrabNotes()
    notes.note(news)
    #expect(notes.problems.first?.contains("'gliss reload'") == true)
    notes.resume()
    #expect(notes.problems.isEmpty)
    notes.note(news)
    notes.note(.grabbed(path: "/e1", name: "One"))
    #expect(notes.problems.isEmpty)
  }

  @Test func resumingForgetsProblemsAndNotGrabs() {
    var notes = GrabNotes()
    notes.note(taken)
    notes.note(.grabbed(path: "/e2", name: "Two"))
    notes.resume()
    #expect(notes.problems.isEmpty)
    #expect(notes.grabbed == ["Two (/e2)"])
  }
}

@Suite struct SeatPermissionTests {
  private func seat(_ user: UInt32?, isLocked: Bool = false, isAsleep: Bool = false)
    -> SeatState
  {
    var seat = SeatState(activeUser: user, session: user.map { "\($0)" })
    (seat.isLocked, seat.isAsleep) = (isLocked, isAsleep)
    return seat
  }

  private func permission(_ seat: SeatState, of user: UInt32) -> SeatPermission {
    SeatPermission(user: user, isUnknown: false, observed: seat)
  }

  @Test func keysAreKeptOnlyInFrontOfTheirOwnersOpenSession() {
    #expect(permission(seat(7), of: 7).mayConsume)
    #expect(!permission(seat(8), of: 7).mayConsume)
    #expect(!permission(seat(nil), of: 7).mayConsume)
    #expect(!permission(seat(7, isLocked: true), of: 7).mayConsume)
    #expect(!permission(seat(7, isAsleep: true), of: 7).mayConsume)
    #expect(permission(seat(8), of: 0).mayConsume)
    #expect(!permission(seat(8, isLocked: true), of: 0).mayConsume)
  }

  @Test func rulesRestWhereTheirOwnerIsNotThere() {
    #expect(permission(seat(7), of: 7).pause == nil)
    #expect(permission(seat(8), of: 7).pause == .elsewhere)
    #expect(permission(seat(8, isLocked: true), of: 7).pause == .elsewhere)
    #expect(permission(seat(7, isLocked: true), of: 7).pause == .locked)
    #expect(permission(seat(7, isAsleep: true), of: 7).pause == .asleep)
    // nobody sits there who could mind
    #expect(permission(seat(nil), of: 7).pause == nil)
    #expect(permission(seat(8, isLocked: true), of: 0).pause == nil)
  }

  @Test func consumingWaitsForTheSeatUnlessItIsUnknown() {
    #expect(SeatPermission(user: 7, isUnknown: true).mayConsume)
    let asked = SeatPermission(user: 7, isUnknown: false)
    #expect(!asked.mayConsume && asked.pause == nil)
  }

  @Test func onlyTheUserAtTheSeatMayConsume() throws {
    let loop = try InputLoop()
    for (user, may) in [(UInt32(7), true), (8, false)] {
      var seat = SeatPermission(user: user, isUnknown: false)
      let watch = SeatWatch(.user(7))
      var changes = 0
      watch.didChange = {
        seat.observed = $0
        changes += 1
      }
      try watch.start(on: loop)
      #expect(seat.mayConsume == may)
      #expect(changes == 1)
    }
  }

  /// What is unknown keeps nothing from rules, and no keys from the desktop.
  @Test func withoutAnAnswerRulesAct() {
    var seat = SeatPermission(user: 7, isUnknown: false, observed: seat(8))
    #expect(seat.pause == .elsewhere)
    seat.problem = "logind does not answer"
    #expect(seat.pause == nil && !seat.mayConsume)
  }
}
