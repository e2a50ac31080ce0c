import Gliss

/// The table a person reads: a row for each gesture, touch or key, once it is over.
struct EventTable {
  private struct GestureKey: Hashable {
    var device: DeviceID
    var kind: GestureKind
  }

  private let terminal: Terminal
  /// What the events come from; `nil` for live ones.
  private let file: String?
  /// The instant that the first column counts from.
  var origin = EventTime.zero
  private var began: [GestureKey: EventTime] = [:]
  private var landed: [TouchID: (time: EventTime, position: Vector2)] = [:]
  private var headed: DeviceID?
  /// Whether any row was printed.
  private(set) var isEmpty = true

  init(file: String?, on terminal: Terminal) {
    self.file = file
    self.terminal = terminal
  }

  /// The rows that are complete with `event`, each with its line's end; empty for most events.
  mutating func rows(for event: InputEvent, from device: Device?) -> String {
    var rows = ""
    switch event {
    case .gesture(let gesture): rows = row(for: gesture)
    case .touch(let frame): rows = self.rows(for: frame)
    case .key(let key):
      rows = line(key.time, nil, nil, "key", .bold, EventSentence.describe(key))
    case .button(let button):
      rows = line(
        button.time, nil, nil, "button", .bold,
        "\(button.button.name) \(button.isDown ? "down" : "up")")
    case .motion(let motion):
      rows = line(
        motion.time, nil, nil, "motion", .bold,
        "\(motion.delta.x.fixed(1)), \(motion.delta.y.fixed(1))")
    case .scroll(let scroll):
      rows = line(
        scroll.time, nil, nil, "scroll", .bold,
        "\(scroll.source.name) \(scroll.delta.x.fixed(1)), \(scroll.delta.y.fixed(1))")
    case .device(let event): rows = line(event.time, nil, nil, "device", .bold, event.change.name)
    case .hotkey(let event): rows = line(event.time, nil, nil, "hotkey", .bold, event.phase.name)
    case .lost(let loss):
      let since = loss.since.map { ", since \(($0 - origin).seconds.fixed(3)) s" } ?? ""
      rows = line(loss.time, nil, nil, "lost", .red, "events that were not read in time" + since)
    }
    if rows.isEmpty { return "" }
    isEmpty = false
    return heading(for: event.device, device) + rows
  }

  /// Says so where a file held nothing of what was asked for.
  func closing() -> String {
    guard isEmpty, let file else { return "" }
    return Style.bold(file.printable, on: terminal) + "\n  nothing recognized\n"
  }

  /// A line for the file and device, where they are not those of the row before.
  private mutating func heading(for id: DeviceID, _ device: Device?) -> String {
    if headed == id { return "" }
    let isFirst = headed == nil
    headed = id
    let name = device.map { EventSentence.describe($0) } ?? "unknown device"
    let title = (file.map { Style.bold($0.printable, on: terminal) + " · " } ?? "") + name + "\n"
    let columns =
      "    start".aligned(11) + "lasted".aligned(10) + "fingers".aligned(9) + "  what"
    return title + (isFirst ? Style.dim(columns, on: terminal) + "\n" : "")
  }

  private mutating func row(for gesture: GestureEvent) -> String {
    let key = GestureKey(device: gesture.device, kind: gesture.kind)
    switch gesture.phase {
    case .began:
      began[key] = gesture.time
      return ""
    case .changed: return ""
    case .ended, .cancelled, .recognized:
      let start = began.removeValue(forKey: key)
      let words = EventSentence.describe(gesture)
      return line(
        start ?? gesture.time, start.map { gesture.time - $0 }, gesture.fingers,
        gesture.kind.name, gesture.kind.style, words)
    }
  }

  private mutating func rows(for frame: TouchFrame) -> String {
    var rows = ""
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      switch touch.phase {
      case .began: landed[touch.id] = (frame.time, touch.position)
      case .moved, .stationary: break
      case .ended, .cancelled:
        let start = landed.removeValue(forKey: touch.id) ?? (frame.time, touch.position)
        var words = "\(Self.place(start.position)) to \(Self.place(touch.position)) mm"
        if touch.isResting { words += ", resting" }
        if touch.phase == .cancelled { words += ", cancelled" }
        rows += line(
          start.time, frame.time - start.time, nil, "touch \(touch.id.serial)", .dim, words)
      }
    }
    return rows
  }

  private static func place(_ position: Vector2) -> String {
    "(\(position.x.fixed(1)), \(position.y.fixed(1)))"
  }

  private func line(
    _ start: EventTime, _ lasted: EventInterval?, _ fingers: Int?, _ what: String, _ style: Style,
    _ words: String
  ) -> String {
    let seconds = (start - origin).seconds.fixed(3) + " s"
    let length = lasted.map { $0.milliseconds.fixed(0) + " ms" } ?? ""
    let count = fingers.map { "\($0)" } ?? ""
    let row = seconds.aligned(11) + length.aligned(10) + count.aligned(9) + "  "
    if words.isEmpty { return row + style(what, on: terminal) + "\n" }
    return row + style(what.padded(10), on: terminal) + " " + words + "\n"
  }
}
