// Prints the zoom of each pinch in a recording, by default of recordings/demo/demo.yml
@preconcurrency import Glibc  // for stderr
import Gliss

do {
  let recording = try Recording(
    path: CommandLine.arguments.dropFirst().first ?? "recordings/demo/demo.yml")
  for try await gesture in recording.gestures() where gesture.kind == .pinch {
    print("\(gesture.phase.name) \((gesture.scale * 100).rounded())%")
  }
} catch {
  fputs("\(error)\n", stderr)
  exit(1)
}
