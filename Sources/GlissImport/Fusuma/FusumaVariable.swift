import GlissConfiguration

/// The variables with which fusuma passes each motion of a gesture to commands.
enum FusumaVariable: String, CaseIterable {
  case moveX = "move_x"
  case moveY = "move_y"
  case zoom, rotate

  /// The closest equivalent here. It is measured from the beginning of the gesture.
  private var counterpart: String {
    switch self {
    case .moveX: "$GLISS_TRANSLATION_X_MM"
    case .moveY: "$GLISS_TRANSLATION_Y_MM"
    case .zoom: "$GLISS_SCALE"
    case .rotate: "$GLISS_ROTATION_DEG"
    }
  }

  /// Whether a shell would expand the variable in `command`.
  func isNamed(in command: String) -> Bool {
    let bytes = Array(command.utf8)
    return bytes.indices.contains { start in
      guard bytes[start] == UInt8(ascii: "$") else { return false }
      let rest = bytes[(start + 1)...]
      return rest.starts(with: rawValue.utf8) || rest.starts(with: "{\(rawValue)".utf8)
    }
  }

  /// Reports that the variable is empty here, and what that means for the command.
  func tell(in moment: FusumaLocation.Moment, at place: Place, _ file: inout ImportedFile) {
    let isEmpty = "it is empty here; \(counterpart) counts since the gesture began"
    guard moment == .update else {
      file.note("$\(rawValue)", isEmpty, at: place)
      return
    }
    let isProposed = "the rule is commented out, with what else the gesture does"
    switch self {
    case .moveX, .moveY:
      file.lose(
        "$\(rawValue)",
        "it is empty here, so \(isProposed); where fingers drag what is below the pointer, turn that on in the desktop's settings. \(counterpart) counts since the gesture began",
        at: place)
    case .zoom, .rotate: file.lose("$\(rawValue)", "\(isEmpty); \(isProposed)", at: place)
    }
  }

  /// The comment above the rule, which is only proposed.
  var proposal: String {
    switch self {
    case .moveX, .moveY:
      "To drag with three fingers, turn that on in the desktop's settings; this moves nothing:"
    case .zoom, .rotate: "Nothing tells it of each motion, as fusuma did:"
    }
  }
}
