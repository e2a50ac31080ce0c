import GlissEvents

/// What a recording's events reveal about a device without a description.
struct DeviceScan {
  private(set) var device = Device(name: "")

  mutating func add(_ event: EvdevEvent) {
    if event.type == .absolute {
      let axis = AbsoluteAxis(rawValue: event.code)
      // The end of a touch is not a value of the axis.
      if axis == .trackingID && event.value < 0 { return }
      if var range = device.axes[axis] {
        if event.value >= range.minimum && event.value <= range.maximum { return }
        range.minimum = min(range.minimum, event.value)
        range.maximum = max(range.maximum, event.value)
        device.axes[axis] = range
      } else {
        device.axes[axis] = AxisRange(minimum: event.value, maximum: event.value)
      }
    } else {
      device.add(event.code, of: event.type)
    }
  }

  var result: Device {
    var device = device
    // Slots and lengths count from 0, whichever values were seen.
    for axis in [AbsoluteAxis.slot, .trackingID, .touchMajor, .touchMinor, .pressure] {
      device.axes[axis]?.minimum = 0
    }
    Self.spreadPositions(&device.axes)
    if device.axes[.trackingID] != nil, device.axes[.slot] == nil {
      // One finger at a time: slot 0 was current throughout.
      device.axes[.slot] = AxisRange(minimum: 0, maximum: 0)
    }
    // Only pads that distinguish fingers have these keys. A recording that starts mid-stroke lacks
    // the first one.
    let several: Set<Key> = [.toolDoubleTap, .toolTripleTap, .toolQuadTap, .toolQuintTap]
    if !device.keys.isDisjoint(with: several) { device.keys.insert(.toolFinger) }
    return device
  }

  /// The assumed pad extends this many mm beyond the touched area on each side. The real edges are
  /// unknown, so nothing may count as an edge swipe, a thumb at the lower edge or a palm at the
  /// side.
  private static let margin = 11.0

  /// Maps positions to a pad of ``DeviceSize/assumed`` that includes 0 and all positions seen, with
  /// the same resolution in both directions: a short motion must not appear to cross the pad.
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

  /// Scans a recording that can be read again. Errors in it are reported when it is played.
  init(_ input: RecordingInput) {
    var reader = RecordingReader()
    try? reader.read(input) { if case .event(let event, device: _) = $0 { add(event) } }
  }
}

/// Searches a libinput recording for a second device, many times faster than its events can be
/// read.
struct DeviceSearch {
  private let indentation: Int
  private var blanks = 0
  /// The rest of the line does not matter.
  private var isInside = false

  /// - Parameter indentation: the indentation of the first device's `events:`. A dash further left
  ///   begins a device.
  init(indentation: Int) { self.indentation = indentation }

  /// Whether a device begins in `bytes`, which continue those of the last call.
  mutating func finds(in bytes: Span<UInt8>) -> Bool {
    var place = 0
    while place < bytes.count {
      if isInside {
        guard let end = LineScanner.newline(in: bytes, from: place) else { return false }
        (place, blanks, isInside) = (end + 1, 0, false)
        continue
      }
      let byte = bytes[place]
      if byte == 0x2d, blanks < indentation { return true }
      isInside = byte != 0x0a && (byte != 0x20 || blanks == indentation)
      blanks = byte == 0x20 ? blanks + 1 : 0
      place += 1
    }
    return false
  }
}

/// Finds and reads the file that describes the device of a recording without a description.
enum Descriptions {
  private static let extensions = ["desc", "device", "touchpad"]

  /// The description next to a recording: the one whose name is a prefix of the recording's,
  /// otherwise the only one in the folder.
  static func path(beside recording: String) -> String? {
    let (folder, name) = recording.folderAndName
    let found = RecordingInput.names(in: folder).filter { candidate in
      candidate != name && extensions.contains { candidate.hasSuffix(".\($0)") }
    }
    return best(of: found, for: name).map { "\(folder)/\($0)" }
  }

  static func best(of candidates: [String], for name: String) -> String? {
    let named = candidates.filter { isNamed($0, like: name) }
    if let longest = named.max(by: { $0.count < $1.count }) { return longest }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// Whether a description's name begins that of the recording. Both may have folders.
  static func isNamed(_ description: String, like recording: String) -> Bool {
    let (base, name) = (baseName(description), recording.folderAndName.name)
    guard name.hasPrefix(base) else { return false }
    let next = name.dropFirst(base.count).first
    return next.map { ". -_".contains($0) } ?? true
  }

  /// The device that a file describes; any recording with a description is valid.
  static func read(_ path: String) throws(RecordingError) -> Device {
    do throws(RecordingError) {
      let input = try RecordingInput.open(path)
      var cursor = EventCursor(RecordingReader())
      var buffer = [UInt8](repeating: 0, count: RecordingInput.chunk)
      cursor.fillUntilEvent(from: input, with: &buffer)
      if let device = cursor.devices.first { return device }
      throw cursor.error ?? RecordingError("the file describes no device")
    } catch {
      throw error.named(path)
    }
  }

  static func baseName(_ path: String) -> String {
    let name = path.folderAndName.name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}

/// Finds events that contradict what is said about their device (the kernel or its hwdb is wrong),
/// or that cannot be followed. Each kind is reported once.
struct DeviceCheck {
  private struct Limit {
    let axis: AbsoluteAxis
    let range: AxisRange
    /// `nil`: the range is empty, inverted or too large, so positions cannot be placed in it.
    var bounds: ClosedRange<Int32>?
  }

  /// More contacts than this are not compared.
  private static let mostSlots = 64
  /// No device has as many units in a row.
  private static let longestRange: Int64 = 1 << 24
  /// No device sends more frames than this at the same time.
  private static let mostFramesAtOnce = 8

  private var limits: [Limit]
  private var slot = 0
  /// The tracking id in each slot, or -1; empty once one was reported.
  private var contacts: [Int32]
  private var hasNewContacts = false
  /// Contacts cannot be told apart; `false` once that was reported.
  private var isSlotless: Bool
  private var frameTime: EventTime?
  /// How many frames in a row had ``frameTime``; no longer counted once it was reported.
  private var framesAtOnce = 0

  init(_ device: Device) {
    let isTouched = device.kind == .touchpad || device.kind == .touchscreen
    let horizontal = device.axes[.positionX] == nil ? AbsoluteAxis.x : .positionX
    let vertical = device.axes[.positionY] == nil ? AbsoluteAxis.y : .positionY
    // Positions of pads without a fault reach beyond their range by up to 8 %.
    let tolerances: [(AbsoluteAxis, Int64)] = [(horizontal, 10), (vertical, 10), (.slot, .max)]
    limits = tolerances.compactMap { axis, share -> Limit? in
      guard let range = device.axes[axis] else { return nil }
      let (minimum, maximum) = (Int64(range.minimum), Int64(range.maximum))
      var limit = Limit(axis: axis, range: range)
      guard 1...Self.longestRange ~= maximum - minimum else {
        return isTouched && axis != .slot ? limit : nil
      }
      let reach = (maximum - minimum) / share
      limit.bounds = Int32(clamping: minimum - reach)...Int32(clamping: maximum + reach)
      return limit
    }
    contacts = Array(repeating: -1, count: min(device.slotCount, Self.mostSlots))
    isSlotless = device.slotCount == 1
  }

  mutating func problem(of event: EvdevEvent) -> String? {
    if event.type == .synchronization { return problem(ofFrame: event) }
    guard event.type == .absolute else { return nil }
    if event.code == AbsoluteAxis.slot.rawValue { slot = Int(event.value) }
    if event.code == AbsoluteAxis.trackingID.rawValue {
      if contacts.indices.contains(slot) { (contacts[slot], hasNewContacts) = (event.value, true) }
      return nil
    }
    for index in limits.indices where limits[index].axis.rawValue == event.code {
      if let bounds = limits[index].bounds, bounds.contains(event.value) { return nil }
      let limit = limits.remove(at: index)
      let name = EventNames.name(of: event.code, type: .absolute)
      let range = "\(limit.range.minimum)…\(limit.range.maximum)"
      let fault =
        limit.bounds == nil
        ? "\(name) has the range \(range), so positions are unknown"
        : "\(name) \(event.value) lies outside its range \(range)"
      return "\(fault): the kernel, the hwdb or the description is wrong"
    }
    return nil
  }

  private mutating func problem(ofFrame event: EvdevEvent) -> String? {
    switch event.code {
    case SynchronizationCode.report:
      if let fault = problem(ofTime: event.time) { return fault }
      return problemOfContacts()
    case SynchronizationCode.multitouchReport where isSlotless:
      isSlotless = false
      return
        "the device reports contacts without slots (protocol A): only the last one of each frame is followed"
    case SynchronizationCode.dropped:
      contacts = Array(repeating: -1, count: contacts.count)
      return nil
    case _: return nil
    }
  }

  private mutating func problem(ofTime time: EventTime) -> String? {
    guard framesAtOnce <= Self.mostFramesAtOnce else { return nil }
    framesAtOnce = time == frameTime ? framesAtOnce + 1 : 1
    frameTime = time
    guard framesAtOnce > Self.mostFramesAtOnce else { return nil }
    return
      "more than \(Self.mostFramesAtOnce) frames in a row have the same time, so speeds and durations are unknown"
  }

  /// Within a frame, contacts may change places.
  private mutating func problemOfContacts() -> String? {
    guard hasNewContacts else { return nil }
    hasNewContacts = false
    for (slot, id) in contacts.enumerated() where id >= 0 {
      guard let other = contacts[..<slot].firstIndex(of: id) else { continue }
      contacts.removeAll()
      return
        "ABS_MT_TRACKING_ID \(id) is in slots \(other) and \(slot) at once: the kernel is wrong"
    }
    return nil
  }
}
