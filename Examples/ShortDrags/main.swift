// A local monitor that swallows drags under 5 mm, and a session that does not see them.
import Gliss
import GlissSynthesis

let session = Session()

session.addLocalMonitor(matching: .gesture) { event in
  guard case .gesture(let gesture) = event, gesture.kind == .drag else { return .pass }
  // what stays deferred until it ends is swallowed
  return gesture.translation.millimetres.length < 5 ? .deferred : .pass
}

session.onGesture { gesture in
  guard gesture.kind == .drag, gesture.phase == .began || gesture.phase == .ended else { return }
  print(gesture.phase.name, "at", gesture.translation.millimetres.length.rounded(), "mm")
}

for length in [4.0, 30] {
  print("a drag of \(length) mm")
  Stroke.drag(by: Vector2(x: length, y: 0)).trace(on: .medium, seed: 1).run(into: session)
}
