import Gliss

extension Hotkey.Name {
  static let terminal = Self("terminal")
}

// threads begins
func followBoth() throws {
  let monitor = try GlobalEventMonitor(Scope(tier: .gesture, events: .gesture))
  let hotkeys = try RemoteHotkeys()
  hotkeys.onPress(of: .terminal) { print("open a terminal") }
  try hotkeys.register("ctrl+alt+t", as: .terminal)
  var end: ClientError?
  try hotkeys.loop.watch(monitor.descriptor) {
    do throws(ClientError) {
      try monitor.take { event in print(event) }
    } catch {
      end = error
      hotkeys.stop()
    }
  }
  try hotkeys.run()
  if let end { throw end }
}
// threads ends
