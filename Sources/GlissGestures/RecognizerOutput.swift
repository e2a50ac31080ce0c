public import GlissEvents

/// What a recognizer has to say: a gesture, or why it decided as it did.
public enum RecognizerOutput: Sendable {
  case gesture(GestureEvent)
  case decision(Decision)
}
