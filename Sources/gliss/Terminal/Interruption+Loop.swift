import Gliss

extension Interruption {
  /// Reports signals on `loop` from now on: calls `end` for each that asks the process to end.
  static func tell(on loop: EventLoop, _ end: @escaping () -> Void) throws(DeviceError) {
    guard let signals = tell() else { return }
    try loop.watch(signals) {
      while let number = next(from: signals) { if !isAboutTerminal(number) { end() } }
    }
  }
}
