public import GlissEvents

/// Whether a device should be opened for the wanted events.
public enum DeviceNeed: Hashable, Sendable {
  /// It provides nothing that is wanted and is not opened.
  case none
  /// It improves wanted events. A failure to open it is not reported.
  case helpful
  case wanted

  /// - Parameters:
  ///   - classes: The device's classes according to udev.
  ///   - mask: The wanted events.
  public init(_ classes: DeviceClasses, for mask: EventMask) {
    let touches: EventMask = [.gesture, .touch]
    var needed: EventMask = []
    if classes.contains(.touchpad) { needed.formUnion(touches.union(.pointer)) }
    if classes.contains(.touchscreen) { needed.formUnion(touches) }
    if !classes.isDisjoint(with: [.keyboard, .key]) { needed.formUnion([.key, .hotkey]) }
    if !classes.isDisjoint(with: [.mouse, .trackpoint]) {
      needed.formUnion([.pointer, .scroll, .hotkey])
    }
    if !needed.isDisjoint(with: mask) {
      self = .wanted
    } else if classes.contains(.keyboard), !touches.isDisjoint(with: mask) {
      // typing helps to detect palms on the pad
      self = .helpful
    } else {
      self = .none
    }
  }
}
