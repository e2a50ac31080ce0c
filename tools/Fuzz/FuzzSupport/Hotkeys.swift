import GlissHotkeys

/// Parses the fuzzer's input as a hotkey. Stops if the hotkey's own text is another hotkey, or if a
/// mistake is outside the text.
public func checkHotkey(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  guard let data else { return }
  let text = String(decoding: UnsafeBufferPointer(start: data, count: count), as: UTF8.self)
  do throws(HotkeyError) {
    let hotkey = try Hotkey(text)
    let form = hotkey.description
    guard let again = try? Hotkey(form), again == hotkey, again.description == form else {
      fatalError("\(form) is another hotkey than \(text)")
    }
  } catch {
    guard case .syntax(let mistake) = error else { fatalError("taken by nobody") }
    let length = text.count
    // a missing part at the end is marked one past the end
    if mistake.offset < 0 || mistake.length < 0 || mistake.offset + mistake.length > length + 1 {
      fatalError("\(mistake.offset) + \(mistake.length) lies outside of \(length)")
    }
    if mistake.picture.isEmpty || error.description.isEmpty { fatalError("nothing is said") }
  }
}
