/// The newest messages, each ended by a NUL, in one piece of memory that does not grow.
///
/// They are numbered as they come and lie one behind the other, so that many go out with one write; what is in the way
/// of a new one is forgotten. Memory that was never needed is never touched.
struct MessageRing: ~Copyable {
  private let memory: UnsafeMutableRawBufferPointer
  /// Where message `n` lies is at `n` modulo their number.
  private let places: UnsafeMutableBufferPointer<Range<Int>>
  /// The number of the oldest that is kept.
  private(set) var first: UInt64 = 0
  /// The number that the next one gets.
  private(set) var next: UInt64 = 0
  /// Where the next one goes.
  private var head = 0

  /// - Parameters:
  ///   - bytes: how many bytes are kept at most.
  ///   - messages: how many messages are kept at most.
  init(bytes: Int, messages: Int) {
    memory = .allocate(byteCount: bytes, alignment: 16)
    places = .allocate(capacity: messages)
    places.initialize(repeating: 0..<0)
  }

  deinit {
    memory.deallocate()
    places.deallocate()
  }

  var isEmpty: Bool { first == next }

  private subscript(number: UInt64) -> Range<Int> { places[Int(number % UInt64(places.count))] }

  /// Keeps `message`, and a NUL behind it. One that is longer than the whole memory takes all others with it.
  mutating func append(_ message: [UInt8]) {
    let size = message.count + 1
    guard size <= memory.count else {
      next += 1
      return removeAll()
    }
    makeRoom(for: size)
    let place = head..<head + size
    UnsafeMutableRawBufferPointer(rebasing: memory[place]).copyBytes(from: message)
    memory[place.upperBound - 1] = 0
    places[Int(next % UInt64(places.count))] = place
    next += 1
    head = place.upperBound
  }

  /// Forgets all; numbers go on.
  mutating func removeAll() {
    first = next
    head = 0
  }

  /// Forgets as few of the oldest as needed for `size` bytes from ``head`` on.
  private mutating func makeRoom(for size: Int) {
    if next - first == UInt64(places.count) { first += 1 }
    while !isEmpty {
      let oldest = self[first].lowerBound
      if head > oldest {
        if head + size <= memory.count { return }
        // the end is too small for a whole one
        head = 0
      } else {
        if head + size <= oldest { return }
        first += 1
      }
    }
    head = 0
  }

  /// Messages that lie one behind the other.
  struct Run {
    var numbers: Range<UInt64>
    var bytes: Range<Int>
  }

  /// Those from `number` on, which must be kept: at least one, and others as long as all begin within `limit` bytes.
  func run(from number: UInt64, limit: Int) -> Run {
    let start = self[number].lowerBound
    var end = self[number].upperBound
    var last = number + 1
    while last < next, self[last].lowerBound == end, end - start < limit {
      end = self[last].upperBound
      last += 1
    }
    return Run(numbers: number..<last, bytes: start..<end)
  }

  func withBytes<Result>(of run: Run, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(rebasing: memory[run.bytes]))
  }

  /// What was told of `run` where its first `count` bytes went out.
  ///
  /// - Returns: the first message of which nothing went out, and what is left of the one before.
  func split(_ run: Run, after count: Int) -> (next: UInt64, rest: Range<Int>) {
    let end = run.bytes.lowerBound + count
    var number = run.numbers.lowerBound
    while number < run.numbers.upperBound, self[number].lowerBound < end { number += 1 }
    guard number > run.numbers.lowerBound else { return (number, end..<end) }
    return (number, end..<max(end, self[number - 1].upperBound))
  }
}
