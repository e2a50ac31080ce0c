import Gliss
import GlissAgent

/// The table for people. Each gesture, touch or key gets one row, once it has ended.
struct EventTable {
  var terminal: Terminal
  /// Whether there is room for more columns than what happened, and for the duration.
  private var hasColumns: Bool { terminal.width >= 56 }
  private var showsDuration: Bool { terminal.width >= 72 }
  /// The file the events come from; `nil` for live ones.
  private let file: String?
  private let advice: String
  private let origin: EventTime
  private var began: [DeviceID: [GestureKind: EventTime]] = [:]
  private var landed: [TouchID: (time: EventTime, position: Vector2)] = [:]
  private var headed: DeviceID?
  private(set) var isEmpty = true

  init(
    file: String?, from origin: EventTime = .zero, advice: String = "", on terminal: Terminal
  ) {
    (self.file, self.origin, self.advice, self.terminal) = (file, origin, advice, terminal)
  }

  /// The rows that `event` completes, each ending in a line feed; empty for most events.
  mutating func rows(for event: InputEvent, from device: Device?) -> String {
    var rows = ""
    switch event {
    case .gesture(let gesture): rows = row(for: gesture)
    case .touch(let frame): rows = self.rows(for: frame)
    case .key(let key): rows = line(key.time, "key", EventSentence.describe(key))
    case .button(let button):
      let state = button.isDown ? "down" : "up"
      rows = line(button.time, "button", Phrase("\(button.button.name) \(state)"))
    case .motion(let motion): rows = line(motion.time, "motion", Phrase(Self.pair(motion.delta)))
    case .scroll(let scroll):
      var phrase = Phrase()
      phrase.add(scroll.source.name, .detail)
      phrase.add(Self.pair(scroll.delta), joint: " ")
      rows = line(scroll.time, "scroll", phrase)
    case .device(let event): rows = line(event.time, "device", Phrase(event.change.name))
    case .hotkey(let event): rows = line(event.time, "hotkey", Phrase(event.phase.name))
    case .lost(let loss):
      var phrase = Phrase("events that were not read in time")
      if let since = loss.since {
        phrase.add("since \((since - origin).seconds.fixed(3)) s", .detail)
      }
      rows = line(loss.time, "lost", phrase, .red)
    }
    if rows.isEmpty { return "" }
    isEmpty = false
    return heading(for: event.device, device) + rows
  }

  /// The last text: for a recording without rows its heading, and that nothing was found.
  func closing(_ mask: EventMask, of devices: [Device]) -> String {
    guard isEmpty, file != nil else { return "" }
    let pad = devices.first { EventSentence.size(of: $0) != nil }
    var words = "no such events in this recording"
    if mask.contains(.gesture) {
      words =
        pad == nil
        ? "no touchpad or touchscreen in this recording" : "nothing recognized; \(advice)"
    } else if mask.contains(.pointer) {
      words += ": recordings have no pointer motion, only buttons and wheels"
    }
    return title(pad ?? devices.first) + "  \(words)\n"
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
    let head = file.map { Style.bold($0, on: terminal) } ?? ""
    let joint = file == nil ? "" : " · "
    let room = width - (file?.count ?? 0) - joint.count
    let size = device.flatMap { EventSentence.size(of: $0) }.map { ", \($0)" } ?? ""
    let name = device.map { EventSentence.name(of: $0) } ?? "unknown device"
    // a name cut down to almost nothing is useless
    let least = min(name.count, 8)
    guard room >= least else { return head + "\n" }
    let end = room >= least + size.count ? size : ""
    return head + joint + name.cut(to: room - end.count) + end + "\n"
  }

  private var columnTitles: String {
    guard hasColumns else { return "" }
    let titles = "time".aligned(11) + (showsDuration ? "lasted".aligned(10) : "")
    return Style.dim(titles + "fingers".aligned(9) + "  what", on: terminal) + "\n"
  }

  private mutating func row(for gesture: GestureEvent) -> String {
    switch gesture.phase {
    case .began:
      began[gesture.device, default: [:]][gesture.kind] = gesture.time
      return ""
    case .changed: return ""
    case .ended, .cancelled, .recognized:
      let start = began[gesture.device]?.removeValue(forKey: gesture.kind)
      let words = EventSentence.describe(gesture)
      return line(
        start ?? gesture.time, gesture.kind.name, words, gesture.kind.style,
        lasted: start.map { gesture.time - $0 }, fingers: gesture.fingers)
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
        words.add("(\(Self.pair(start.position))) to", .length)
        words.add("(\(Self.pair(touch.position))) mm", joint: " ")
        if touch.isResting { words.add("resting", .circumstance) }
        if touch.phase == .cancelled { words.add("cancelled", .outcome) }
        rows += line(
          start.time, "touch \(touch.id.serial)", words, .dim, lasted: frame.time - start.time)
      }
    }
    return rows
  }

  private static func pair(_ vector: Vector2) -> String {
    "\(vector.x.fixed(1)), \(vector.y.fixed(1))"
  }

  private func line(
    _ start: EventTime, _ what: String, _ words: Phrase, _ style: Style = .bold,
    lasted: EventInterval? = nil, fingers: Int? = nil
  ) -> String {
    guard hasColumns else {
      let head = (fingers.map { "\($0)-finger " } ?? "") + what
      let text = words.fitted(to: terminal.width - head.count - 4)
      return "  " + style(head, on: terminal) + (text.isEmpty ? "" : ", \(text)") + "\n"
    }
    let seconds = ((start - origin).seconds.fixed(3) + " s").aligned(11)
    let length = (lasted.map { $0.milliseconds.fixed(0) + " ms" } ?? "").aligned(10)
    let count = (fingers.map { "\($0)" } ?? "").aligned(9) + "  "
    let head = seconds + (showsDuration ? length : "") + count
    let padded = what.padded(10)
    let text = words.fitted(to: terminal.width - head.count - padded.count - 1)
    if text.isEmpty { return head + style(what, on: terminal) + "\n" }
    return head + style(padded, on: terminal) + " " + text + "\n"
  }
}

enum EventSentence {
  static func describe(_ gesture: GestureEvent) -> Phrase {
    var phrase = Phrase()
    switch gesture.kind {
    case .tap:
      let count = gesture.shape.words
      phrase.add(count.isEmpty ? "single" : count)
    case .hold: break
    case .drag:
      if gesture.isAfterTap { phrase.add(GestureWords.afterTap, .circumstance) }
      add(gesture, towards: Direction.ofEight(gesture.translation.millimetres), to: &phrase)
    case .swipe: add(gesture, towards: gesture.direction, to: &phrase)
    case .edgeSwipe:
      if let edge = gesture.edge {
        phrase.add(GestureWords.from(edge), short: ["\(edge.name) edge"], .circumstance)
      }
      add(gesture, towards: gesture.direction, to: &phrase)
    case .pinch:
      phrase.add(GestureWords.scaled(by: gesture.scale), short: [gesture.scale.fixed(2) + "×"])
    case .rotate:
      let words = GestureWords.turned(by: gesture.rotation)
      let short = words.replacing("counter", with: "c").replacing("clockwise", with: "cw")
      phrase.add(words, short: [short])
    }
    if gesture.phase == .cancelled { phrase.add("cancelled", .outcome) }
    return phrase
  }

  static func describe(_ key: KeyEvent) -> Phrase {
    var phrase = Phrase("\(key.key.name) \(key.state.name)")
    if !key.text.isEmpty { phrase.add("'\(key.text.printable)'", .detail, joint: " ") }
    return phrase
  }

  private static func add(
    _ gesture: GestureEvent, towards direction: Direction?, to phrase: inout Phrase
  ) {
    if let direction {
      let words = GestureWords.towards(direction)
      phrase.add(words, short: [words.replacing(" and ", with: "-")])
    }
    let millimetres = gesture.translation.millimetres.length
    phrase.add("\(millimetres.fixed(1)) mm", .length, joint: " ")
    phrase.add("(\(gesture.translation.points.length.fixed(1)) pt)", .detail, joint: " ")
    let speed = gesture.velocity.length
    let text = "\(speed.fixed(0)) mm/s"
    switch gesture.phase {
    case .ended where speed < 5: phrase.add("came to rest", .speed)
    case .ended: phrase.add(GestureWords.lifted(at: speed), short: [text], .speed)
    case .began, .changed: phrase.add(text, .speed)
    case .cancelled, .recognized: break
    }
  }

  static func describe(_ classes: DeviceClasses) -> String {
    var classes = classes
    // every keyboard has keys
    if classes.contains(.keyboard) { classes.remove(.key) }
    return classes.isEmpty ? "other" : classes.words.joined(separator: ", ")
  }

  static func describe(_ device: Device) -> String {
    ([name(of: device)] + [size(of: device)].compactMap(\.self)).joined(separator: ", ")
  }

  /// The name; a second device of that name has a number.
  static func name(of device: Device) -> String {
    device.name.printable + (device.unit == 1 ? "" : " (\(device.unit))")
  }

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
    case .swipe, .edgeSwipe: .cyan
    case .tap, .hold: .blue
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
    case essence
    /// That it had no effect.
    case outcome
  }

  private struct Part {
    /// The longest first.
    var forms: ArraySlice<String>
    var rank: Rank
    var joint: String
  }

  private var parts: [Part] = []

  init() {}

  init(_ text: String) { add(text) }

  mutating func add(
    _ text: String, short: [String] = [], _ rank: Rank = .essence, joint: String = ", "
  ) {
    parts.append(Part(forms: ([text] + short)[...], rank: rank, joint: joint))
  }

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

/// How to see why strokes of a recording were not recognized. Standard input cannot be read again.
func adviceToExplain(_ file: String, settings: [String], axes: String? = nil) -> String {
  let name = file == "-" ? "FILE" : file.quotedForShell
  let description = axes.map { "--axes \($0.quotedForShell) " } ?? ""
  let options = description + settings.map { "--set \($0.quotedForShell) " }.joined()
  return "to see why: gliss explain \(options)\(name)"
}
