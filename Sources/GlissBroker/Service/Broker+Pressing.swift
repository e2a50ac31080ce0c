import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys

// Keys that are pressed for the user.
extension Broker {
  func post(_ parameters: Parameters, _ connection: Connection) throws {
    let texts = try parameters.required("keys", try parameters.strings("keys"))
    guard (1...limits.chords).contains(texts.count) else {
      throw ParameterError("keys", "has 1 to \(limits.chords) elements")
    }
    var chords: [Chord] = []
    for text in texts {
      do throws(HotkeyError) {
        chords += try Chord.chords(toPress: text)
      } catch {
        throw failure(error, connection)
      }
    }
    let verdict = try mayPost(connection)
    let uid = connection.identity.uid
    // nobody may press keys into a password prompt either
    let served = SessionState(of: uid, in: state)
    guard served == .active else { throw Failure.notServed(served) }
    try spend(chords.count, of: uid)
    let keyboard = try keyboard()
    try gate.use(verdict.grants, at: .now)
    defer { gate.ended(verdict.grants) }
    do throws(PressError) {
      try keyboard.press(chords)
    } catch {
      throw failure(error)
    }
    record(.post, connection, "keys were pressed")
    connection.send(.result())
  }

  /// The verdict that allows pressing keys.
  func mayPost(_ connection: Connection) throws(Failure) -> Verdict {
    let verdict = gate.verdict(
      on: gate.ask(connection.identity, Scope(tier: .post)), at: .now)
    guard verdict.standing == .granted else {
      record(.refuse, connection, "post")
      throw .notGranted(verdict)
    }
    return verdict
  }

  private func spend(_ count: Int, of uid: UInt32) throws(Failure) {
    let now = EventLoop.now
    var budget = budgets[uid] ?? PressBudget(at: now)
    let isEnough = budget.take(count, at: now)
    budgets[uid] = budget
    guard isEnough else {
      throw .limitReached(
        "chords", maximum: PressBudget.most,
        advice: "press no more than \(PressBudget.perSecond) a second")
    }
  }

  private func failure(_ error: PressError) -> Failure {
    switch error {
    case .notOnLayout(let chord, _), .noKey(let chord), .notPressed(let chord):
      .cannotPress(error, keys: "\(chord)")
    case .tooMany(let maximum):
      .limitReached("chords that wait", maximum: maximum, advice: "press them more slowly")
    case .device(let error): .noKeyboard(error)
    }
  }
}
