import Gliss

extension Interruption {
  /// From now on signals are told: `end` is called on `loop` for each that asks for the end.
  static func tell(on loop: EventLoop, _ end: @escaping () -> Void) throws(DeviceError) {
    guard let signals = tell() else { return }
    try loop.watch(signals) {
      while let number = next(from: signals) { if !isAboutTerminal(number) { end() } }
    }
  }
}
