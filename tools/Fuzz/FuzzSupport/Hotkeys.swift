import GlissHotkeys

/// Takes what the fuzzer made up as a hotkey's text, and stops where the hotkey's own text is another hotkey, or where a
/// mistake lies outside of what was written.
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
    // what is missing at the end lies one behind it
    if mistake.offset < 0 || mistake.length < 0 || mistake.offset + mistake.length > length + 1 {
      fatalError("\(mistake.offset) + \(mistake.length) lies outside of \(length)")
    }
    if mistake.picture.isEmpty || error.description.isEmpty { fatalError("nothing is said") }
  }
}
