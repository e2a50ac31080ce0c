import Gliss

/// Describes an event in a few words, for the table's last column and the line under the picture.
enum EventSentence {
  static func describe(_ gesture: GestureEvent) -> Phrase {
    var phrase = Phrase()
    switch gesture.kind {
    case .tap: phrase.add(taps(gesture.count))
    case .hold: break
    case .drag:
      if gesture.isAfterTap { phrase.add("after a tap", .circumstance) }
      add(gesture, towards: Direction.ofEight(gesture.translationInMillimetres), to: &phrase)
    case .swipe: add(gesture, towards: gesture.direction, to: &phrase)
    case .edgeSwipe:
      if let edge = gesture.edge {
        phrase.add("from the \(edge.name) edge", short: ["\(edge.name) edge"], .circumstance)
      }
      add(gesture, towards: gesture.direction, to: &phrase)
    case .pinch:
      let scale = gesture.scale.fixed(2) + "×"
      phrase.add((gesture.scale < 1 ? "together to " : "apart to ") + scale, short: [scale])
    case .rotate:
      let degrees = gesture.rotation * 180 / Double.pi
      let size = abs(degrees).fixed(0) + "°"
      phrase.add(
        degrees < 0 ? "\(size) clockwise" : "\(size) counter-clockwise",
        short: [degrees < 0 ? "\(size) cw" : "\(size) ccw"])
    }
    if gesture.phase == .cancelled { phrase.add("cancelled", .outcome) }
    return phrase
  }

  static func describe(_ key: KeyEvent) -> Phrase {
    var phrase = Phrase()
    phrase.add("\(key.key.name) \(key.state.name)")
    if !key.text.isEmpty { phrase.add("'\("\(key.text)".printable)'", .detail, joint: " ") }
    return phrase
  }

  private static func taps(_ count: Int) -> String {
    switch count {
    case ...1: "single"
    case 2: "double"
    case 3: "triple"
    case _: "\(count) in a row"
    }
  }

  private static func add(
    _ gesture: GestureEvent, towards direction: Direction?, to phrase: inout Phrase
  ) {
    if let direction {
      phrase.add(words(direction), short: [words(direction).replacing(" and ", with: "-")])
    }
    let millimetres = gesture.translationInMillimetres.length
    phrase.add("\(millimetres.fixed(1)) mm", .length, joint: " ")
    phrase.add("(\(gesture.translation.length.fixed(1)) pt)", .detail, joint: " ")
    let speed = gesture.velocity.length
    let text = "\(speed.fixed(0)) mm/s"
    switch gesture.phase {
    case .ended where speed < 5: phrase.add("came to rest", .speed)
    case .ended: phrase.add("lifted at \(text)", short: [text], .speed)
    case .began, .changed: phrase.add(text, .speed)
    case .cancelled, .recognized: break
    }
  }

  static func words(_ direction: Direction) -> String {
    switch direction {
    case .right: "right"
    case .downRight: "down and right"
    case .down: "down"
    case .downLeft: "down and left"
    case .left: "left"
    case .upLeft: "up and left"
    case .up: "up"
    case .upRight: "up and right"
    }
  }

  static func describe(_ classes: DeviceClasses) -> String {
    var classes = classes
    // every keyboard has keys
    if classes.contains(.keyboard) { classes.remove(.key) }
    return classes.isEmpty ? "other" : classes.words.joined(separator: ", ")
  }

  static func describe(_ device: Device) -> String {
    ([device.name.printable] + [size(of: device)].compactMap(\.self)).joined(separator: ", ")
  }

  /// The device's size; `nil` if it is not a touch device.
  static func size(of device: Device) -> String? {
    switch device.kind {
    case .touchpad, .touchscreen: "\(device.size)" + (device.size.isAssumed ? " assumed" : "")
    case .keyboard, .mouse, .other: nil
    }
  }
}

extension GestureKind {
  /// The colour of each kind, the same in tables and pictures.
  var style: Style {
    switch self {
    case .drag: .green
    case .pinch: .magenta
    case .rotate: .yellow
    case .swipe: .cyan
    case .tap, .hold: .blue
    case .edgeSwipe: .cyan
    }
  }
}

/// A few words about an event that shorten to fit: parts are dropped as a whole, so a number is
/// never cut.
struct Phrase {
  /// The order in which parts are dropped, first to last.
  enum Rank: Int, CaseIterable {
    /// The same in other words.
    case detail
    case speed
    case circumstance
    case length
    /// What happened.
    case essence
    /// That it had no effect.
    case outcome
  }

  private struct Part {
    /// The longest first.
    var forms: ArraySlice<String>
    var rank: Rank
    /// The separator before this part.
    var joint: String
  }

  private var parts: [Part] = []

  init() {}

  init(_ text: String) { add(text) }

  /// - Parameter short: Shorter ways to say the same.
  mutating func add(
    _ text: String, short: [String] = [], _ rank: Rank = .essence, joint: String = ", "
  ) {
    parts.append(Part(forms: ([text] + short)[...], rank: rank, joint: joint))
  }

  /// The full text.
  var whole: String { Self.joined(parts) }

  /// The text shortened to `width` columns.
  func fitted(to width: Int) -> String {
    var parts = parts
    for rank in Rank.allCases {
      for index in parts.indices where parts[index].rank == rank {
        while !parts[index].forms.isEmpty {
          let text = Self.joined(parts)
          if Charset.current.width(of: text) <= width { return text }
          parts[index].forms.removeFirst()
        }
      }
    }
    return ""
  }

  private static func joined(_ parts: [Part]) -> String {
    var text = ""
    for part in parts {
      guard let form = part.forms.first else { continue }
      text += (text.isEmpty ? "" : part.joint) + form
    }
    return text
  }
}
