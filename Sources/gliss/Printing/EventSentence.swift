import Gliss

/// What an event did, in a few words: the last column of the table and the line under the picture.
enum EventSentence {
  static func describe(_ gesture: GestureEvent) -> String {
    var parts: [String] = []
    switch gesture.kind {
    case .tap: parts.append(taps(gesture.count))
    case .hold: break
    case .drag:
      if gesture.isAfterTap { parts.append("after a tap") }
      parts += motion(gesture, towards: Direction.ofEight(gesture.translationInMillimetres))
    case .swipe: parts += motion(gesture, towards: gesture.direction)
    case .edgeSwipe:
      if let edge = gesture.edge { parts.append("from the \(edge.name) edge") }
      parts += motion(gesture, towards: gesture.direction)
    case .pinch:
      parts.append(
        (gesture.scale < 1 ? "together to " : "apart to ") + gesture.scale.fixed(2) + "×")
    case .rotate: parts.append(turn(gesture.rotation))
    }
    if gesture.phase == .cancelled { parts.append("cancelled") }
    return parts.joined(separator: ", ")
  }

  static func describe(_ key: KeyEvent) -> String {
    let words = "\(key.key.name) \(key.state.name)"
    return key.text.isEmpty ? words : "\(words) '\("\(key.text)".printable)'"
  }

  private static func taps(_ count: Int) -> String {
    switch count {
    case ...1: "single"
    case 2: "double"
    case 3: "triple"
    case _: "\(count) in a row"
    }
  }

  private static func motion(_ gesture: GestureEvent, towards direction: Direction?) -> [String] {
    let millimetres = gesture.translationInMillimetres.length
    let way = direction.map { words($0) + " " } ?? ""
    let speed = gesture.velocity.length
    var parts = [
      "\(way)\(millimetres.fixed(1)) mm (\(gesture.translation.length.fixed(1)) pt)"
    ]
    switch gesture.phase {
    case .ended: parts.append(speed < 5 ? "came to rest" : "lifted at \(speed.fixed(0)) mm/s")
    case .began, .changed: parts.append("\(speed.fixed(0)) mm/s")
    case .cancelled, .recognized: break
    }
    return parts
  }

  private static func turn(_ radians: Double) -> String {
    let degrees = radians * 180 / Double.pi
    return "\(abs(degrees).fixed(0))° " + (degrees < 0 ? "clockwise" : "counter-clockwise")
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
    let size = device.size
    let millimetres = "\(size)" + (size.isAssumed ? " assumed" : "")
    let name = device.name.printable
    switch device.kind {
    case .touchpad, .touchscreen: return "\(name), \(millimetres)"
    case .keyboard, .mouse, .other: return name
    }
  }
}

extension GestureKind {
  /// Each kind has its colour, the same in tables and pictures.
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
