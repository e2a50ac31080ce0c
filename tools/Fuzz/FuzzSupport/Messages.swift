import GlissBroker
import GlissClient
import GlissEvents

/// Reads the fuzzer's input as a client's bytes, whole and in pieces. Stops if the messages differ,
/// or if reading an encoded message again gives another one.
///
/// The first byte picks the pieces' sizes; the rest is what comes from the socket.
public func checkMessages(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  guard let data, count > 1 else { return }
  let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
  var state = UInt32(data[0]) &* 2_654_435_761 | 1
  let whole = messages(bytes) { bytes.count }
  let pieces = messages(bytes) {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Int(state >> 27) + 1
  }
  if whole != pieces { fatalError("the same bytes in other pieces are other messages") }
  whole.forEach(check)
}

private func messages(_ bytes: [UInt8], _ next: () -> Int) -> [[UInt8]] {
  var framer = MessageFramer(limit: 512)
  var found: [[UInt8]] = []
  var start = 0
  while start < bytes.count {
    let end = min(bytes.count, start + next())
    framer.append(bytes[start..<end])
    start = end
    do throws(VarlinkError) {
      while let message = try framer.next() { found.append(message) }
    } catch {
      return found
    }
  }
  return found
}

private func check(_ message: [UInt8]) {
  do throws(JSONError) {
    let json = try JSON(parsing: message)
    let text = json.encoded
    guard let again = try? JSON(parsing: text), again == json, again.encoded == text else {
      fatalError("\(json) is read as something else")
    }
  } catch {
    if !(0...message.count).contains(error.offset) { fatalError("\(error) lies outside") }
  }
  if let call = try? VarlinkCall(parsing: message), call.interface.isEmpty || call.method.isEmpty {
    fatalError("a call of nothing")
  }
}
