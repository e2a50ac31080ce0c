import Foundation
import GlissEvents
import GlissRecordings

/// A folder of recordings that say themselves what they are: `gliss record --label` writes them.
enum LabelledFolder {
  /// The recordings, and why others could not be read; `nil` if none has a label.
  static func recordings(
    in folder: String, where wanted: (String) -> Bool
  ) -> (read: [Recorded], leftOut: [(path: String, why: String)])? {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    var read: [Recorded] = []
    var leftOut: [(path: String, why: String)] = []
    for name in names.filter({ $0.hasSuffix(".yml") }).sorted() {
      guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)"),
        let label = RecordingLabel.found(in: Array(bytes.prefix(4096)))
      else { continue }
      guard wanted(label) else { continue }
      do {
        read.append(try recorded(Array(bytes), name, label))
      } catch {
        leftOut.append((name, "\(error)"))
      }
    }
    return read.isEmpty && leftOut.isEmpty ? nil : (read, leftOut)
  }

  private static func recorded(
    _ bytes: [UInt8], _ name: String, _ label: String
  ) throws -> Recorded {
    let recording = try Recording(bytes: bytes)
    guard let device = recording.devices.first, let x = device.horizontal, let y = device.vertical
    else { throw RecordingError("it is not of a touchpad or touchscreen") }
    var events: [EvdevEvent] = []
    var reader = RecordingReader()
    var clock = RisingTime()
    let take = { (item: RecordingItem) in
      if case .event(var event, device: 0) = item {
        event.time = clock.rise(event.time)
        events.append(event)
      }
    }
    try reader.consume(bytes.span, take)
    try reader.finish(take)
    let size = device.size
    let millimetres = Vector2(
      x: size.millimetres.x / max(1, Double(x.maximum) - Double(x.minimum)),
      y: size.millimetres.y / max(1, Double(y.maximum) - Double(y.minimum)))
    return Recorded(
      path: name, label: label, device: device, events: events,
      millimetres: millimetres, isSizeKnown: !size.isAssumed)
  }
}
