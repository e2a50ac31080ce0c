import GlissEvents
import GlissFocus

/// Reads the fuzzer's input as a desktop's bytes, whole and in pieces; stops if the focus differs.
///
/// The first byte picks the desktop and the pieces' sizes; the rest is what comes from the socket.
public func checkFocus(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  guard let data, count > 1 else { return }
  let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
  let seed = UInt32(data[0]) &* 2_654_435_761 | 1
  switch data[0] % 5 {
  case 0: compare(SwayMachine(), bytes, seed)
  case 1: compare(NiriMachine(), bytes, seed)
  case 2: compare(WaylandMachine(), bytes, seed)
  // what it asks depends on the pieces, and so do the numbers of the replies that it waits for
  case 3: _ = end(X11Machine(nil), bytes) { 40 }
  case _: _ = XAuthority.cookie(display: "0", host: "host", in: bytes)
  }
}

private func compare(_ machine: some FocusMachine, _ bytes: [UInt8], _ seed: UInt32) {
  var state = seed
  let whole = end(machine, bytes) { bytes.count }
  let pieces = end(machine, bytes) {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Int(state >> 27) + 1
  }
  if whole != pieces { fatalError("the same bytes in other pieces are another focus") }
}

/// The focus after all bytes; `nil` if they were refused.
private func end(_ machine: some FocusMachine, _ bytes: [UInt8], _ next: () -> Int) -> Focus? {
  var machine = machine
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = rest.prefix(next())
    rest = rest.dropFirst(piece.count)
    do { _ = try machine.receive(Array(piece)) } catch { return nil }
  }
  return machine.focus
}
