import GlissEvents

/// Data for one client that was not written to its socket yet.
struct Outbox {
  private var text = TextBuffer(capacity: 0)
  private var start = 0

  var count: Int { text.bytes.count - start }
  var isEmpty: Bool { count == 0 }

  /// Adds a message and the NUL that ends it.
  mutating func append(_ write: (inout TextBuffer) -> Void) {
    write(&text)
    text.append(byte: 0)
  }

  /// Adds the rest of a message, including its NUL.
  mutating func append(rest bytes: UnsafeRawBufferPointer) { text.bytes.append(contentsOf: bytes) }

  /// Passes on the waiting data, up to one write's worth.
  func withBytes<Result>(limit: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    text.bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<min($0.count, start + limit)]))
    }
  }

  /// Removes bytes that were written.
  mutating func remove(_ count: Int) {
    start += count
    guard isEmpty else { return }
    start = 0
    // gives back the memory of a long answer
    if text.bytes.capacity > 4096 { text = TextBuffer(capacity: 0) } else { text.removeAll() }
  }

  mutating func removeAll() { remove(count) }
}

/// The newest messages, each ended by a NUL, in a fixed block of memory.
///
/// Messages are numbered as they come and stored one after the other, so that one write can send
/// many. A new message overwrites the oldest. Memory that was never needed is never touched.
struct MessageRing: ~Copyable {
  private let memory: UnsafeMutableRawBufferPointer
  /// The place of message `n` is at index `n` modulo the capacity.
  private let places: UnsafeMutableBufferPointer<Range<Int>>
  /// The number of the oldest message kept.
  private(set) var first: UInt64 = 0
  /// The number of the next message.
  private(set) var next: UInt64 = 0
  /// Where the next message is stored.
  private var head = 0

  /// - Parameters:
  ///   - bytes: the most bytes kept.
  ///   - messages: the most messages kept.
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

  /// Stores `message` and a NUL after it. A message longer than the whole memory is dropped with
  /// all others.
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

  /// Drops all messages. Numbering continues.
  mutating func removeAll() {
    first = next
    head = 0
  }

  /// Drops as few of the oldest messages as needed to store `size` bytes from ``head`` on.
  private mutating func makeRoom(for size: Int) {
    if next - first == UInt64(places.count) { first += 1 }
    while !isEmpty {
      let oldest = self[first].lowerBound
      if head > oldest {
        if head + size <= memory.count { return }
        // the space at the end is too small for a whole message
        head = 0
      } else {
        if head + size <= oldest { return }
        first += 1
      }
    }
    head = 0
  }

  /// Messages that are stored one after the other.
  struct Run {
    var numbers: Range<UInt64>
    var bytes: Range<Int>
  }

  /// The messages from `number` on, which must still be kept: at least one, and more while each
  /// begins within `limit` bytes.
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

  /// Splits `run` after its first `count` bytes were sent.
  ///
  /// - Returns: the first message of which nothing was sent, and the rest of the one before.
  func split(_ run: Run, after count: Int) -> (next: UInt64, rest: Range<Int>) {
    let end = run.bytes.lowerBound + count
    var number = run.numbers.lowerBound
    while number < run.numbers.upperBound, self[number].lowerBound < end { number += 1 }
    guard number > run.numbers.lowerBound else { return (number, end..<end) }
    return (number, end..<max(end, self[number - 1].upperBound))
  }
}
