public import GlissEvents

/// Whether a device is opened for what is wanted.
public enum DeviceNeed: Hashable, Sendable {
  /// It gives nothing that is wanted: left alone.
  case none
  /// What is wanted is better with it; that it cannot be opened is nobody's concern.
  case helpful
  case wanted

  /// - Parameters:
  ///   - classes: what udev says it is.
  ///   - mask: which events are wanted.
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
      // a palm touches the pad while its hand types
      self = .helpful
    } else {
      self = .none
    }
  }
}
