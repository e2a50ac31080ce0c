// Three hotkeys of this process's own devices, or with "remote" of the whole seat.
@preconcurrency import Glibc  // for stderr
import Gliss

extension Hotkey.Name {
  static let openTerminal = Self("openTerminal")
  static let talk = Self("talk")
  static let louder = Self("louder")
}

func addHotkeys(to hotkeys: some NamesHotkeys) throws {
  try hotkeys.register("super+shift+t", as: .openTerminal)
  try hotkeys.register(Hotkey(.f9), as: .talk)
  try hotkeys.register(Hotkey(.volumeUp, activation: .repeat), as: .louder)
  hotkeys.onPress(of: .openTerminal) { print("open a terminal") }
  hotkeys.onPress(of: .talk) { print("microphone on") }
  hotkeys.onRelease(of: .talk) { print("microphone off") }
  hotkeys.onRepeat(of: .louder) { print("even louder") }
}

do {
  let (session, remote) = (Session(), try RemoteHotkeys())
  let isRemote = CommandLine.arguments.contains("remote")
  if isRemote { try addHotkeys(to: remote) } else { try addHotkeys(to: session) }
  if isRemote { try remote.run() } else { try LiveDevices().run(into: session) }
} catch {
  fputs("\(error)\n", stderr)
  exit(1)
}
