// Hotkeys that the user chose, for the whole seat: example-chosen-hotkeys '{"openTerminal": "super+u"}'
import Foundation
import Gliss

extension Hotkey.Name {
  static let openTerminal = Self("openTerminal")
}

func serve(_ chosen: [Hotkey.Name: Hotkey]) throws(ClientError) {
  let hotkeys = try RemoteHotkeys()
  hotkeys.onPress(of: .openTerminal) { print("open a terminal") }
  for (name, hotkey) in chosen {
    do throws(ClientError) {
      try hotkeys.register(hotkey, as: name)
    } catch {
      switch error {
      case .hotkeyTaken, .hotkeyCouldType: print("\(name): \(error)")
      default: throw error  // such as noBroker, which says how to start one
      }
    }
  }
  try hotkeys.run()
}

do {
  let text = Data((CommandLine.arguments.last ?? "").utf8)
  try serve(try JSONDecoder().decode([Hotkey.Name: Hotkey].self, from: text))
} catch {
  print(error)
}
