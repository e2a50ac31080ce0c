package import GlissEvents

/// Turns the kernel's multitouch protocol B, and the events of single-touch pads, into frames. No
/// input can trap it, and no loss of packets.
package struct EvdevDecoder: Sendable {
  /// The result of one event.
  package enum Output: Sendable {
    /// Nothing yet.
    case none
    /// ``EvdevDecoder/frame`` has been updated.
    case frame
    /// A key or button that does not describe contacts: 0 released, 1 pressed, 2 repeated.
    case key(Key, value: Int32)
    /// Events were dropped before this one: no contact, button or key is known.
    case lost
  }

  /// The last complete frame.
  package private(set) var frame = RawFrame()

  /// Whether a slot contains a finger.
  private enum Occupancy: UInt8, BitwiseCopyable {
    /// Not known yet: the recording begins here, or packets were lost.
    case unknown
    case empty
    case occupied
    /// Occupied, but only because positions arrive: no tracking id was seen.
    case assumed
  }

  private struct Slot: BitwiseCopyable {
    var occupancy = Occupancy.unknown
    var generation: UInt32 = 0
    /// `nil`: not seen since the first event.
    var x: Int32?
    var y: Int32?
    /// How many frames the contact has waited for a missing coordinate.
    var waited: UInt8 = 0
    var major: Int32 = 0
    var pressure: Int32 = 0
    /// Kept from one contact to the next: the kernel does not repeat unchanged values.
    var isPalm = false

    var isTouching: Bool { occupancy == .occupied || occupancy == .assumed }
  }

  private static let capacity = 16

  private var slots = InlineArray<16, Slot>(repeating: Slot())
  private var currentSlot = 0
  /// The number of slots the device declares, or more if it uses more.
  private var slotCount: Int
  private let isMultitouch: Bool
  private let centre: (x: Int32, y: Int32)
  private var toolCount = 0
  private var buttons: UInt8 = 0
  private var isSkipping = false
  private var isAfterLoss = false
  private var sawEvent = false

  /// Creates a decoder for `device`, whose axes it uses.
  package init(for device: Device) {
    isMultitouch = device.axes[.positionX] != nil && device.axes[.slot] != nil
    slotCount = min(device.slotCount, Self.capacity)
    centre = (Self.middle(device.horizontal), Self.middle(device.vertical))
  }

  private static func middle(_ axis: AxisRange?) -> Int32 {
    guard let axis else { return 0 }
    return Int32(clamping: (Int64(axis.minimum) + Int64(axis.maximum)) / 2)
  }

  /// Processes one event.
  package mutating func process(_ event: EvdevEvent) -> Output {
    if isSkipping {
      guard event.type == .synchronization else { return .none }
      if event.code == SynchronizationCode.report { isSkipping = false }
    }
    switch event.type {
    case .synchronization: return synchronize(event)
    case .absolute:
      sawEvent = true
      let axis = AbsoluteAxis(rawValue: event.code)
      if isMultitouch {
        absolute(axis, event.value)
      } else {
        singleTouch(axis, event.value)
      }
      return .none
    case .key: return key(Key(rawValue: event.code), event.value)
    case _: return .none
    }
  }

  private mutating func synchronize(_ event: EvdevEvent) -> Output {
    switch event.code {
    case SynchronizationCode.dropped:
      forget()
      isSkipping = true
      return .lost
    case SynchronizationCode.report:
      guard sawEvent else { return .none }
      sawEvent = false
      complete(at: event.time)
      return .frame
    case _: return .none
    }
  }

  /// After a loss, no contact or button is known. Positions that still arrive start new contacts.
  private mutating func forget() {
    for index in 0..<Self.capacity {
      slots[index].occupancy = .unknown
      slots[index].x = nil
      slots[index].y = nil
    }
    toolCount = 0
    buttons = 0
    isAfterLoss = true
    sawEvent = true
  }

  // MARK: Axes

  private mutating func absolute(_ axis: AbsoluteAxis, _ value: Int32) {
    if axis == .slot {
      currentSlot = Int(value)
      return
    }
    guard currentSlot >= 0 && currentSlot < Self.capacity else { return }
    switch axis {
    case .trackingID where value < 0: slots[currentSlot].occupancy = .empty
    case .trackingID: occupy(currentSlot, as: .occupied)
    case .positionX:
      assumeOccupied()
      slots[currentSlot].x = value
    case .positionY:
      assumeOccupied()
      slots[currentSlot].y = value
    case .touchMajor: slots[currentSlot].major = value
    case .touchPressure: slots[currentSlot].pressure = value
    case .toolType: slots[currentSlot].isPalm = value == ToolType.palm
    case _: break
    }
  }

  /// A position in an unknown slot means a finger: the kernel sends none for empty slots.
  private mutating func assumeOccupied() {
    if slots[currentSlot].occupancy == .unknown { occupy(currentSlot, as: .assumed) }
  }

  private mutating func occupy(_ index: Int, as occupancy: Occupancy) {
    slotCount = max(slotCount, index + 1)
    slots[index].occupancy = occupancy
    slots[index].generation &+= 1
    slots[index].waited = 0
  }

  private mutating func singleTouch(_ axis: AbsoluteAxis, _ value: Int32) {
    switch axis {
    case .x, .positionX: slots[0].x = value
    case .y, .positionY: slots[0].y = value
    case .pressure: slots[0].pressure = value
    case .toolWidth, .touchMajor: slots[0].major = value
    case _: break
    }
  }

  // MARK: Keys

  private mutating func key(_ key: Key, _ value: Int32) -> Output {
    switch key {
    case .touch: touch(value != 0)
    case .toolFinger: tool(1, value)
    case .toolDoubleTap: tool(2, value)
    case .toolTripleTap: tool(3, value)
    case .toolQuadTap: tool(4, value)
    case .toolQuintTap: tool(5, value)
    case .leftButton: button(1, value)
    case .rightButton: button(2, value)
    case .middleButton: button(4, value)
    case _: break
    }
    return key.isContact ? .none : .key(key, value: value)
  }

  private mutating func touch(_ isDown: Bool) {
    sawEvent = true
    if !isMultitouch {
      if isDown {
        if !slots[0].isTouching { occupy(0, as: .occupied) }
      } else {
        slots[0].occupancy = .empty
      }
    } else if !isDown {
      // An assumed contact has no tracking id whose end would show that it lifted.
      for index in 0..<Self.capacity where slots[index].occupancy == .assumed {
        slots[index].occupancy = .empty
      }
    }
  }

  private mutating func tool(_ count: Int, _ value: Int32) {
    sawEvent = true
    if value != 0 {
      toolCount = count
      // a single finger may hover: only BTN_TOUCH shows that it touches
      if count == 1, !isMultitouch, slots[0].occupancy == .unknown { slots[0].occupancy = .empty }
    } else if toolCount == count {
      toolCount = 0
    }
  }

  private mutating func button(_ bit: UInt8, _ value: Int32) {
    sawEvent = true
    if value != 0 { buttons |= bit } else { buttons &= ~bit }
  }

  // MARK: Frames

  private mutating func complete(at time: EventTime) {
    frame.time = time
    frame.contacts.removeAll()
    frame.isButtonDown = buttons != 0
    frame.isAfterLoss = isAfterLoss
    isAfterLoss = false
    // a key that follows the positions says whether a finger has just landed, or only hovers
    if !isMultitouch && (slots[0].x != nil || slots[0].y != nil) { assumeOccupied() }
    for index in 0..<slotCount where slots[index].isTouching && isPlaced(index) {
      frame.contacts.append(contact(index))
    }
    let seen = frame.contacts.count
    // With a slot for every finger of a hand, a larger count means one that only hovers.
    let isComplete = seen == 0 || seen < slotCount && slotCount >= 5
    frame.fingerCount = isComplete ? seen : max(seen, toolCount)
  }

  /// Whether the contact's position is known. The kernel never sends a coordinate that has not
  /// changed since before the first event: after one frame of waiting, the middle of the axis
  /// replaces it.
  private mutating func isPlaced(_ index: Int) -> Bool {
    if slots[index].x != nil && slots[index].y != nil { return true }
    if slots[index].waited == 0 {
      slots[index].waited = 1
      return false
    }
    slots[index].x = slots[index].x ?? centre.x
    slots[index].y = slots[index].y ?? centre.y
    return true
  }

  private func contact(_ index: Int) -> RawContact {
    let slot = slots[index]
    return RawContact(
      slot: UInt8(truncatingIfNeeded: index), generation: slot.generation, x: slot.x ?? 0,
      y: slot.y ?? 0, major: slot.major, pressure: slot.pressure, isPalm: slot.isPalm,
      isContinued: slot.occupancy == .assumed)
  }
}

/// One contact as the device reports it, in the device's own units.
package struct RawContact: Hashable, Sendable, BitwiseCopyable {
  /// The slot that holds it.
  package var slot: UInt8
  /// Counts the contacts in the slot: another number is another finger, even in the same frame.
  package var generation: UInt32
  /// The horizontal position, in the axis' units.
  package var x: Int32
  /// The vertical position, in the axis' units.
  package var y: Int32
  /// The larger diameter; 0 if not reported.
  package var major: Int32
  /// The pressure; 0 if not reported.
  package var pressure: Int32
  /// The device reports it as a palm (`MT_TOOL_PALM`).
  package var isPalm: Bool
  /// Its positions came before any tracking id: the recording begins in mid-touch.
  package var isContinued: Bool

  static let none = RawContact(
    slot: 0, generation: 0, x: 0, y: 0, major: 0, pressure: 0, isPalm: false, isContinued: false)
}

/// The contacts of a touch device in one packet.
package struct RawFrame: Sendable {
  /// When the kernel got the packet, on the source's clock.
  package var time = EventTime.zero
  /// The contacts, in order of their slots.
  package var contacts = InlineList<16, RawContact>(filler: .none)
  /// How many fingers the device counts (`BTN_TOOL_*`), perhaps more than it has slots.
  package var fingerCount = 0
  /// Whether the pad's button is down.
  package var isButtonDown = false
  /// Events were lost before this frame: earlier contacts may be different fingers now.
  package var isAfterLoss = false

  /// A frame without contacts at time zero.
  package init() {}
}
