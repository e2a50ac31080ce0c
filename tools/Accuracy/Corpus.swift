import Foundation
import GlissEvents
import GlissRecordings

/// One labelled recording of a corpus: a row of its INDEX.tsv.
struct Recorded {
  var path: String
  /// The label, as `drag2-up` or `tap1x5`.
  var label: String
  var device: Device
  var events: [EvdevEvent]
  /// mm per unit; a guess where the pad's size is unknown.
  var millimetres: Vector2
  var isSizeKnown: Bool
}

/// A folder of recordings whose INDEX.tsv says what each is and how large its pad was.
struct Corpus {
  private var folder: String
  private var rows: [[String: String]]

  init?(folder: String) {
    guard let text = try? String(contentsOfFile: folder + "/INDEX.tsv", encoding: .utf8) else {
      return nil
    }
    var lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    guard !lines.isEmpty else { return nil }
    let names = lines.removeFirst().split(separator: "\t", omittingEmptySubsequences: false)
    self.folder = folder
    rows = lines.map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Dictionary(
        zip(names.map(String.init), cells.map(Self.unquoted)), uniquingKeysWith: { a, _ in a })
    }
  }

  /// The recordings whose label `wanted` accepts, and why others could not be read.
  func recordings(
    where wanted: (String) -> Bool
  ) -> (read: [Recorded], leftOut: [(path: String, why: String)]) {
    var read: [Recorded] = []
    var leftOut: [(path: String, why: String)] = []
    let rows = rows.filter { wanted($0["class"] ?? "") }
    for row in rows {
      let path = row["path"] ?? ""
      let format = row["format"] ?? ""
      if format.hasSuffix("mtA") {
        leftOut.append((path, "multitouch protocol A"))
      } else if format.hasPrefix("tsv") {
        leftOut.append((path, "frames of a unit test, not a device's events"))
      } else if let recorded = recorded(row) {
        read.append(recorded)
      } else {
        leftOut.append((path, "no events in it"))
      }
    }
    return (read, leftOut)
  }

  private static func unquoted(_ cell: Substring) -> String {
    guard cell.count > 1 && cell.hasPrefix("\"") && cell.hasSuffix("\"") else {
      return String(cell)
    }
    return cell.dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
  }

  private func path(_ row: [String: String]) -> String { folder + "/" + (row["path"] ?? "") }

  private func text(_ row: [String: String]) -> String {
    guard let data = FileManager.default.contents(atPath: path(row)) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  private func events(_ row: [String: String]) -> [EvdevEvent] { EventText.events(text(row)) }

  /// The device as the recording or the file beside it describes it, or as its events do where the index says nothing.
  private func described(_ row: [String: String]) -> Device? {
    guard let recording = try? Recording(path: path(row)) else { return nil }
    let isDescribed =
      recording.descriptionPath != nil || text(row).contains("\nA: ")
      || (row["axis_range"] ?? "").isEmpty
    return isDescribed ? recording.devices.first : nil
  }

  private func recorded(_ row: [String: String]) -> Recorded? {
    let events = events(row)
    guard !events.isEmpty else { return nil }
    if let device = described(row), let x = device.horizontal, let y = device.vertical {
      let size = device.size
      let millimetres = Vector2(
        x: size.millimetres.x / max(1, Double(x.maximum) - Double(x.minimum)),
        y: size.millimetres.y / max(1, Double(y.maximum) - Double(y.minimum)))
      return Recorded(
        path: row["path"] ?? "", label: row["class"] ?? "", device: device, events: events,
        millimetres: millimetres, isSizeKnown: !size.isAssumed)
    }
    let name = row["device"] ?? ""
    let size = Self.numbers(row["size_mm"] ?? "")
    let range = Self.numbers(row["axis_range"] ?? "")
    guard range.count == 4 else { return nil }
    let isSizeKnown = size.count == 2
    let millimetres = isSizeKnown ? size : [DeviceSize.assumed.x, DeviceSize.assumed.y]
    let units = [
      (range[1] - range[0]) / millimetres[0], (range[3] - range[2]) / millimetres[1],
    ]
    let device = Self.device(
      name, bounds: range, units: isSizeKnown ? units : [0, 0], events: events)
    return Recorded(
      path: row["path"] ?? "", label: row["class"] ?? "", device: device, events: events,
      millimetres: Vector2(x: 1 / units[0], y: 1 / units[1]), isSizeKnown: isSizeKnown)
  }

  /// A device that can report what the recording holds.
  private static func device(
    _ name: String, bounds: [Double], units: [Double], events: [EvdevEvent]
  ) -> Device {
    func range(_ low: Double, _ high: Double, _ units: Double) -> AxisRange {
      AxisRange(
        minimum: Int32(low), maximum: Int32(high), resolution: Int32(units.rounded()))
    }
    let horizontal = range(bounds[0], bounds[1], units[0])
    let vertical = range(bounds[2], bounds[3], units[1])
    var device = Device(name: name)
    var highest: [AbsoluteAxis: Int32] = [:]
    for event in events {
      if event.type == .key { device.keys.insert(Key(rawValue: event.code)) }
      guard event.type == .absolute else { continue }
      let axis = AbsoluteAxis(rawValue: event.code)
      highest[axis] = max(highest[axis] ?? 0, event.value)
    }
    for (axis, value) in highest {
      switch axis {
      case .x, .positionX: device.axes[axis] = horizontal
      case .y, .positionY: device.axes[axis] = vertical
      case .pressure, .touchPressure: device.axes[axis] = AxisRange(minimum: 0, maximum: 255)
      case .trackingID: device.axes[axis] = AxisRange(minimum: 0, maximum: 65535)
      case _: device.axes[axis] = AxisRange(minimum: 0, maximum: max(value, 15))
      }
    }
    if highest[.trackingID] != nil {
      // a pad with fewer slots than fingers never names more; one that names none has two or more
      device.axes[.slot] = AxisRange(minimum: 0, maximum: max(highest[.slot] ?? 0, 1))
      device.axes[.positionX] = horizontal
      device.axes[.positionY] = vertical
    }
    let isScreen = name.lowercased().contains("touchscreen") || name.hasPrefix("EP0430M09")
    device.properties = isScreen ? [.direct] : [.pointer]
    if !isScreen { device.keys.insert(.toolFinger) }
    return device
  }

  /// The numbers in a text like `x0..1280 y0..680` or `107x68`.
  private static func numbers(_ text: String) -> [Double] {
    text.split { !($0.isNumber || $0 == "-") }.compactMap { Double($0) }
  }
}

/// Reads the event lines of evemu and evtest recordings; all other lines are passed over.
enum EventText {
  static func events(_ text: String) -> [EvdevEvent] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      if line.hasPrefix("E: ") { return evemu(line) }
      if line.hasPrefix("Event: time ") { return evtest(line) }
      return nil
    }
  }

  private static func evemu(_ line: Substring) -> EvdevEvent? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count >= 5, let time = time(words[1]), let type = UInt16(words[2], radix: 16),
      let code = UInt16(words[3], radix: 16), let value = Int32(words[4])
    else { return nil }
    return EvdevEvent(time: time, type: EvdevType(rawValue: type), code: code, value: value)
  }

  private static func evtest(_ line: Substring) -> EvdevEvent? {
    let words = line.split { $0 == " " || $0 == "," }
    guard words.count > 3, let time = time(words[2]) else { return nil }
    if line.contains("SYN_REPORT") || line.contains("Report Sync") { return .report(at: time) }
    guard let t = words.firstIndex(of: "type"), let c = words.firstIndex(of: "code"),
      let v = words.firstIndex(of: "value"), v + 1 < words.count,
      let type = UInt16(words[t + 1]), let code = UInt16(words[c + 1])
    else { return nil }
    let value = Int32(words[v + 1]) ?? 0
    return EvdevEvent(time: time, type: EvdevType(rawValue: type), code: code, value: value)
  }

  private static func time(_ word: Substring) -> EventTime? {
    let parts = word.split(separator: ".")
    guard parts.count == 2, let seconds = Int64(parts[0]) else { return nil }
    let digits = parts[1].prefix(6)
    guard var fraction = Int64(digits) else { return nil }
    for _ in digits.count..<6 { fraction *= 10 }
    return EventTime(microseconds: seconds &* 1_000_000 &+ fraction)
  }
}
