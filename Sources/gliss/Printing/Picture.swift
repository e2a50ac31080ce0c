import Gliss

/// A small live picture: the pad from above, the fingers where they are, the gesture under way.
///
/// It is redrawn in place under the rows of the table, at most thirty times a second. Of several pads the one that
/// was touched last is shown.
struct Picture {
  private static let interval = EventInterval(microseconds: 1_000_000 / 30)

  private struct Finger: Equatable {
    var x: Int
    var y: Int
    var isResting: Bool
  }

  private var terminal: Terminal
  private var columns = 0
  private var rows = 0
  /// The last frame of the pad that is shown, and its fingers in cells of the box.
  private var frame: TouchFrame?
  private var fingers: [Finger] = []
  private var underWay: [GestureEvent] = []
  private var device: Device?
  /// Rows of the table that go above it when it is drawn next.
  private var waiting = ""
  /// How many lines of the picture stand above the cursor.
  private var drawn = 0
  private var isCursorHidden = false
  private var lastDrawn: EventTime?
  private var isStale = false

  /// `nil` where the terminal cannot redraw.
  init?(on terminal: Terminal) {
    guard terminal.hasCursor else { return nil }
    self.terminal = terminal
  }

  /// Whether the terminal is large enough; where it is not, there are only the rows.
  var hasRoom: Bool { terminal.columns >= 40 && terminal.rows >= 16 }

  private var isShown: Bool { columns > 0 && hasRoom }

  // MARK: What it shows

  /// Takes the event in; ``frame(at:)`` shows it when it is time.
  mutating func note(_ event: InputEvent, from device: Device?) {
    switch event {
    case .touch(let frame): note(frame, from: device)
    case .gesture(let gesture):
      isStale = true
      underWay.removeAll { $0.kind == gesture.kind && $0.device == gesture.device }
      switch gesture.phase {
      case .began, .changed: underWay.append(gesture)
      case .ended, .cancelled, .recognized: break
      }
    case .key, .button, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  private mutating func note(_ frame: TouchFrame, from device: Device?) {
    if let device, device.id != self.device?.id {
      // a hand that lies on another pad does not take the picture away from the one that is being touched
      guard self.device == nil || frame.hasBeginning else { return }
      self.device = device
      layOut()
    }
    self.frame = frame
    placeFingers()
  }

  private mutating func placeFingers() {
    guard let frame else { return }
    var now: [Finger] = []
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      if touch.phase.isFinal { continue }
      now.append(finger(at: touch.normalizedPosition, isResting: touch.isResting))
    }
    // a finger that trembles within its cell changes nothing
    if now != fingers { isStale = true }
    fingers = now
  }

  /// `rows`, which end with a line's end, go above the picture when it is drawn next.
  mutating func add(_ rows: String) { waiting += rows }

  // MARK: When it is drawn

  /// The bytes that bring the terminal up to date; empty where it is, or was drawn just now.
  mutating func frame(at now: EventTime) -> String {
    guard let due, due <= now else { return "" }
    return redrawn(at: now)
  }

  /// When what is not shown yet may be drawn; `nil` where all is shown.
  var due: EventTime? {
    guard !waiting.isEmpty || (isStale && isShown) else { return nil }
    guard isShown, let lastDrawn else { return .zero }
    return lastDrawn + Self.interval
  }

  /// Takes the picture away, so that others may write; the next ``frame(at:)`` brings it back.
  mutating func makeWay() -> String {
    defer { waiting = "" }
    isStale = true
    return erased() + waiting
  }

  /// Takes the picture away for good and shows the cursor again.
  mutating func closing() -> String {
    let text = makeWay() + (isCursorHidden ? "\u{1b}[?25h" : "")
    columns = 0
    isCursorHidden = false
    return text
  }

  /// The terminal has another size.
  mutating func resize(to terminal: Terminal) -> String {
    let text = makeWay()
    self.terminal = terminal
    layOut()
    placeFingers()
    return text
  }

  // MARK: How it is drawn

  /// A box of the pad's own shape; a terminal's cell is about twice as high as wide.
  private mutating func layOut() {
    isStale = true
    guard let size = device?.size.millimetres else { return }
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

  private func finger(at position: Vector2, isResting: Bool) -> Finger {
    Finger(
      x: Self.index(position.x, of: columns), y: Self.index(position.y, of: rows),
      isResting: isResting)
  }

  private static func index(_ share: Double, of count: Int) -> Int {
    let bounded = share > 0 ? min(share, 1) : 0
    return max(0, min(count - 1, Int(bounded * Double(count))))
  }

  /// The column too: what was typed meanwhile stands beside the cursor.
  private mutating func erased() -> String {
    defer { drawn = 0 }
    return drawn > 0 ? "\r\u{1b}[\(drawn)A\u{1b}[J" : ""
  }

  private mutating func redrawn(at now: EventTime) -> String {
    var text = makeWay()
    isStale = false
    guard isShown else { return text }
    if !isCursorHidden {
      isCursorHidden = true
      Interruption.markCursorHidden(true)
      text = "\u{1b}[?25l" + text
    }
    lastDrawn = now
    drawn = rows + 3
    return text + drawing()
  }

  private func drawing() -> String {
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
    let present = fingers.filter { $0.y == y }.sorted { $0.x < $1.x }
    for finger in present where finger.x >= x {
      row += String(repeating: " ", count: finger.x - x)
      let style = shownGesture?.kind.style ?? .bold
      row += finger.isResting ? Style.dim("○", on: terminal) : style("●", on: terminal)
      x = finger.x + 1
    }
    return row + String(repeating: " ", count: max(0, columns - x))
  }

  private var shownGesture: GestureEvent? { underWay.last { $0.device == device?.id } }

  private func caption() -> String {
    guard let gesture = shownGesture else {
      return fingers.isEmpty ? "" : Style.dim(" \(fingers.count) down", on: terminal)
    }
    let words = EventSentence.describe(gesture)
    let count = gesture.fingers == 1 ? "1 finger" : "\(gesture.fingers) fingers"
    let text = " \(gesture.kind.name), \(count)" + (words.isEmpty ? "" : ": \(words)")
    return gesture.kind.style(String(text.prefix(terminal.columns - 1)), on: terminal)
  }
}

extension TouchFrame {
  /// A finger has come down.
  fileprivate var hasBeginning: Bool { touches.indices.contains { touches[$0].phase == .began } }
}
