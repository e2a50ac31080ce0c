package import GlissDevices
package import GlissEvents

/// Has the desktop do actions, one after the other.
///
/// Each action has connections of its own, to the first desktop that answers. So a desktop that has
/// restarted is found again, and between actions nothing is open. It lives on one loop, which it never
/// blocks.
package final class DesktopActor {
  package typealias Outcome = Result<FocusKind, ActionFailure>

  private struct Request {
    /// `nil` only finds the desktop.
    var action: DesktopAction?
    var end: (Outcome) -> Void
  }

  /// The action that is being done.
  private struct Turn {
    var request: Request
    /// The desktops that were not tried yet.
    var remaining: ArraySlice<ActionChoice>
    var attempt: (any ActionAttempt)?
    /// Why the last desktop that is there did not do it.
    var failure: ActionFailure?
  }

  /// How many may wait for a desktop that is slow.
  static let capacity = 64

  private let loop: InputLoop
  private let patience: EventInterval
  private let choices: () -> [ActionChoice]
  private var timer: LoopTimer?
  private var turn: Turn?
  private var waiting: ArraySlice<Request> = []
  /// What an earlier attempt reports is ignored.
  private var generation = 0

  package convenience init(on loop: InputLoop) throws(SystemError) {
    try self.init(on: loop, choosing: { ActionChoice.present(.current) })
  }

  /// - Parameter patience: how long a desktop may take for an action, if not as long as usual.
  package init(
    on loop: InputLoop, patience: EventInterval? = nil,
    choosing choices: @escaping () -> [ActionChoice]
  ) throws(SystemError) {
    self.loop = loop
    self.patience = patience ?? FocusWatch.patience
    self.choices = choices
    timer = try LoopTimer(on: loop) { [weak self] in
      self?.end(.failure(.refused(FocusFailure.silent.description)))
    }
  }

  /// Does an action after those that wait. `end` is called with the desktop, or why it was not done.
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

  /// Tries the remaining desktops, until an attempt has begun.
  private func tryNext() {
    while let choice = turn?.remaining.popFirst() {
      do throws(ActionFailure) {
        try start(choice)
        return
      } catch {
        guard note(error) else { return }
      }
    }
    let failure =
      turn?.failure
      ?? .refused(
        "no desktop was found: start gliss in the desktop's session, with its variables")
    end(.failure(failure))
  }

  private func start(_ choice: ActionChoice) throws(ActionFailure) {
    generation += 1
    let number = generation
    let action = turn?.request.action
    let attempt = try choice.open(loop, action)
    turn?.attempt = attempt
    timer?.due = InputLoop.now + patience
    try attempt.start { [weak self, kind = choice.kind] failure in
      guard let self, number == generation else { return }
      guard let failure else { return end(.success(kind)) }
      if note(failure) { tryNext() }
    }
  }

  /// - Returns: whether another desktop may do it.
  private func note(_ failure: ActionFailure) -> Bool {
    generation += 1
    turn?.attempt = nil
    switch failure {
    case .refused:
      end(.failure(failure))
      return false
    case .absent(.unreachable), .absent(.foreign): return true
    case .absent(.unsupported), .absent(.closed), .absent(.silent), .absent(.malformed):
      turn?.failure = failure
      return true
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
  /// The desktop of this session; `nil` if there is none. It waits for the desktop's answer.
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
