import CLinux
import GlissEvents
public import GlissHotkeys
import GlissSession

/// Presses keys for the user.
package protocol KeyPressing: AnyObject {
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
  public init(on loop: EventLoop, translator: XkbKeyTranslator?) throws(SystemError) {
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
  case device(SystemError)

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

/// Chords waiting to be pressed, one after the other, no faster than a desktop reads them.
///
/// The kernel keeps 64 events for each reader of a keyboard and drops the rest. A chord has up to
/// 36.
struct PressQueue {
  private enum State {
    /// Nothing waits. A new chord is not pressed before `since`.
    case idle(since: EventTime)
    /// The first chord is pressed at `due`.
    case waiting([[KeyStroke]], due: EventTime)
  }

  /// The most chords that may wait.
  static let capacity = 256
  /// The time between two chords.
  static let interval = EventInterval.milliseconds(5)

  private var state: State

  /// - Parameter ready: When the keyboard is ready; nobody reads it before that.
  init(ready: EventTime) { state = .idle(since: ready) }

  /// When ``next(at:)`` returns the next chord.
  var deadline: EventTime? {
    switch state {
    case .idle: nil
    case .waiting(_, let due): due
    }
  }

  /// Adds all `chords`, or returns false and adds none if there are too many.
  mutating func add(_ chords: [[KeyStroke]], at time: EventTime) -> Bool {
    if chords.isEmpty { return true }
    switch state {
    case .idle(let since): state = .waiting(chords, due: max(since, time))
    case .waiting(let waiting, let due):
      guard waiting.count + chords.count <= Self.capacity else { return false }
      state = .waiting(waiting + chords, due: due)
    }
    return true
  }

  /// Removes all waiting chords.
  mutating func forget() {
    switch state {
    case .waiting(_, let due): state = .idle(since: due)
    case .idle: break
    }
  }

  /// The chord to press now; `nil` without one.
  mutating func next(at time: EventTime) -> [KeyStroke]? {
    switch state {
    case .waiting(let waiting, let due) where due <= time:
      let rest = Array(waiting.dropFirst())
      let next = time + Self.interval
      state = rest.isEmpty ? .idle(since: next) : .waiting(rest, due: next)
      return waiting.first
    case .waiting, .idle: return nil
    }
  }
}

/// Turns chords into key strokes: press the modifiers and the key, then release all in reverse
/// order.
///
/// It presses the left modifier of a pair unless the chord names the right one. Characters are
/// looked up in a layout, and the modifiers that select them are pressed too.
struct ChordPresser {
  /// A character's place in a layout: its key, and the keys to hold with it.
  struct Place: Hashable, Sendable {
    var key: Key
    var choosers: [Key]
  }

  /// The layout's name for messages.
  let layout: String
  /// Returns `nil` if the layout does not have the character.
  let find: (Unicode.Scalar) -> Place?

  /// - Throws: If the chord cannot be pressed.
  func strokes(for chord: Chord) throws(PressError) -> [KeyStroke] {
    switch chord.obstacle {
    case nil: break
    case .noKey?: throw .noKey(chord)
    case .sysRq?: throw .notPressed(chord)
    }
    var held = chord.modifiers.keys
    let last: Key
    switch chord.trigger {
    case .key(let key): last = key
    case .symbol(let character):
      guard let place = find(character) else { throw .notOnLayout(chord, layout: layout) }
      held += place.choosers.filter { !held.contains($0) }
      last = place.key
    case .wheel: throw .noKey(chord)
    }
    held.removeAll { $0 == last }
    return held.map(KeyStroke.down) + [.down(last), .up(last)]
      + held.reversed().map(KeyStroke.up)
  }
}

extension ChordModifiers {
  /// The keys for these modifiers.
  fileprivate var keys: [Key] {
    let all: [(ChordModifiers, Key)] = [
      (.super, .leftSuper), (.leftSuper, .leftSuper), (.rightSuper, .rightSuper),
      (.control, .leftControl), (.leftControl, .leftControl), (.rightControl, .rightControl),
      (.alt, .leftAlt), (.altGr, .rightAlt),
      (.shift, .leftShift), (.leftShift, .leftShift), (.rightShift, .rightShift),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
