import Gliss
import GlissAgent

/// A small live picture: the pad from above, the fingers on it, and the current gesture. After a stroke
/// it stays, with where each finger landed and lifted. `gliss plot` draws the same, larger.
///
/// It is redrawn in place below the rows of the table, at most thirty times a second. With several
/// pads it shows the one touched last.
struct Picture {
  private static let interval = EventInterval(microseconds: 1_000_000 / 30)

  private struct Finger: Equatable {
    var cell: Cell
    /// In order of landing.
    var index: Int
    var isResting: Bool
  }

  private struct Cell: Hashable {
    var x: Int
    var y: Int
  }

  private var terminal: Terminal
  private var columns = 0
  private var rows = 0
  /// The fingers on the shown pad, in cells of the box.
  private var fingers: [Finger] = []
  private var trail = StrokeTrail()
  /// The last gesture of the stroke, once it is over.
  private var last: GestureEvent?
  private var underWay: [GestureEvent] = []
  private var device: Device?
  /// Table rows to print above the picture when it is next drawn.
  private var waiting = ""
  /// The number of picture lines above the cursor, and their width.
  private var drawn = (lines: 0, columns: 0)
  /// The rows above the picture, as many as a screen may show.
  private var shown: [Substring] = []
  private var isCursorHidden = false
  private var lastDrawn: EventTime?
  private var isStale = false

  /// `nil` if the terminal cannot redraw.
  init?(on terminal: Terminal) {
    guard terminal.hasCursor else { return nil }
    self.terminal = terminal
  }

  /// Whether the terminal is large enough. If not, only the rows are shown.
  var hasRoom: Bool { terminal.columns >= 40 && terminal.rows >= 16 }

  private var isShown: Bool { columns > 0 && hasRoom }

  // MARK: Contents

  mutating func note(_ event: InputEvent, from device: Device?) {
    switch event {
    case .touch(let frame): note(frame, from: device)
    case .gesture(let gesture):
      isStale = true
      underWay.removeAll { $0.kind == gesture.kind && $0.device == gesture.device }
      switch gesture.phase {
      case .began, .changed: underWay.append(gesture)
      case .ended, .cancelled, .recognized: last = gesture
      }
    case .key, .button, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  private mutating func note(_ frame: TouchFrame, from device: Device?) {
    if let device, device.id != self.device?.id {
      // a hand resting on another pad does not switch the picture away from the pad in use
      guard self.device == nil || frame.hasBeginning else { return }
      self.device = device
      trail = StrokeTrail()
      layOut()
    }
    if fingers.isEmpty, frame.hasBeginning { last = nil }
    trail.note(frame)
    placeFingers()
  }

  private mutating func placeFingers() {
    var now: [Finger] = []
    for (index, finger) in trail.fingers.enumerated() where finger.isDown {
      now.append(Finger(cell: cell(finger.place), index: index, isResting: finger.isResting))
    }
    // a finger that trembles within its cell changes nothing
    if now != fingers { isStale = true }
    fingers = now
  }

  mutating func add(_ rows: String) { waiting += rows }

  // MARK: Redrawing

  /// The bytes that update the terminal; empty if nothing has changed or it was drawn just now.
  mutating func frame(at now: EventTime) -> String {
    guard let due, due <= now else { return "" }
    var text = makeWay()
    isStale = false
    guard isShown else { return text }
    if !isCursorHidden {
      isCursorHidden = true
      Interruption.markCursorHidden(true)
      text = "\u{1b}[?25l" + text
    }
    lastDrawn = now
    let caption = caption()
    drawn = (rows + 3, max(columns + 2, caption.text.count))
    let picture = text + drawing() + caption.style(caption.text, on: terminal) + "\n"
    // between these, terminals that know them show no change, so the picture is replaced at once
    return "\u{1b}[?2026h" + picture + "\u{1b}[?2026l"
  }

  var due: EventTime? {
    guard !waiting.isEmpty || (isStale && isShown) else { return nil }
    guard isShown, let lastDrawn else { return .zero }
    return lastDrawn + Self.interval
  }

  /// Removes the picture so that others may write. The next ``frame(at:)`` draws it again.
  mutating func makeWay() -> String {
    defer { waiting = "" }
    isStale = true
    shown = (shown + waiting.split(separator: "\n")).suffix(Self.keptRows)
    // also to the first column, because typed text may have moved the cursor
    let erasing = drawn.lines > 0 ? "\r\u{1b}[\(drawn.lines)A\u{1b}[J" : ""
    drawn = (0, 0)
    return erasing + waiting
  }

  private static let keptRows = 100

  /// Removes the picture for good and shows the cursor again.
  mutating func closing() -> String {
    let text = makeWay() + (isCursorHidden ? "\u{1b}[?25h" : "")
    columns = 0
    isCursorHidden = false
    return text
  }

  /// Adapts to the terminal's new size, and draws below what others wrote after a stop.
  ///
  /// If the terminal has become narrower than the picture, some terminals wrap its lines and others
  /// cut them. The position of the lines is then unknown, so the screen is cleared and the rows are
  /// written again.
  mutating func adapt(to terminal: Terminal, wasStopped: Bool = false) -> String {
    if wasStopped {
      drawn = (0, 0)
      isCursorHidden = false
    }
    let isBroken = drawn.lines > 0 && drawn.columns > terminal.columns
    let text = isBroken ? cleared(terminal) : makeWay()
    self.terminal = terminal
    layOut()
    placeFingers()
    return text
  }

  private mutating func cleared(_ terminal: Terminal) -> String {
    drawn = (0, 0)
    _ = makeWay()
    var room = terminal.rows - 1
    var rows: [Substring] = []
    for row in shown.reversed() {
      room -= max(1, (row.visibleCount + terminal.columns - 1) / terminal.columns)
      if room < 0 { break }
      rows.append(row)
    }
    return "\u{1b}[H\u{1b}[J" + rows.reversed().map { $0 + "\n" }.joined()
  }

  // MARK: Drawing

  /// A box in the pad's proportions. A terminal cell is about twice as high as wide.
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

  private func cell(_ position: Vector2) -> Cell {
    Cell(x: Self.index(position.x, of: columns), y: Self.index(position.y, of: rows))
  }

  private static func index(_ share: Double, of count: Int) -> Int {
    let bounded = share > 0 ? min(share, 1) : 0
    return max(0, min(count - 1, Int(bounded * Double(count))))
  }

  private func drawing() -> String {
    let edge = String(repeating: "─", count: columns)
    var picture = Style.dim("╭\(edge)╮", on: terminal) + "\n"
    let side = Style.dim("│", on: terminal)
    let marks = trail.marks(cell)
    for y in 0..<rows { picture += side + inside(y, marks) + side + "\n" }
    picture += Style.dim("╰\(edge)╯", on: terminal) + "\n"
    return picture
  }

  private func inside(_ y: Int, _ marks: [Cell: StrokeTrail.Mark]) -> String {
    (0..<columns).reduce(into: "") { row, x in
      let cell = Cell(x: x, y: y)
      let mark = marks[cell].map { Style.finger($0.finger)($0.text, on: terminal) }
      row += fingers.first { $0.cell == cell }.map(text) ?? mark ?? " "
    }
  }

  private func text(_ finger: Finger) -> String {
    finger.isResting
      ? Style.dim("○", on: terminal) : Style.finger(finger.index)("●", on: terminal)
  }

  private func caption() -> (text: String, style: Style) {
    let gestures = [last].compactMap(\.self) + underWay
    guard let gesture = gestures.last(where: { $0.device == device?.id }) else {
      return (fingers.isEmpty ? "" : " \(fingers.count) down", .dim)
    }
    let head =
      terminal.columns < 60
      ? " \(gesture.fingers)-finger \(gesture.kind.name)"
      : " \(gesture.kind.name), \(GestureWords.fingers(gesture.fingers))"
    let joint = terminal.columns < 60 ? ", " : ": "
    // keep the last column free: some terminals wrap once it is used
    let room = terminal.columns - 1 - head.count - joint.count
    let words = EventSentence.describe(gesture).fitted(to: room)
    return (head + (words.isEmpty ? "" : joint + words), gesture.kind.style)
  }
}

extension TouchFrame {
  fileprivate var hasBeginning: Bool { touches.indices.contains { touches[$0].phase == .began } }
}

extension Substring {
  fileprivate var visibleCount: Int {
    var isStyle = false
    return count { character in
      if character == "\u{1b}" { isStyle = true }
      defer { if character == "m" { isStyle = false } }
      return !isStyle
    }
  }
}

/// Where the fingers of the last stroke landed, went and lifted. It stays after the stroke, until the
/// next finger lands.
struct StrokeTrail {
  /// What a cell of the picture shows of a finger, by its index in order of landing.
  typealias Mark = (finger: Int, text: String)

  struct Finger {
    let id: TouchID
    /// As shares of the pad.
    var points: [Vector2]
    var place: Vector2
    var isResting: Bool
    var isDown = true

    init(_ touch: Touch) {
      id = touch.id
      place = touch.normalizedPosition
      points = [place]
      isResting = touch.isResting
    }

    mutating func add(_ touch: Touch) {
      place = touch.normalizedPosition
      isResting = touch.isResting
      if touch.phase.isFinal { isDown = false }
      if let last = points.last, abs(last.x - place.x) < StrokeTrail.step,
        abs(last.y - place.y) < StrokeTrail.step
      {
        return
      }
      if points.count >= StrokeTrail.most {
        points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      }
      points.append(place)
    }
  }

  private(set) var fingers: [Finger] = []
  /// Closer points are in the same cell of every terminal.
  private static let step = 1.0 / 300
  /// A finger that circles for minutes loses every other point.
  private static let most = 4000

  mutating func note(_ frame: TouchFrame) {
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      if let finger = fingers.firstIndex(where: { $0.isDown && $0.id == touch.id }) {
        fingers[finger].add(touch)
      } else if !touch.phase.isFinal {
        if !fingers.contains(where: \.isDown) { fingers = [] }
        fingers.append(Finger(touch))
      }
    }
  }

  /// The marks by cell. Where several meet, a landing hides a lifting, and both hide a path.
  func marks<Cell: Hashable>(_ cell: (Vector2) -> Cell) -> [Cell: Mark] {
    var marks: [Cell: Mark] = [:]
    for (index, finger) in fingers.enumerated() {
      for point in finger.points { marks[cell(point)] = (index, "·") }
    }
    for (index, finger) in fingers.enumerated() where !finger.isDown {
      if let last = finger.points.last { marks[cell(last)] = (index, "×") }
    }
    for (index, finger) in fingers.enumerated() {
      if let first = finger.points.first { marks[cell(first)] = (index, "\((index + 1) % 10)") }
    }
    return marks
  }
}

extension Style {
  /// The style of a finger by its index: the nearest to the colours of `gliss plot`.
  static func finger(_ index: Int) -> Style {
    let styles: [Style] = [.blue, .red, .green, .magenta, .bold, .yellow]
    return styles[index % styles.count]
  }
}
