package import GlissDevices
package import GlissEvents

/// Asks the desktop to do actions, one after the other.
///
/// Each action has its own connections, to the first desktop that answers. So a restarted desktop
/// is found again, and nothing stays open between actions. It lives on one loop, which it never
/// blocks.
package final class DesktopActor {
  package typealias Outcome = Result<FocusKind, DesktopFailure>

  private struct Request {
    /// `nil` only finds the desktop.
    var action: DesktopAction?
    var end: (Outcome) -> Void
  }

  /// The action being done.
  private struct Turn {
    var request: Request
    /// The desktops that were not tried yet.
    var remaining: ArraySlice<ActionChoice>
    var attempt: (any DesktopConnection<FocusKind>)?
    /// Why the last desktop that answered did not do it.
    var failure: DesktopFailure?
  }

  /// How many actions may wait for a slow desktop.
  static let capacity = 64

  private let loop: InputLoop
  private let patience: EventInterval
  private let choices: () -> [ActionChoice]
  private var timer: LoopTimer?
  private var turn: Turn?
  private var waiting: ArraySlice<Request> = []
  /// Tells attempts apart, so that reports from an earlier one are ignored.
  private var generation = 0

  /// - Parameter patience: how long a desktop may take for an action.
  package init(
    on loop: InputLoop, patience: EventInterval = FocusWatch.patience,
    choosing choices: @escaping () -> [ActionChoice] = { DesktopEnvironment.current.actionChoices }
  ) throws(SystemError) {
    self.loop = loop
    self.patience = patience
    self.choices = choices
    timer = try LoopTimer(on: loop) { [weak self] in self?.end(.failure(.silent)) }
  }

  /// Does an action after those that wait. `end` gets the desktop, or why it was not done.
  package func perform(_ action: DesktopAction, _ end: @escaping (Outcome) -> Void) {
    add(Request(action: action, end: end))
  }

  /// Finds the desktop that would do actions.
  package func find(_ end: @escaping (Outcome) -> Void) { add(Request(action: nil, end: end)) }

  private func add(_ request: Request) {
    guard waiting.count < Self.capacity else {
      return request.end(.failure(.refused("the desktop does not keep up")))
    }
    waiting.append(request)
    if turn == nil { beginNext() }
  }

  private func beginNext() {
    guard let request = waiting.popFirst() else { return }
    turn = Turn(request: request, remaining: choices()[...])
    tryNext()
  }

  private func tryNext() {
    guard let request = turn?.request, let choice = turn?.remaining.popFirst() else {
      return end(
        .failure(
          turn?.failure
            ?? .refused(
              "no desktop was found: start gliss in the desktop's session, with its variables")))
    }
    generation += 1
    timer?.due = InputLoop.now + patience
    // connect even if the desktop cannot do this, because its advice is right only if it is running
    let refusal = request.action.flatMap { choice.kind.refusal(of: $0) }
    do throws(DesktopFailure) {
      let attempt = try choice.open(loop, refusal == nil ? request.action : nil)
      turn?.attempt = attempt
      try attempt.start { [weak self, number = generation] result in
        guard let self, number == generation else { return }
        switch (result, refusal) {
        case (.success, let refusal?): take(.failure(.refused(refusal)))
        case (.success, nil), (.failure, _): take(result)
        }
      }
    } catch {
      take(.failure(error))
    }
  }

  private func take(_ outcome: Outcome) {
    switch outcome {
    case .success, .failure(.refused): end(outcome)
    case .failure(let failure):
      // another desktop may do the action
      if failure.isFromDesktop { turn?.failure = failure }
      turn?.attempt = nil
      tryNext()
    }
  }

  private func end(_ outcome: Outcome) {
    generation += 1
    timer?.due = nil
    let request = turn?.request
    turn = nil
    request?.end(outcome)
    if turn == nil { beginNext() }
  }
}

extension DesktopActor {
  /// The desktop of this session; `nil` without one. Blocks until the desktop answers.
  package static func running(within patience: EventInterval) -> FocusKind? {
    guard let loop = try? InputLoop(), let actor = try? DesktopActor(on: loop) else { return nil }
    let deadline = InputLoop.now + patience
    var outcome: Outcome?
    actor.find { outcome = $0 }
    while outcome == nil, InputLoop.now < deadline {
      guard (try? loop.wait(until: deadline)) != nil else { return nil }
    }
    return try? outcome?.get()
  }
}
