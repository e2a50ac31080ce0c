import CLinux
import GlissEvents
public import GlissHotkeys
import GlissSession

/// Presses keys for the user.
public protocol KeyPressing: AnyObject {
  /// Presses chords one after the other, releasing each before the next. If any cannot be pressed,
  /// none is.
  func press(_ chords: [Chord]) throws(PressError)

  /// Cancels the chords that are still waiting.
  func forget()
}

/// A uinput keyboard on which Gliss presses chords.
///
/// Each chord is written to the kernel in one piece, including its releases, so that a key never
/// stays down, however this process ends. Nothing blocks: chords wait in the loop, because desktops
/// take a moment to open a new keyboard and read it at a limited rate. Gliss itself never reads
/// this keyboard (docs/keys.md).
///
/// Modifiers held on another keyboard stay held, because the desktop combines all keyboards. They
/// are lifted for the chord only if Gliss has grabbed that keyboard (``LiveDevices``).
public final class UinputKeyboard: KeyPressing {
  /// The device node.
  public var path: String { device.path }

  /// Called first for each chord; returns true if it has pressed the chord on another device.
  var elsewhere: (([KeyStroke]) -> Bool)?

  /// How long a desktop may take to open a new keyboard. Chords wait for that time.
  private static let settling = EventInterval.milliseconds(500)

  private let device: VirtualDevice
  private let presser: ChordPresser
  private var queue: PressQueue
  private var timer: LoopTimer?

  /// Plugs the keyboard in.
  ///
  /// - Parameters:
  ///   - loop: The loop that must keep running while chords wait to be pressed.
  ///   - translator: The layout in which characters are found; without it, none can be pressed.
  /// - Throws: If `/dev/uinput` is not writable, with advice.
  public init(on loop: EventLoop, translator: XkbKeyTranslator?) throws(DeviceError) {
    device = try VirtualDevice(Self.description, place: "keys")
    presser = ChordPresser(layout: translator.map { "\($0.layout)" } ?? "") {
      translator?.place(of: $0)
    }
    queue = PressQueue(ready: EventLoop.now + Self.settling)
    timer = try LoopTimer(on: loop) { [unowned self] in pump() }
  }

  /// Every key except buttons. The bus type marks the device as virtual.
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

  /// Checks whether these chords can be pressed, without pressing them.
  public func check(_ chords: [Chord]) throws(PressError) {
    for chord in chords { _ = try presser.strokes(for: chord) }
  }

  public func forget() {
    queue.forget()
    timer?.due = nil
  }

  /// Unplugs the keyboard. Waiting chords are dropped.
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
    // an unplugged device has released its keys
    try? device.write(events)
  }
}

/// A key that goes down or up.
struct KeyStroke: Hashable, Sendable, BitwiseCopyable {
  var key: Key
  var isDown: Bool

  static func down(_ key: Key) -> KeyStroke { KeyStroke(key: key, isDown: true) }
  static func up(_ key: Key) -> KeyStroke { KeyStroke(key: key, isDown: false) }
}

/// Why keys cannot be pressed. If it is thrown, nothing has been pressed.
public enum PressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No key on this layout has the character.
  case notOnLayout(Chord, layout: String)
  /// The chord ends with a mouse button or a wheel notch.
  case noKey(Chord)
  /// The kernel itself would act on the chord: Alt+SysRq ends sessions and restarts machines.
  case notPressed(Chord)
  /// Too many chords are waiting to be pressed.
  case tooMany(maximum: Int)
  /// There is no keyboard to press them on.
  case device(DeviceError)

  public var description: String {
    switch self {
    case .notOnLayout(let chord, let layout):
      "\(chord) cannot be pressed: no key of the layout \(layout) has that character; name the key itself, or one that the layout has"
    case .noKey(let chord): "\(chord) cannot be pressed: buttons and wheels are not keys"
    case .notPressed(let chord):
      "\(chord) is not pressed: the kernel itself would obey it; press SysRq without Alt"
    case .tooMany(let maximum):
      "at most \(maximum) chords wait to be pressed; press fewer at a time"
    case .device(let error): "no keys can be pressed: \(error)"
    }
  }
}
