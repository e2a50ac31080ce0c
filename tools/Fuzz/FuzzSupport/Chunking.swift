import GlissRecordings

/// What a reader made of some bytes, as far as it can be compared.
private struct Outcome: Equatable {
  var items: [RecordingItem] = []
  var warnings = RecordingWarnings()
  var error: RecordingError?
}

/// Reads the fuzzer's input, whole and in pieces, and stops if the results differ.
///
/// The first byte picks the pieces' sizes; the rest is the recording.
public func checkReader(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  guard let data, count > 1 else { return }
  let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
  var state = UInt32(data[0]) &* 2_654_435_761 | 1
  let whole = outcome(bytes) { bytes.count }
  let pieces = outcome(bytes) {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Int(state >> 27) + 1
  }
  if whole != pieces { fatalError("the same bytes in other pieces read differently") }
}

private func outcome(_ bytes: [UInt8], _ next: () -> Int) -> Outcome {
  var reader = RecordingReader()
  var outcome = Outcome()
  var start = 0
  do throws(RecordingError) {
    while start < bytes.count {
      let end = min(bytes.count, start + next())
      try reader.consume(bytes.span.extracting(start..<end)) { outcome.items.append($0) }
      start = end
    }
    try reader.finish { outcome.items.append($0) }
  } catch {
    outcome.error = error
  }
  outcome.warnings = reader.warnings
  return outcome
}
