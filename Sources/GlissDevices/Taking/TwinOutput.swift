import GlissEvents

/// What the twin of a touchpad has reported to the desktop.
///
/// It passes on the pad's frames, in which some contacts become palms. Nothing else differs.
struct TwinOutput {
  /// A slot keeps its tool after its contact has lifted, and a new contact reports only what
  /// differs. So it is remembered for each slot.
  private struct Slot: BitwiseCopyable {
    var identifier: Int32 = -1
    /// What touches, according to the pad and to the twin.
    var (tool, reported) = (ToolType.finger, ToolType.finger)
  }

  private var slots: [Slot]
  private var current = 0
  private var last = EventTime.zero

  init(slotCount: Int) { slots = Array(repeating: Slot(), count: slotCount) }

  /// Passes on a frame in which contacts only move, and nothing is a palm that the pad has as a
  /// finger.
  mutating func passMotion(_ frame: [EvdevEvent], into packet: inout [EvdevEvent]) {
    packet += frame
    for event in frame where event.isSlot { current = Int(event.value) }
    last = frame.last?.time ?? last
  }

  /// Passes on whole frames. `palms` has the slots whose contacts are palms, as bits.
  mutating func pass(_ frames: [EvdevEvent], palms: UInt32, into packet: inout [EvdevEvent]) {
    var start = 0
    for index in frames.indices where frames[index].isReport {
      let frame = frames[start...index]
      endReplaced(in: frame, into: &packet)
      for event in frame.dropLast() where follow(event, palms: palms) { packet.append(event) }
      changeTools(palms: palms, at: frames[index].time, into: &packet)
      packet.append(frames[index])
      last = frames[index].time
      restoreEmpty(at: last, into: &packet)
      start = index + 1
    }
  }

  /// Changes tools in a frame of the twin's own, if any differ.
  mutating func change(palms: UInt32, into packet: inout [EvdevEvent]) {
    let before = packet.count
    changeTools(palms: palms, at: last, into: &packet)
    if packet.count > before { packet.append(.report(at: last)) }
  }

  /// Lifts all contacts as palms, so that they do not count as a tap.
  mutating func lift(into packet: inout [EvdevEvent]) {
    last = .zero
    change(palms: .max, into: &packet)
    let down = slots.indices.filter { slots[$0].identifier >= 0 }
    end(down, at: .zero, into: &packet)
    restoreEmpty(at: .zero, into: &packet)
  }

  // MARK: Parts

  /// Takes in an event. Returns whether it is passed on as it is.
  private mutating func follow(_ event: EvdevEvent, palms: UInt32) -> Bool {
    guard event.type == .absolute else { return true }
    let axis = AbsoluteAxis(rawValue: event.code)
    if axis == .slot { current = Int(event.value) }
    guard slots.indices.contains(current) else { return true }
    switch axis {
    case .trackingID: slots[current].identifier = event.value
    case .toolType:
      slots[current].tool = event.value
      guard wanted(current, palms: palms) == event.value else { return false }
      slots[current].reported = event.value
    case _: break
    }
    return true
  }

  private func wanted(_ index: Int, palms: UInt32) -> Int32 {
    palms & (1 << UInt32(index)) != 0 ? ToolType.palm : slots[index].tool
  }

  /// Changes the tools that the pad's own events leave wrong.
  private mutating func changeTools(
    palms: UInt32, at time: EventTime, into packet: inout [EvdevEvent]
  ) {
    var hasChanged = false
    for index in slots.indices where slots[index].identifier >= 0 {
      let wanted = wanted(index, palms: palms)
      guard wanted != slots[index].reported else { continue }
      slots[index].reported = wanted
      packet += [
        .absolute(.slot, Int32(index), at: time), .absolute(.toolType, wanted, at: time),
      ]
      hasChanged = true
    }
    if hasChanged { packet.append(.absolute(.slot, Int32(current), at: time)) }
  }

  /// Changes the tools of empty slots to a finger's, in a frame of the twin's own: in the frame in
  /// which a palm lifts, it could make a tap. If a slot is a palm to the pad, its next contact
  /// reports that again.
  ///
  /// A desktop that disables the pad does not see what the next contact reports. When it enables
  /// the pad again, libinput does not ask for tools, and would take each contact for a palm.
  private mutating func restoreEmpty(at time: EventTime, into packet: inout [EvdevEvent]) {
    let before = packet.count
    for index in slots.indices where slots[index].identifier < 0 {
      guard slots[index].reported != ToolType.finger else { continue }
      slots[index].reported = ToolType.finger
      packet += [
        .absolute(.slot, Int32(index), at: time),
        .absolute(.toolType, ToolType.finger, at: time),
      ]
    }
    guard packet.count > before else { return }
    packet += [.absolute(.slot, Int32(current), at: time), .report(at: time)]
  }

  /// Ends contacts that others replace in the frame, as after a loss. libinput ignores a contact
  /// that begins in a slot that has one.
  private mutating func endReplaced(
    in frame: ArraySlice<EvdevEvent>, into packet: inout [EvdevEvent]
  ) {
    var (slot, replaced): (Int, [Int]) = (current, [])
    var ended: UInt32 = 0
    for event in frame where event.type == .absolute {
      if event.isSlot { slot = Int(event.value) }
      guard event.code == AbsoluteAxis.trackingID.rawValue, slots.indices.contains(slot) else {
        continue
      }
      let before = slots[slot].identifier
      if event.value < 0 { ended |= 1 << UInt32(slot) }
      guard ended & (1 << UInt32(slot)) == 0, before >= 0, before != event.value else { continue }
      replaced.append(slot)
    }
    end(replaced, at: last, into: &packet)
  }

  private mutating func end(
    _ ended: [Int], at time: EventTime, into packet: inout [EvdevEvent]
  ) {
    guard !ended.isEmpty else { return }
    for index in ended {
      slots[index].identifier = -1
      packet += [
        .absolute(.slot, Int32(index), at: time), .absolute(.trackingID, -1, at: time),
      ]
    }
    // the pad's next event is about the slot that it has
    packet += [.absolute(.slot, Int32(current), at: time), .report(at: time)]
  }
}

extension EvdevEvent {
  fileprivate var isSlot: Bool { type == .absolute && code == AbsoluteAxis.slot.rawValue }
}
