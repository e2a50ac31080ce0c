import CLinux
import GlissEvents
public import GlissHotkeys
import GlissSession

/// Something that presses keys for the user.
public protocol KeyPressing: AnyObject {
  /// Presses chords one after the other, each released before the next: all of them, or none where one cannot be.
  func press(_ chords: [Chord]) throws(PressError)

  /// What waits to be pressed is not pressed any more.
  func forget()
}

/// A keyboard that is plugged in by uinput, on which Gliss presses chords.
///
/// A chord is written to the kernel whole, with the releases, so that no end of this process leaves a key down. Nothing
/// blocks: what must wait, because desktops take a moment to open a new keyboard and do not read without end, waits in the
/// loop. Gliss itself never reads it (docs/keys.md).
///
/// Modifiers that somebody holds on another keyboard stay held: the desktop counts them together. Only where Gliss has
/// grabbed that keyboard are they lifted for the chord (``LiveDevices``).
public final class UinputKeyboard: KeyPressing {
  /// The device's node.
  public var path: String { device.path }

  /// Asked first for each chord: whether another device has pressed it.
  var elsewhere: (([KeyStroke]) -> Bool)?

  /// So long a desktop may take to open a new keyboard; what comes before waits.
  private static let settling = EventInterval.milliseconds(500)

  private let device: VirtualDevice
  private let presser: ChordPresser
  private var queue: PressQueue
  private var timer: LoopTimer?

  /// Plugs it in.
  ///
  /// - Parameters:
  ///   - loop: what turns; it must go on for chords that wait to be pressed.
  ///   - translator: the layout on which characters are found; without one none is.
  /// - Throws: where `/dev/uinput` may not be written, with what to do about it.
  public init(on loop: EventLoop, translator: XkbKeyTranslator?) throws(DeviceError) {
    device = try VirtualDevice(Self.description, place: "keys")
    presser = ChordPresser(layout: translator.map { "\($0.layout)" } ?? "") {
      translator?.place(of: $0)
    }
    queue = PressQueue(ready: EventLoop.now + Self.settling)
    timer = try LoopTimer(on: loop) { [unowned self] in pump() }
  }

  /// Every key that is no button; the bus says that there is no hardware.
  private static let description = Device(
    name: "Gliss keyboard",
    identifier: Device.Identifier(
      bus: UInt16(BUS_VIRTUAL), vendor: 0x676c, product: 1, version: 1),
    keys: Set((1...0x2ff).map { Key(rawValue: $0) }.filter { !$0.isButton }))

  public func press(_ chords: [Chord]) throws(PressError) {
    var strokes: [[KeyStroke]] = []
    for chord in chords { strokes.append(try presser.strokes(for: chord)) }
    guard queue.add(strokes, at: EventLoop.now) else {
      throw .tooMany(maximum: PressQueue.capacity)
    }
    pump()
  }

  /// Whether these can be pressed; nothing is.
  public func check(_ chords: [Chord]) throws(PressError) {
    for chord in chords { _ = try presser.strokes(for: chord) }
  }

  public func forget() {
    queue.forget()
    timer?.due = nil
  }

  /// Unplugs it. What waits is not pressed any more.
  public func close() {
    timer = nil
    device.close()
  }

  private func pump() {
    while let strokes = queue.next(at: EventLoop.now) {
      if elsewhere?(strokes) != true { write(strokes) }
    }
    timer?.due = queue.deadline
  }

  private func write(_ strokes: [KeyStroke]) {
    var events: [input_event] = []
    for stroke in strokes {
      events.append(input_event(.key(stroke.key, stroke.isDown ? 1 : 0, at: .zero)))
      events.append(input_event(.report(at: .zero)))
    }
    // one that is gone takes its keys along
    try? device.write(events)
  }
}
