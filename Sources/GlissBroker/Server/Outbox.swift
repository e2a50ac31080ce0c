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
