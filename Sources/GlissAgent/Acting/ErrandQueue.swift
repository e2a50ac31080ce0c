import GlissConfiguration
import GlissEvents
import GlissHotkeys
import Synchronization

/// Something that the thread of events has no time for.
enum Errand: Sendable {
  case run(Command, Place, times: Int, Occasion)
  case press([Chord], times: Int, Occasion)
  case notify(summary: String, body: String?, Place, Occasion)
  /// The event and its device are told where the emission has no line of its own.
  case emit(Emission, InputEvent, device: String, times: Int, Occasion)
  case say(AgentLog.Priority, String)
  /// Of the agent's own doing; one of the same topic takes the place of that before.
  case announce(topic: String, summary: String, body: String?)
  case limit(CommandLimits)
  case end
}

extension Errand {
  /// Limits hold until others come; there is one of them for each time rules are read.
  fileprivate var mustNotBeLost: Bool {
    switch self {
    case .limit, .end: true
    case .run, .press, .notify, .emit, .say, .announce: false
    }
  }
}

/// Errands on their way from one thread to the other. It never waits: what does not fit is left out, and counted.
final class ErrandQueue: Sendable {
  private struct State {
    var errands: [Errand] = []
    var leftOut = 0
  }

  static let capacity = 512
  private let state = Mutex(State())

  /// What became of an errand that was to join.
  enum Admission {
    /// The other thread has to be woken.
    case first
    case behindOthers
    case leftOut
  }

  func append(_ errand: Errand) -> Admission {
    state.withLock { state in
      guard state.errands.count < Self.capacity || errand.mustNotBeLost else {
        state.leftOut += 1
        return .leftOut
      }
      state.errands.append(errand)
      return state.errands.count == 1 ? .first : .behindOthers
    }
  }

  /// The last of all, for which there is always room.
  func end() { state.withLock { $0.errands.append(.end) } }

  /// All that are there, and how many were left out since the last time.
  func take() -> (errands: [Errand], leftOut: Int) {
    state.withLock { state in
      defer { state = State() }
      return (state.errands, state.leftOut)
    }
  }
}
