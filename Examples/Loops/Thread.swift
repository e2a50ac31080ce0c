import Foundation
import Gliss

// threads begins
func readOnAThread(_ begun: @escaping @Sendable (InputLoop.Handle) -> Void) {
  Thread.detachNewThread {
    do {
      let devices = try LiveDevices()
      let session = Session()
      session.onGesture { gesture in print(gesture) }
      begun(devices.handle)
      try devices.run(into: session)  // until the handle's stop()
    } catch {
      print(error)
      exit(1)
    }
  }
}
// threads ends
