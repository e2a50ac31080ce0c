import GlissEvents

/// What was sent to one client and has not gone out.
struct Outbox {
  private var text = TextBuffer(capacity: 0)
  private var start = 0

  var count: Int { text.bytes.count - start }
  var isEmpty: Bool { count == 0 }

  /// Adds a message, and the NUL that ends it.
  mutating func append(_ write: (inout TextBuffer) -> Void) {
    write(&text)
    text.append(byte: 0)
  }

  /// Adds the rest of a message, its NUL too.
  mutating func append(rest bytes: UnsafeRawBufferPointer) { text.bytes.append(contentsOf: bytes) }

  /// Hands out what waits, as much as one write may take.
  func withBytes<Result>(limit: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    text.bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<min($0.count, start + limit)]))
    }
  }

  /// So many bytes have gone out.
  mutating func remove(_ count: Int) {
    start += count
    guard isEmpty else { return }
    start = 0
    // a long answer's memory is given back
    if text.bytes.capacity > 4096 { text = TextBuffer(capacity: 0) } else { text.removeAll() }
  }

  mutating func removeAll() { remove(count) }
}
