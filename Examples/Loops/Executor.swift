import Gliss

// threads begins
actor Zoom {
  private(set) var factor = 1.0
  private let executor: LoopExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unownedExecutor }

  init() throws { executor = try LoopExecutor() }

  func read() throws -> InputLoop.Handle {
    let session = Session()
    session.onGesture { gesture in
      if case (.ended, .pinch(let scale)) = (gesture.phase, gesture.shape) { self.factor *= scale }
    }
    let devices = try LiveDevices()
    devices.didRefuse = { refused in print(refused) }
    devices.didFindNone = { print("no touchpad yet: plug one in, or run 'gliss doctor'") }
    return try executor.read(devices, into: session) { error in
      if let error { print(error) }
    }
  }
}
// threads ends
