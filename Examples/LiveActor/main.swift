// An actor that follows the live touchpads of this computer, for a second unless "on" is given.
@preconcurrency import Glibc  // for stderr
import Gliss

actor Zoom {
  private(set) var factor = 1.0

  func follow() async throws {
    for try await gesture in LiveDevices.gestures() where gesture.kind == .pinch {
      if gesture.phase == .ended { factor *= gesture.scale }
    }
  }
}

do {
  let zoom = Zoom()
  let following = Task { try await zoom.follow() }
  if !CommandLine.arguments.contains("on") {
    try await Task.sleep(for: .seconds(1))
    following.cancel()
  }
  try await following.value
  print("zoomed by", await zoom.factor)
} catch {
  fputs("\(error)\n", stderr)
  exit(1)
}
