import Glibc
import GlissDevices
import GlissEvents
import GlissSession

// gliss-taker NODE HOTKEY: keeps a hotkey from the desktop, and says in lines what becomes of that.
// gliss-taker NODE --strokes: keeps strokes of three fingers from it, by a twin of the touchpad.

/// A line, at once.
func say(_ text: String) {
  var bytes = Array((text + "\n").utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    bytes = bytes.dropFirst(count)
  }
}

guard CommandLine.arguments.count == 3 else { exit(2) }
do {
  let devices = try LiveDevices(.paths([CommandLine.arguments[1]]))
  let session = Session()
  devices.didChangeGrab = { say("\($0)") }
  devices.didRefuse = { say("\($0)") }
  devices.didChangeTwin = { say($0.strokeSentence) }
  if CommandLine.arguments[2] == "--strokes" {
    try devices.take(FingerCounts([3]), of: FingerCounts([3]))
  } else {
    try session.registerHotkey(CommandLine.arguments[2], consuming: true) { event in
      if event.shouldAct { say("hotkey") }
    }
  }
  try devices.run(into: session)
} catch {
  say("failed: \(error)")
  exit(1)
}
