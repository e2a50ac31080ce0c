import GlissEvents

/// Finds events that contradict what is said about their device: the kernel or its hwdb is wrong.
/// Each kind is reported once.
struct DeviceCheck {
  private struct Limit {
    let axis: AbsoluteAxis
    let range: AxisRange
    let bounds: ClosedRange<Int32>

    /// - Parameter share: how far beyond the range an axis may reach, as one part in so many.
    init?(_ axis: AbsoluteAxis, of device: Device, share: Int64?) {
      guard let range = device.axes[axis], range.maximum > range.minimum else { return nil }
      let (minimum, maximum) = (Int64(range.minimum), Int64(range.maximum))
      let reach = share.map { (maximum - minimum) / $0 } ?? 0
      self.axis = axis
      self.range = range
      bounds = Int32(clamping: minimum - reach)...Int32(clamping: maximum + reach)
    }
  }

  /// More contacts than this are not compared.
  private static let mostSlots = 64

  private var limits: [Limit]
  private var slot = 0
  /// The tracking id in each slot, or -1; empty once one was reported.
  private var contacts: [Int32]
  private var hasNewContacts = false

  init(_ device: Device) {
    let horizontal = device.axes[.positionX] == nil ? AbsoluteAxis.x : .positionX
    let vertical = device.axes[.positionY] == nil ? AbsoluteAxis.y : .positionY
    // Positions of pads without a fault reach beyond their range by up to 8 %.
    limits = [
      Limit(horizontal, of: device, share: 10), Limit(vertical, of: device, share: 10),
      Limit(.slot, of: device, share: nil),
    ].compactMap(\.self)
    contacts = Array(repeating: -1, count: min(device.slotCount, Self.mostSlots))
  }

  /// What an event contradicts, in words.
  mutating func problem(of event: EvdevEvent) -> String? {
    if event.type == .synchronization { return problem(ofFrame: event.code) }
    guard event.type == .absolute else { return nil }
    if event.code == AbsoluteAxis.slot.rawValue { slot = Int(event.value) }
    if event.code == AbsoluteAxis.trackingID.rawValue {
      if contacts.indices.contains(slot) { (contacts[slot], hasNewContacts) = (event.value, true) }
      return nil
    }
    for index in limits.indices where limits[index].axis.rawValue == event.code {
      if limits[index].bounds.contains(event.value) { return nil }
      let limit = limits.remove(at: index)
      let name = EventNames.name(of: event.code, type: .absolute)
      let range = "\(limit.range.minimum)…\(limit.range.maximum)"
      return
        "\(name) \(event.value) lies outside its range \(range): the kernel, the hwdb or the description is wrong"
    }
    return nil
  }

  /// Within a frame, contacts may change places.
  private mutating func problem(ofFrame code: UInt16) -> String? {
    if code == SynchronizationCode.dropped {
      contacts = Array(repeating: -1, count: contacts.count)
    }
    guard code == SynchronizationCode.report, hasNewContacts else { return nil }
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
