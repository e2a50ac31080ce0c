/// Events for `for await`, from a handler that is called elsewhere.
///
/// Only a limited number waits to be taken; beyond that, each new event replaces the oldest one.
/// ``Iterator/missedCount`` counts the replaced ones. Usually one loop takes the events. If several
/// do, each event goes to one of them, and cancelling the task of any of them ends the events for
/// all.
public struct BufferedEvents<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  /// The most events that wait to be taken, unless the maker says otherwise.
  package static var standardCapacity: Int { 1024 }

  /// An event and how many were offered before it.
  fileprivate struct Numbered: Sendable {
    var number: Int
    var element: Element
  }

  /// Lives as long as somebody may take events. The other end has a weak reference, which may be
  /// read on any thread.
  fileprivate final class Taker: Sendable {}

  /// The handler's end. When it is released, the events end.
  package final class Intake {
    private let continuation: AsyncStream<Numbered>.Continuation
    private weak var taker: Taker?
    private var count = 0

    fileprivate init(_ continuation: AsyncStream<Numbered>.Continuation, _ taker: Taker) {
      self.continuation = continuation
      self.taker = taker
    }

    /// Nobody can take events any more.
    package var isAbandoned: Bool { taker == nil }

    deinit { continuation.finish() }

    /// - Returns: whether anybody still takes events.
    @discardableResult
    package func offer(_ element: Element) -> Bool {
      let result = continuation.yield(Numbered(number: count, element: element))
      count += 1
      switch result {
      case .enqueued, .dropped: return true
      case .terminated: return false
      @unknown default: return true
      }
    }
  }

  private let stream: AsyncStream<Numbered>
  private let taker: Taker

  /// Makes the two ends. Nothing is allocated for an event while nobody has called this.
  package static func make(
    capacity: Int = standardCapacity
  ) -> (events: BufferedEvents, intake: Intake) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Numbered.self, bufferingPolicy: .bufferingNewest(capacity))
    let taker = Taker()
    return (BufferedEvents(stream: stream, taker: taker), Intake(continuation, taker))
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), taker: taker)
  }

  /// Takes the events.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: AsyncStream<Numbered>.Iterator
    private let taker: Taker
    private var taken = 0
    /// How many events before the last one taken did not come here: they were dropped because too
    /// many were waiting, or another loop took them.
    public private(set) var missedCount = 0

    fileprivate init(base: AsyncStream<Numbered>.Iterator, taker: Taker) {
      self.base = base
      self.taker = taker
    }

    /// The next event; `nil` if none can come any more, or the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      guard let next = await base.next(isolation: actor) else { return nil }
      missedCount = next.number - taken
      taken += 1
      return next.element
    }
  }
}

/// The event sequences that a session or another maker serves. An abandoned one is forgotten at
/// its next event or when the next sequence is made, so that they do not accumulate.
package struct OpenSequences {
  private var open: [(isAbandoned: () -> Bool, token: HandlerToken)] = []

  package init() {}

  /// How many are served.
  package var count: Int { open.count }

  /// Adds a sequence and the handler that serves it, and removes the handlers of abandoned ones.
  package mutating func add<Element>(
    _ intake: BufferedEvents<Element>.Intake, _ token: HandlerToken
  ) {
    open.removeAll { sequence in
      guard sequence.isAbandoned() else { return false }
      sequence.token.remove()
      return true
    }
    open.append(({ [weak intake] in intake?.isAbandoned ?? true }, token))
  }
}
