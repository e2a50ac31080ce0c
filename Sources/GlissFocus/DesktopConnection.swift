package import GlissDevices
package import GlissEvents

package typealias DesktopReporting<Report> = (Result<Report, DesktopFailure>) -> Void

/// A connection to a desktop. It reports the focus, or which desktop has done an action.
///
/// It lives on one loop, and wakes it only when the desktop sends something. It makes one attempt:
/// after a failure its owner releases it and makes another connection.
package protocol DesktopConnection<Report>: AnyObject {
  associatedtype Report

  /// Begins to report, now or when the desktop has answered, until the connection is released. It
  /// may report the same thing again.
  func start(_ report: @escaping DesktopReporting<Report>) throws(DesktopFailure)
}

/// A desktop that may be running, and how to connect to it.
package struct DesktopChoice<Request, Report> {
  package typealias Opening = (InputLoop, Request) throws(DesktopFailure) ->
    any DesktopConnection<Report>

  package let kind: FocusKind
  package let open: Opening

  package init(_ kind: FocusKind, open: @escaping Opening) {
    self.kind = kind
    self.open = open
  }
}

package typealias FocusChoice = DesktopChoice<FollowedWindow, Focus>

/// A desktop that may do an action. Without an action, it is only looked for.
package typealias ActionChoice = DesktopChoice<DesktopAction?, FocusKind>

/// Why a desktop reports nothing or does not do an action.
package enum DesktopFailure: Error, Hashable, Sendable, CustomStringConvertible {
  case unreachable(String, code: Int32)
  /// Another user's program answers there.
  case foreign(String, user: UInt32)
  /// The desktop is running but does not offer this. Another one may.
  case unsupported(String)
  /// The desktop is running and does not do the action. No other one is tried.
  case refused(String)
  case closed
  case silent
  case malformed(String)

  /// Whether a desktop is running, so that its failure is worth a report.
  package var isFromDesktop: Bool {
    switch self {
    case .unreachable, .foreign: false
    case .unsupported, .refused, .closed, .silent, .malformed: true
    }
  }

  package var description: String {
    switch self {
    case .unreachable(let place, let code): "\(place): \(SystemError("", failed: code).problem)"
    case .foreign(let place, let user): "\(place): user \(user) serves it, not you or root"
    case .unsupported(let text), .refused(let text): text
    case .closed: "the desktop ended the connection"
    case .silent: "the desktop does not answer"
    case .malformed(let text): "the desktop sent \(text)"
    }
  }
}

/// A desktop's protocol over a socket, as a pure machine from bytes to a report.
package protocol DesktopMachine<Report> {
  associatedtype Report: Equatable

  /// What to send as soon as the connection is open.
  var greeting: [UInt8] { get }
  /// Takes the received bytes, in any pieces. Returns what to send back.
  mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8]
  /// The report, passed on whenever it changes; `nil` until it is known.
  var report: Report? { get }
}

package protocol FocusMachine: DesktopMachine where Report == Focus {
  var focus: Focus { get }
}

extension FocusMachine {
  package var report: Focus? { focus == .unknown ? nil : focus }
}

final class SocketConnection<Machine: DesktopMachine>: DesktopConnection {
  private let socket: LocalSocket
  private var machine: Machine
  private var report: DesktopReporting<Machine.Report>?

  init(_ path: String, on loop: InputLoop, _ machine: Machine) throws(DesktopFailure) {
    socket = try LocalSocket(path, on: loop)
    self.machine = machine
  }

  func start(_ report: @escaping DesktopReporting<Machine.Report>) throws(DesktopFailure) {
    self.report = report
    try socket.watch { [weak self] in self?.step() }
    try socket.send(machine.greeting)
  }

  /// Takes everything received, and reports only the result: a reader that was stalled does not
  /// need the states in between.
  private func step() {
    let before = machine.report
    do throws(DesktopFailure) {
      try socket.receive { bytes throws(DesktopFailure) in
        let answer = try machine.receive(bytes)
        try socket.send(answer)
      }
    } catch {
      socket.ignore()
      report?(.failure(error))
      return
    }
    if let new = machine.report, new != before { report?(.success(new)) }
  }
}

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

  /// How many actions may wait for a slow desktop.
  static let capacity = 64

  private let loop: InputLoop
  private let patience: EventInterval
  private let choices: () -> [ActionChoice]
  private var timer: LoopTimer?
  private var request: Request?
  private var remaining: ArraySlice<ActionChoice> = []
  private var attempt: (any DesktopConnection<FocusKind>)?
  /// Why the last desktop that answered did not do the request.
  private var failure: DesktopFailure?
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
    beginNext()
  }

  private func beginNext() {
    guard request == nil else { return }
    request = waiting.popFirst()
    if request == nil { return }
    remaining = choices()[...]
    tryNext()
  }

  private func tryNext() {
    guard let request, let choice = remaining.popFirst() else {
      return end(
        .failure(
          failure
            ?? .refused(
              "no desktop was found: start gliss in the desktop's session, with its variables")))
    }
    generation += 1
    timer?.due = InputLoop.now + patience
    // connect even if the desktop cannot do this, because its advice is right only if it is running
    let refusal = request.action.flatMap { choice.kind.refusal(of: $0) }
    do throws(DesktopFailure) {
      let attempt = try choice.open(loop, refusal == nil ? request.action : nil)
      self.attempt = attempt
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
      if failure.isFromDesktop { self.failure = failure }
      attempt = nil
      tryNext()
    }
  }

  private func end(_ outcome: Outcome) {
    generation += 1
    timer?.due = nil
    let ended = request
    (request, attempt, failure) = (nil, nil, nil)
    ended?.end(outcome)
    beginNext()
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
