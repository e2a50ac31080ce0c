// Prints the zoom of each pinch in a recording: example-zoom recordings/demo/demo.yml
import Gliss

do {
  let recording = try Recording(path: CommandLine.arguments.last ?? "")
  for try await gesture in recording.gestures() where gesture.kind == .pinch {
    print("\(gesture.phase.name) \((gesture.scale * 100).rounded())%")
  }
} catch {
  print(error)
}
