/// Events for `for await`, from a handler that is called elsewhere.
///
/// At most a fixed number waits to be taken; then each new event replaces the oldest one.
/// ``Iterator/droppedCount`` says how many were replaced. One loop takes the events; cancelling its
/// task ends them.
public struct BufferedEvents<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  /// The most events that wait to be taken, unless the maker says otherwise.
  package static var standardCapacity: Int { 1024 }

  /// An event and how many were offered before it.
  fileprivate struct Numbered: Sendable {
    var number: Int
    var element: Element
  }

  /// The handler's end. When it is released, the events end.
  package final class Intake {
    private let continuation: AsyncStream<Numbered>.Continuation
    private var count = 0

    fileprivate init(_ continuation: AsyncStream<Numbered>.Continuation) {
      self.continuation = continuation
    }

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

  /// The two ends. Nothing is allocated for an event while nobody has asked for this.
  package static func make(
    capacity: Int = standardCapacity
  ) -> (events: BufferedEvents, intake: Intake) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Numbered.self, bufferingPolicy: .bufferingNewest(capacity))
    return (BufferedEvents(stream: stream), Intake(continuation))
  }

  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// Takes the events.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: AsyncStream<Numbered>.Iterator
    private var taken = 0
    /// How many events were dropped before the last one taken, because too many were waiting.
    public private(set) var droppedCount = 0

    fileprivate init(base: AsyncStream<Numbered>.Iterator) { self.base = base }

    /// The next event; `nil` if none can come any more, or the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      guard let next = await base.next(isolation: actor) else { return nil }
      droppedCount = next.number - taken
      taken += 1
      return next.element
    }
  }
}
