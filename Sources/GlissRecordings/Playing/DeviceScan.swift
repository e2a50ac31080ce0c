import GlissEvents

/// What a recording's events tell of a device that nothing describes.
struct DeviceScan {
  private(set) var device = Device(name: "")

  mutating func add(_ event: EvdevEvent) {
    if event.type == .absolute {
      let axis = AbsoluteAxis(rawValue: event.code)
      // the end of a touch is no value of the axis
      if axis == .trackingID && event.value < 0 { return }
      if var range = device.axes[axis] {
        if event.value >= range.minimum && event.value <= range.maximum { return }
        range.minimum = min(range.minimum, event.value)
        range.maximum = max(range.maximum, event.value)
        device.axes[axis] = range
      } else {
        device.axes[axis] = AxisRange(minimum: event.value, maximum: event.value)
      }
    } else if event.type == .key {
      device.keys.insert(Key(rawValue: event.code))
    } else if event.type == .relative {
      device.relativeAxes.insert(event.code)
    }
  }

  /// The device as far as its events show it.
  var result: Device {
    var device = device
    // slots and lengths count from 0, whatever was used
    for axis in [AbsoluteAxis.slot, .trackingID, .touchMajor, .touchMinor, .pressure] {
      device.axes[axis]?.minimum = 0
    }
    Self.spreadPositions(&device.axes)
    if device.axes[.trackingID] != nil, device.axes[.slot] == nil {
      // one finger at a time: slot 0 was in force all the time
      device.axes[.slot] = AxisRange(minimum: 0, maximum: 0)
    }
    // only pads that tell fingers have these, and one that was opened in mid-stroke lacks the first
    let several: Set<Key> = [.toolDoubleTap, .toolTripleTap, .toolQuadTap, .toolQuintTap]
    if !device.keys.isDisjoint(with: several) { device.keys.insert(.toolFinger) }
    return device
  }

  /// So many mm of the assumed pad lie beyond what was touched, on each side. Where the edges are is not known, so
  /// nothing may be taken for an edge swipe, for a thumb at the lower edge or for a palm at the side.
  private static let margin = 11.0

  /// Positions over a pad of ``DeviceSize/assumed`` that holds 0 and all that were seen, as fine in one direction as
  /// in the other: a short motion must not be taken for one across the pad.
  private static func spreadPositions(_ axes: inout [AbsoluteAxis: AxisRange]) {
    let sides = [
      (AbsoluteAxis.x, DeviceSize.assumed.x), (.positionX, DeviceSize.assumed.x),
      (.y, DeviceSize.assumed.y), (.positionY, DeviceSize.assumed.y),
    ]
    var unitsPerMillimetre = 0.0
    for (axis, side) in sides {
      guard let range = axes[axis] else { continue }
      let length = Double(range.maximum) - min(Double(range.minimum), 0)
      unitsPerMillimetre = max(unitsPerMillimetre, length / (side - 2 * margin))
    }
    for (axis, side) in sides {
      guard let range = axes[axis] else { continue }
      let first = min(Double(range.minimum), 0) - margin * unitsPerMillimetre
      axes[axis]?.minimum = Int32(clamping: Int64(first.rounded(.down)))
      axes[axis]?.maximum = Int32(
        clamping: Int64((first + side * unitsPerMillimetre).rounded(.up)))
    }
  }

  /// All of a recording that can be read again. What is wrong in it is reported when it is played.
  init(_ input: RecordingInput) {
    var cursor = EventCursor(RecordingReader(description: nil, mayLackDescription: true))
    var buffer = [UInt8](repeating: 0, count: RecordingInput.chunk)
    while !cursor.isExhausted {
      cursor.fillUntilEvent(from: input, with: &buffer)
      while let entry = cursor.entry {
        add(entry.event)
        cursor.takeEntry()
      }
    }
  }
}
