import GlissConfiguration
import GlissEvents
import GlissHotkeys
import Synchronization

/// Work that would take too long on the event thread.
enum Errand: Sendable {
  case run(Command, Place, times: Int, Occasion)
  case press([Chord], times: Int, Occasion)
  case notify(summary: String, body: String?, Place, Occasion)
  /// The event and its device are written if the emission has no line of its own.
  case emit(Emission, InputEvent, device: String, times: Int, Occasion)
  case say(AgentLog.Priority, String)
  /// A message from the agent itself. It replaces the previous one with the same topic.
  case announce(topic: String, summary: String, body: String?)
  case limit(CommandLimits)
  case end
}

extension Errand {
  /// Limits stay in force until the next ones, and there is one such errand per reload.
  fileprivate var mustNotBeLost: Bool {
    switch self {
    case .limit, .end: true
    case .run, .press, .notify, .emit, .say, .announce: false
    }
  }
}

/// Passes errands from one thread to another. It never blocks: errands that do not fit are dropped
/// and counted.
final class ErrandQueue: Sendable {
  private struct State {
    var errands: [Errand] = []
    var leftOut = 0
  }

  static let capacity = 512
  private let state = Mutex(State())

  /// What became of an errand that was to be queued.
  enum Admission {
    /// The other thread must be woken.
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

  /// Appends the final errand. There is always room for it.
  func end() { state.withLock { $0.errands.append(.end) } }

  /// Takes all queued errands, and the number dropped since the last call.
  func take() -> (errands: [Errand], leftOut: Int) {
    state.withLock { state in
      defer { state = State() }
      return (state.errands, state.leftOut)
    }
  }
}
