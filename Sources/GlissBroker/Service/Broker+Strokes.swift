import GlissClient
import GlissDevices
import GlissEvents
import GlissGate

/// The strokes that a connection hides from the desktop.
struct StrokeWish {
  var uid: UInt32
  var ask: Ask
  var verdict: Verdict
  var now: FingerCounts
  var ever: FingerCounts
}

// Strokes that the desktop does not get.
extension Broker {
  func takeStrokes(_ parameters: Parameters, _ connection: Connection) throws {
    let ever = try parameters.required("fingers", try counts("fingers", parameters))
    let now = try counts("now", parameters) ?? ever
    guard ever.isSuperset(of: now) else {
      throw ParameterError("now", "has none that fingers has not")
    }
    let place = ObjectIdentifier(connection)
    guard !ever.isEmpty else {
      releaseStrokes(of: place)
      return connection.send(.result())
    }
    let verdict = try mayPost(connection)
    if strokeWishes[place] == nil {
      try gate.use(verdict.grants, at: .now)
      record(.post, connection, "strokes may be hidden")
    }
    strokeWishes[place] = StrokeWish(
      uid: connection.identity.uid, ask: gate.ask(connection.identity, Scope(tier: .post)),
      verdict: strokeWishes[place]?.verdict ?? verdict, now: now, ever: ever)
    do throws(SystemError) {
      try settleStrokes()
    } catch {
      releaseStrokes(of: place)
      throw Failure.noKeyboard(error)
    }
    connection.send(.result())
  }

  private func counts(_ name: String, _ parameters: Parameters) throws -> FingerCounts? {
    guard let numbers = try parameters.integers(name) else { return nil }
    for number in numbers where !(3...5).contains(number) {
      throw ParameterError(name, "has numbers from 3 to 5")
    }
    return FingerCounts(numbers.map { Int($0) })
  }

  func decideStroke(_ parameters: Parameters, _ connection: Connection) throws {
    let time = try parameters.required("time", try parameters.integer("time"))
    let isKept = try parameters.required("keep", try parameters.bool("keep"))
    if let wish = strokeWishes[ObjectIdentifier(connection)], isServed(wish) {
      strokes?.decide(StrokeVerdict(time: EventTime(microseconds: time), isKept: isKept))
    }
    connection.send(.result())
  }

  private func isServed(_ wish: StrokeWish) -> Bool {
    wish.uid == state.activeUser && SessionState(of: wish.uid, in: state) == .active
  }

  /// Applies all wishes together.
  private func settleStrokes() throws(SystemError) {
    var (now, ever) = (FingerCounts(), FingerCounts())
    for wish in strokeWishes.values {
      ever.formUnion(wish.ever)
      if isServed(wish) { now.formUnion(wish.now) }
    }
    guard let strokes else {
      if ever.isEmpty { return }
      throw SystemError("uinput", "is not there")
    }
    try strokes.take(now, of: ever)
  }

  /// Without a device every stroke is the desktop's, which is as good as can be then.
  func updateStrokes() { try? settleStrokes() }

  func releaseStrokes(of place: ObjectIdentifier) {
    guard let wish = strokeWishes.removeValue(forKey: place) else { return }
    gate.ended(wish.verdict.grants)
    updateStrokes()
  }

  /// Ends what rests on grants that are gone.
  func reviewStrokes() {
    for (place, wish) in strokeWishes {
      let verdict = gate.verdict(
        on: gate.renewed(wish.ask), holding: wish.verdict.grants, at: .now)
      if verdict.isNarrower(than: wish.ask.scope) { releaseStrokes(of: place) }
    }
  }
}
