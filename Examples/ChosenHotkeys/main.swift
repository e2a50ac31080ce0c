// Hotkeys that the user chose, for the whole seat: example-chosen-hotkeys '{"openTerminal": "super+u"}'
import Foundation
import Gliss

extension Hotkey.Name {
  static let openTerminal = Self("openTerminal")
}

func serve(_ chosen: [Hotkey.Name: Hotkey]) throws(ClientError) {
  let hotkeys = try RemoteHotkeys()
  hotkeys.onPress(of: .openTerminal) { print("open a terminal") }
  let failures = hotkeys.register(chosen)
  for (name, error) in failures {
    print("\(name): \(error)")  // such as hotkeyTaken, which names the owner
  }
  // such as noBroker, while the broker has not come back
  if hotkeys.named.all.isEmpty, let error = failures.values.first { throw error }
  if !chosen.isEmpty { try hotkeys.run() }
}

do {
  let text = Data((CommandLine.arguments.last ?? "").utf8)
  try serve(try JSONDecoder().decode([Hotkey.Name: Hotkey].self, from: text))
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
