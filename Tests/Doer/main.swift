import Glibc
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissFocus

// gliss-doer: does the actions on windows and workspaces that standard input has, one a line as in a rule, by the
// code of the agent. It prints a line for each: the desktop that did it, or why it was not done.

/// A line, at once.
func say(_ text: String) {
  print(text)
  fflush(nil)
}

/// The action of a rule; `nil` if the line has none of the desktop's.
func action(_ line: String) -> DesktopAction? {
  let text = "gestures: [{gesture: tap, do: \(line)}]"
  let reading = Configuration.read([ConfigurationText(name: "line", bytes: Array(text.utf8))])
  guard case .desktop(let action)? = reading.configuration?.rules.first?.reactions.end.first?.verb
  else { return nil }
  return action
}

do {
  let loop = try InputLoop()
  let actor = try DesktopActor(on: loop)
  while let line = readLine() {
    guard let action = action(line) else {
      say("failed: this is no action of a desktop")
      continue
    }
    var outcome: DesktopActor.Outcome?
    actor.perform(action) { outcome = $0 }
    while outcome == nil { try loop.wait(until: nil) }
    switch outcome {
    case .success(let kind)?: say("done \(kind.rawValue)")
    case .failure(let failure)?: say("failed: \(failure)")
    case nil: say("failed: no outcome")
    }
  }
} catch {
  say("failed: \(error)")
  exit(1)
}
