import Gliss

/// A small live picture: the pad from above, the fingers where they are, the gesture under way.
///
/// It is redrawn in place under the rows of the table, at most thirty times a second.
struct Picture {
  private static let interval: Int64 = 1_000_000 / 30

  private let terminal: Terminal
  private var columns = 0
  private var rows = 0
  private var fingers: [(cell: (x: Int, y: Int), serial: UInt32, isResting: Bool)] = []
  private var underWay: [GestureEvent] = []
  private var device: Device?
  /// How many lines of the picture stand above the cursor.
  private var drawn = 0
  private var lastDrawn = Int64.min
  private var isStale = false

  /// `nil` where the terminal cannot redraw, or has no room.
  init?(on terminal: Terminal) {
    guard terminal.hasCursor, terminal.columns >= 40, terminal.rows >= 16 else { return nil }
    self.terminal = terminal
  }

  /// Takes the event in; ``frame(at:)`` shows it when it is time.
  mutating func note(_ event: InputEvent, from device: Device?) {
    isStale = true
    switch event {
    case .touch(let frame):
      if let device, device.id != self.device?.id || columns == 0 { lay(out: device) }
      fingers.removeAll(keepingCapacity: true)
      for index in frame.touches.indices {
        let touch = frame.touches[index]
        if touch.phase.isFinal { continue }
        fingers.append((cell(touch.normalizedPosition), touch.id.serial, touch.isResting))
      }
    case .gesture(let gesture):
      underWay.removeAll { $0.kind == gesture.kind && $0.device == gesture.device }
      switch gesture.phase {
      case .began, .changed: underWay.append(gesture)
      case .ended, .cancelled, .recognized: break
      }
    case .key, .button: break
    }
  }

  /// The bytes that redraw the picture, or nothing where the last one is still fresh or still true.
  mutating func frame(at now: Int64) -> String {
    guard isStale, columns > 0, lastDrawn == .min || now - lastDrawn >= Self.interval else {
      return ""
    }
    return erased() + drawing(at: now)
  }

  /// How long until a change that is not shown yet may be drawn, in µs; `nil` where all is shown.
  func wait(at now: Int64) -> Int64? {
    guard isStale, columns > 0 else { return nil }
    return lastDrawn == .min ? 0 : max(0, Self.interval - (now - lastDrawn))
  }

  /// `text` above the picture: takes the picture away, prints, draws it again.
  mutating func printing(_ text: String, at now: Int64) -> String {
    columns > 0 ? erased() + text + drawing(at: now) : text
  }

  /// Takes the picture away for good and shows the cursor again.
  mutating func closing() -> String {
    defer { columns = 0 }
    return columns > 0 ? erased() + "\u{1b}[?25h" : ""
  }

  /// A box of the pad's own shape; a terminal's cell is about twice as high as wide.
  private mutating func lay(out device: Device) {
    self.device = device
    let size = device.size.millimetres
    let shape = size.y / max(size.x, 1)
    let room = (columns: min(terminal.columns - 4, 64), rows: min(terminal.rows - 8, 22))
    var width = Double(room.columns)
    var height = width * shape / 2
    if height > Double(room.rows) {
      height = Double(room.rows)
      width = min(width, height * 2 / max(shape, 0.01))
    }
    columns = max(10, Int(width))
    rows = max(3, Int(height))
  }

  private func cell(_ position: Vector2) -> (x: Int, y: Int) {
    (Self.index(position.x, of: columns), Self.index(position.y, of: rows))
  }

  private static func index(_ share: Double, of count: Int) -> Int {
    let bounded = share > 0 ? min(share, 1) : 0
    return min(count - 1, Int(bounded * Double(count)))
  }

  private mutating func erased() -> String {
    defer { drawn = 0 }
    if drawn > 0 { return "\u{1b}[\(drawn)A\u{1b}[J" }
    Interruption.markCursorHidden(true)
    return "\u{1b}[?25l"
  }

  private mutating func drawing(at now: Int64) -> String {
    lastDrawn = now
    isStale = false
    drawn = rows + 3
    let edge = String(repeating: "─", count: columns)
    var picture = Style.dim("╭\(edge)╮", on: terminal) + "\n"
    let side = Style.dim("│", on: terminal)
    for y in 0..<rows { picture += side + inside(y) + side + "\n" }
    picture += Style.dim("╰\(edge)╯", on: terminal) + "\n"
    return picture + caption() + "\n"
  }

  private func inside(_ y: Int) -> String {
    var row = ""
    var x = 0
    let present = fingers.filter { $0.cell.y == y }.sorted { $0.cell.x < $1.cell.x }
    for finger in present where finger.cell.x >= x {
      row += String(repeating: " ", count: finger.cell.x - x)
      let style = underWay.last?.kind.style ?? .bold
      row += finger.isResting ? Style.dim("○", on: terminal) : style("●", on: terminal)
      x = finger.cell.x + 1
    }
    return row + String(repeating: " ", count: max(0, columns - x))
  }

  private func caption() -> String {
    guard let gesture = underWay.last else {
      return fingers.isEmpty ? "" : Style.dim(" \(fingers.count) down", on: terminal)
    }
    let words = EventSentence.describe(gesture)
    let count = gesture.fingers == 1 ? "1 finger" : "\(gesture.fingers) fingers"
    let text = " \(gesture.kind.name), \(count): \(words)"
    return gesture.kind.style(String(text.prefix(terminal.columns - 1)), on: terminal)
  }
}
