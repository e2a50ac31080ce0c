public import GlissEvents

/// What a recognizer reports: a gesture, or the reason for a decision.
public enum RecognizerOutput: Sendable, BitwiseCopyable {
  case gesture(GestureEvent)
  case decision(Decision)
}

/// The outputs of one frame, in order. At most: a gesture that ends, one that begins and moves, a
/// hold, a tap, and their decisions.
public typealias RecognizerOutputs = InlineList<12, RecognizerOutput>

extension RecognizerOutputs {
  init() {
    self.init(
      filler: .gesture(
        GestureEvent(
          time: .zero, device: DeviceID(rawValue: 0), kind: .hold, phase: .cancelled, fingers: 0)))
  }
}
