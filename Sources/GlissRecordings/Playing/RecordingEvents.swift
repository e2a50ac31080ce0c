public import GlissEvents
public import GlissGestures
import GlissSession

/// The events of a recording. At most those of one piece of the file are in memory.
struct RecordingEvents: AsyncSequence {
  fileprivate let recording: Recording
  fileprivate let mask: EventMask
  fileprivate let configuration: GestureConfiguration

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Plays the recording piece by piece.
  struct Iterator: AsyncIteratorProtocol {
    private final class Waiting { var events: [InputEvent] = [] }

    private enum State {
      case new, playing, over
    }

    private var recording: Recording
    private var player: Player
    private var succession = Succession()
    private var state = State.new
    private let session: Session
    private let waiting = Waiting()
    private var taken = 0

    fileprivate init(_ events: RecordingEvents) {
      recording = events.recording
      session = Session(configuration: events.configuration)
      session.addHandler(matching: events.mask) { [waiting] in waiting.events.append($0) }
      player = Player([session], willAdvance: recording.willAdvance)
      for device in recording.devices { player.add(device, at: recording.origin ?? .zero) }
    }

    /// The next event; `nil` at the end of the recording, and if the task was cancelled.
    ///
    /// - Throws: what is wrong and the line, after all events before that line.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RecordingError) -> InputEvent? {
      while !Task.isCancelled {
        if taken < waiting.events.count {
          taken += 1
          return waiting.events[taken - 1]
        }
        waiting.events.removeAll(keepingCapacity: true)
        taken = 0
        switch state {
        case .new:
          state = .over
          try recording.begin()
          state = .playing
        case .playing: playPiece()
        case .over:
          try recording.close()
          return nil
        }
      }
      return nil
    }

    private mutating func playPiece() {
      if recording.playPiece(&succession, { player.play($0, of: $1) }) { return }
      session.finish()
      state = .over
    }
  }
}

extension Recording {
  /// The events in `mask`, for `for try await`. The recording is played only as far as the task
  /// takes events.
  ///
  /// Cancelling the task ends them. Each iterator plays the recording again, but a pipe can be
  /// played only once.
  public func events(
    matching mask: EventMask = .all, configuration: GestureConfiguration = GestureConfiguration()
  ) -> some AsyncSequence<InputEvent, RecordingError> {
    RecordingEvents(recording: self, mask: mask, configuration: configuration)
  }

  /// The gestures, for `for try await`. For all of them in an array, see
  /// ``GlissSession/Source/gestures(_:)``.
  ///
  /// ```swift
  /// for try await gesture in try Recording(path: path).gestures() where gesture.kind == .pinch {
  ///   zoom(to: gesture.scale)
  /// }
  /// ```
  @_disfavoredOverload
  public func gestures(
    configuration: GestureConfiguration = GestureConfiguration()
  ) -> some AsyncSequence<GestureEvent, RecordingError> {
    events(matching: .gesture, configuration: configuration).compactMap { $0.gesture }
  }
}
