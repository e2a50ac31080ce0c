import GlissConfiguration
import GlissImport

/// Imports the fuzzer's input as another tool's file; the first byte selects the tool. Stops if the
/// result is not a valid file of ours, or has other rules.
public func checkImport(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  guard let data, count > 0 else { return }
  let tools = ImportedTool.allCases
  let tool = tools[Int(data[0]) % tools.count]
  let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
  let options = ImportOptions(byCharacter: data[0] > 127) { path in
    // a file may include itself
    path.utf8.count > 3 ? nil : ConfigurationText(name: path, bytes: Array(bytes.prefix(64)))
  }
  do throws(Mistake) {
    let imported = try tool.rules(
      in: ConfigurationText(name: "file", bytes: bytes), options: options)
    let text = imported.text
    let reading = Configuration.read([ConfigurationText(name: "ours", bytes: Array(text.utf8))])
    if let mistake = reading.mistakes.first(where: { $0.severity == .error }) {
      fatalError("\(mistake.place): \(mistake.message)\n\(text)")
    }
    let own = imported.rules.filter(isOfGesture) + imported.rules.filter { !isOfGesture($0) }
    let again = reading.configuration?.rules ?? []
    guard again.map(\.trigger) == own.map(\.trigger) else { fatalError("other rules\n\(text)") }
    for remark in imported.remarks where remark.place.line < 1 || remark.why.isEmpty {
      fatalError("a remark says nothing: \(remark)")
    }
  } catch {
    if error.place.line < 1 || error.place.column < 1 || error.message.isEmpty {
      fatalError("a mistake without a place: \(error)")
    }
  }
}

private func isOfGesture(_ rule: Rule) -> Bool {
  switch rule.trigger {
  case .gesture: true
  case .hotkey: false
  }
}
