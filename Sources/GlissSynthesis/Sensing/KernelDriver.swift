import GlissEvents

/// Turns contacts into evdev events like a kernel driver: slots, tracking ids, and only changed
/// values.
struct KernelDriver {
  /// A contact as measured by the sensor in one scan.
  struct Contact {
    /// The index of its finger in the plan.
    var finger: Int
    /// In mm from the pad's top left corner.
    var position: Vector2
    /// Diameter in mm.
    var major: Double
    /// Pressure, 0 to 255.
    var pressure: Double
    var isPalm: Bool
  }

  private struct Slot {
    var finger: Int?
    var trackingID: Int32 = -1
    /// The value the kernel last reported on each axis: it drops unchanged ones.
    var values: [AbsoluteAxis: Int32] = [:]
  }

  private(set) var events: [EvdevEvent] = []
  private let pad: Pad
  private var slots: [Slot]
  private var currentSlot = 0
  private var nextTrackingID: Int32
  private var values: [AbsoluteAxis: Int32] = [:]
  private var pressed: Set<Key> = []

  init(pad: Pad, firstTrackingID: Int32) {
    self.pad = pad
    slots = Array(repeating: Slot(), count: pad.slots)
    nextTrackingID = firstTrackingID
  }

  /// Processes one scan. Writes nothing if nothing changed.
  mutating func report(_ contacts: [Contact], isButtonDown: Bool, at time: EventTime) {
    let before = events.count
    release(all: contacts, at: time)
    for contact in contacts {
      guard let index = slot(for: contact.finger) else { continue }
      update(index, contact, at: time)
    }
    emulatePointer(fingers: contacts.count, at: time)
    if !pad.isTouchscreen { press(.leftButton, isButtonDown, at: time) }
    if events.count > before { events.append(.report(at: time)) }
  }

  private mutating func release(all contacts: [Contact], at time: EventTime) {
    for i in slots.indices {
      guard let finger = slots[i].finger, !contacts.contains(where: { $0.finger == finger }) else {
        continue
      }
      slots[i].finger = nil
      slots[i].trackingID = -1
      select(i, at: time)
      events.append(.absolute(.trackingID, -1, at: time))
    }
  }

  /// The finger's slot, or the lowest free one; `nil` if all are taken.
  private func slot(for finger: Int) -> Int? {
    slots.firstIndex { $0.finger == finger } ?? slots.firstIndex { $0.finger == nil }
  }

  private mutating func update(_ index: Int, _ contact: Contact, at time: EventTime) {
    if slots[index].finger == nil {
      slots[index].finger = contact.finger
      slots[index].trackingID = nextTrackingID
      nextTrackingID = (nextTrackingID + 1) & 0xffff
      select(index, at: time)
      events.append(.absolute(.trackingID, slots[index].trackingID, at: time))
    }
    let (x, y) = units(contact.position)
    set(.positionX, x, in: index, at: time)
    set(.positionY, y, in: index, at: time)
    if pad.reportsMajor {
      let major = Int32(rounding: contact.major * pad.unitsPerMillimetre.x)
      set(.touchMajor, major, in: index, at: time)
    }
    if pad.reportsPressure {
      let pressure = Int32(rounding: max(1, min(255, contact.pressure)))
      set(.touchPressure, pressure, in: index, at: time)
    }
    if pad.reportsPalms {
      set(.toolType, contact.isPalm ? ToolType.palm : ToolType.finger, in: index, at: time)
    }
  }

  private mutating func set(
    _ axis: AbsoluteAxis, _ value: Int32, in index: Int, at time: EventTime
  ) {
    // The kernel's slots start at 0 on every axis.
    guard slots[index].values.updateValue(value, forKey: axis) ?? 0 != value else { return }
    select(index, at: time)
    events.append(.absolute(axis, value, at: time))
  }

  private mutating func select(_ index: Int, at time: EventTime) {
    guard index != currentSlot else { return }
    currentSlot = index
    events.append(.absolute(.slot, Int32(clamping: index), at: time))
  }

  /// Adds the events of `input_mt_report_pointer_emulation`, for single-touch readers.
  private mutating func emulatePointer(fingers: Int, at time: EventTime) {
    press(.touch, fingers > 0, at: time)
    if !pad.isTouchscreen {
      for (index, tool) in Pad.tools.enumerated() { press(tool, fingers == index + 1, at: time) }
    }
    let held = slots.filter { $0.trackingID >= 0 }
    let oldest = held.min { age($0) > age($1) }
    if let oldest {
      setPointer(.x, oldest.values[.positionX, default: 0], at: time)
      setPointer(.y, oldest.values[.positionY, default: 0], at: time)
    }
    if pad.reportsPressure {
      setPointer(.pressure, oldest?.values[.touchPressure] ?? 0, at: time)
    }
  }

  /// How many tracking ids were assigned since the slot's own.
  private func age(_ slot: Slot) -> Int32 { (nextTrackingID &- slot.trackingID) & 0xffff }

  private mutating func setPointer(_ axis: AbsoluteAxis, _ value: Int32, at time: EventTime) {
    guard values.updateValue(value, forKey: axis) ?? 0 != value else { return }
    events.append(.absolute(axis, value, at: time))
  }

  private mutating func press(_ key: Key, _ isDown: Bool, at time: EventTime) {
    let isChanged = isDown ? pressed.insert(key).inserted : pressed.remove(key) != nil
    guard isChanged else { return }
    events.append(.key(key, isDown ? 1 : 0, at: time))
  }

  private func units(_ position: Vector2) -> (Int32, Int32) {
    func axis(_ value: Double, _ length: Double, _ units: Double, _ minimum: Int32) -> Int32 {
      minimum &+ Int32(rounding: max(0, min(length, value)) * units)
    }
    return (
      axis(position.x, pad.size.x, pad.unitsPerMillimetre.x, pad.minimumX),
      axis(position.y, pad.size.y, pad.unitsPerMillimetre.y, pad.minimumY)
    )
  }
}
