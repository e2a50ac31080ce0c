import Gliss

/// The table for people. Each gesture, touch or key gets one row, once it has ended.
struct EventTable {
  private struct GestureKey: Hashable {
    var device: DeviceID
    var kind: GestureKind
  }

  /// Which columns are shown. A row that does not fit shows less.
  private enum Columns {
    case all
    /// All but the duration.
    case fewer
    /// Only what happened.
    case one

    init(_ width: Int) { self = width >= 72 ? .all : width >= 56 ? .fewer : .one }
  }

  /// The terminal whose width the rows follow.
  var terminal: Terminal
  /// The file the events come from; `nil` for live ones.
  private let file: String?
  /// The instant from which the first column counts.
  var origin = EventTime.zero
  private var began: [GestureKey: EventTime] = [:]
  private var landed: [TouchID: (time: EventTime, position: Vector2)] = [:]
  private var headed: DeviceID?
  /// Whether no row has been printed.
  private(set) var isEmpty = true

  init(file: String?, on terminal: Terminal) {
    self.file = file
    self.terminal = terminal
  }

  /// The rows that `event` completes, each ending in a line feed; empty for most events.
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
        Phrase("\(button.button.name) \(button.isDown ? "down" : "up")"))
    case .motion(let motion):
      rows = line(
        motion.time, nil, nil, "motion", .bold,
        Phrase("\(motion.delta.x.fixed(1)), \(motion.delta.y.fixed(1))"))
    case .scroll(let scroll):
      var phrase = Phrase()
      phrase.add(scroll.source.name, .detail)
      phrase.add("\(scroll.delta.x.fixed(1)), \(scroll.delta.y.fixed(1))", joint: " ")
      rows = line(scroll.time, nil, nil, "scroll", .bold, phrase)
    case .device(let event):
      rows = line(event.time, nil, nil, "device", .bold, Phrase(event.change.name))
    case .hotkey(let event):
      rows = line(event.time, nil, nil, "hotkey", .bold, Phrase(event.phase.name))
    case .lost(let loss):
      var phrase = Phrase("events that were not read in time")
      if let since = loss.since {
        phrase.add("since \((since - origin).seconds.fixed(3)) s", .detail)
      }
      rows = line(loss.time, nil, nil, "lost", .red, phrase)
    }
    if rows.isEmpty { return "" }
    isEmpty = false
    return heading(for: event.device, device) + rows
  }

  /// Says so if a file had no matching events.
  func closing() -> String {
    guard isEmpty, let file else { return "" }
    return Style.bold(file.printable, on: terminal) + "\n  nothing recognized\n"
  }

  /// A heading with the file and device, if they differ from the previous row's.
  private mutating func heading(for id: DeviceID, _ device: Device?) -> String {
    if headed == id { return "" }
    let isFirst = headed == nil
    headed = id
    return title(device) + (isFirst ? columnTitles : "")
  }

  /// The file, the device and its size. Parts that do not fit are cut or left out, from the end.
  private func title(_ device: Device?) -> String {
    let width = terminal.width
    let file = file?.printable.cut(to: width)
    var head = file.map { Style.bold($0, on: terminal) } ?? ""
    var room = width - (file?.count ?? 0)
    let joint = file == nil ? "" : " · "
    let size = device.flatMap { EventSentence.size(of: $0) }.map { ", \($0)" } ?? ""
    let name = device?.name.printable ?? "unknown device"
    // a name cut down to almost nothing is useless
    guard room >= joint.count + min(name.count, 8) else { return head + "\n" }
    room -= joint.count
    let hasSize = room >= min(name.count, 8) + size.count
    head += joint + name.cut(to: hasSize ? room - size.count : room)
    return head + (hasSize ? size : "") + "\n"
  }

  private var columnTitles: String {
    let start = "    start".aligned(11)
    let fingers = "fingers".aligned(9) + "  what"
    switch Columns(terminal.width) {
    case .all: return Style.dim(start + "lasted".aligned(10) + fingers, on: terminal) + "\n"
    case .fewer: return Style.dim(start + fingers, on: terminal) + "\n"
    case .one: return ""
    }
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
        var words = Phrase()
        words.add("\(Self.place(start.position)) to", .length)
        words.add("\(Self.place(touch.position)) mm", joint: " ")
        if touch.isResting { words.add("resting", .circumstance) }
        if touch.phase == .cancelled { words.add("cancelled", .outcome) }
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
    _ words: Phrase
  ) -> String {
    let seconds = ((start - origin).seconds.fixed(3) + " s").aligned(11)
    let length = (lasted.map { $0.milliseconds.fixed(0) + " ms" } ?? "").aligned(10)
    let count = (fingers.map { "\($0)" } ?? "").aligned(9) + "  "
    switch Columns(terminal.width) {
    case .all: return line(seconds + length + count, what, style, words)
    case .fewer: return line(seconds + count, what, style, words)
    case .one:
      let what = (fingers.map { "\($0)-finger " } ?? "") + what
      let words = words.fitted(to: terminal.width - what.count - 4)
      return "  " + style(what, on: terminal) + (words.isEmpty ? "" : ", \(words)") + "\n"
    }
  }

  private func line(
    _ head: String, _ what: String, _ style: Style, _ words: Phrase
  ) -> String {
    let padded = what.padded(10)
    let words = words.fitted(to: terminal.width - head.count - padded.count - 1)
    if words.isEmpty { return head + style(what, on: terminal) + "\n" }
    return head + style(padded, on: terminal) + " " + words + "\n"
  }
}
