import CLinux
package import GlissEvents
public import GlissHotkeys
import GlissSession

package protocol KeyPressing: AnyObject {
  /// Checks whether these chords can be pressed, or held, without doing so.
  func check(_ chords: [Chord], toHold: Bool) throws(PressError)

  /// Presses chords one after the other, releasing each before the next. If any cannot be pressed,
  /// none is.
  func press(_ chords: [Chord], by owner: UInt64) throws(PressError)

  /// Presses the keys of `chords` and keeps them down until ``release(_:)`` with the same holder.
  /// If any cannot be pressed, none is. A holder that holds keys already keeps those.
  func hold(_ chords: [Chord], by holder: UInt64) throws(PressError)

  /// Releases what `holder` holds, except what others hold too.
  func release(_ holder: UInt64)

  /// Moves the pointer as if a mouse of 1000 dots per inch had moved by `way`, in mm.
  func move(_ way: Vector2, by owner: UInt64) throws(PressError)

  var isWaiting: Bool { get }

  /// Cancels the presses and motions of `owner` that still wait.
  func forget(_ owner: UInt64)

  /// Cancels the chords that are still waiting, and releases everything that is held.
  func forget()
}

/// A uinput keyboard on which Gliss presses chords, and a pointer for those with buttons or wheels.
///
/// Each chord is written to the kernel in one piece, including its releases, so that a key never
/// stays down, however this process ends. The kernel releases held keys when the device goes.
/// Nothing blocks: chords wait in the loop, because desktops take a moment to open a new device and
/// read it at a limited rate. Gliss itself never reads these devices (docs/keys.md).
///
/// Modifiers held on another keyboard stay held, because the desktop combines all keyboards. They
/// are lifted for the chord only if Gliss has grabbed that keyboard (``LiveDevices``).
public final class UinputKeyboard: KeyPressing {
  /// The device node of the keyboard.
  public var path: String { device.path }

  /// Called first for each chord of keys; returns true if it pressed the chord on another device.
  var elsewhere: (([KeyStroke]) -> Bool)?

  /// How long a desktop may take to open a new device. Chords wait for that time.
  private static let settling = EventInterval.milliseconds(500)

  private let device: VirtualDevice
  /// Created when a chord needs it: some desktops disable the touchpad while there is a mouse.
  private var pointer: VirtualDevice?
  private let presser: ChordPresser
  private var queue: PressQueue
  private var held = HeldKeys()
  /// The keys written as down and not yet as up, in order. ``held`` is ahead while strokes wait.
  private var down: [Key] = []
  private var timer: LoopTimer?
  /// The fraction of a dot left over.
  private var rest = Vector2.zero

  /// Plugs the keyboard in.
  ///
  /// - Parameters:
  ///   - loop: The loop that must keep running while chords wait to be pressed.
  ///   - translator: The layout in which characters are found; without it, none can be pressed.
  /// - Throws: If `/dev/uinput` is not writable, with advice.
  public init(on loop: InputLoop, translator: XkbKeyTranslator?) throws(SystemError) {
    device = try VirtualDevice(Self.keyboard, place: "keys")
    presser = ChordPresser(layout: translator.map { "\($0.layout)" } ?? "") {
      translator?.place(of: $0)
    }
    queue = PressQueue(ready: InputLoop.now + Self.settling)
    timer = try LoopTimer(on: loop) { [unowned self] in pump() }
  }

  /// Every key except buttons. The bus type marks the device as virtual.
  private static let keyboard = Device(
    name: "Gliss keyboard", identifier: identifier(1),
    keys: Set((1...0x2ff).map { Key(rawValue: $0) }.filter { !$0.isButton }))

  /// Buttons, wheels, motion and modifiers. A chord's modifiers come from the same device as its
  /// button, because desktops read each device on its own.
  private static let mouse = Device(
    name: "Gliss pointer", identifier: identifier(2),
    keys: Set((0x110...0x117).map { Key(rawValue: $0) } + Key.modifiers),
    relativeAxes: Set(
      [REL_X, REL_Y, REL_WHEEL, REL_HWHEEL, REL_WHEEL_HI_RES, REL_HWHEEL_HI_RES].map(UInt16.init)))

  private static func identifier(_ product: UInt16) -> Device.Identifier {
    Device.Identifier(bus: UInt16(BUS_VIRTUAL), vendor: 0x676c, product: product, version: 1)
  }

  /// Presses chords one after the other, releasing each before the next. If any cannot be pressed,
  /// none is.
  public func press(_ chords: [Chord]) throws(PressError) { try press(chords, by: 0) }

  package func press(_ chords: [Chord], by owner: UInt64) throws(PressError) {
    try add(
      chords.map { chord throws(PressError) in held.adapted(try presser.strokes(for: chord)) },
      of: owner)
  }

  package func hold(_ chords: [Chord], by holder: UInt64) throws(PressError) {
    var keys: [Key] = []
    for chord in chords { keys += try presser.keys(of: chord) }
    let new = held.hold(keys, by: holder)
    if new.isEmpty { return }
    do throws(PressError) {
      try add(pieces(new.map(KeyStroke.down)))
    } catch {
      _ = held.release(holder)
      throw error
    }
  }

  package func release(_ holder: UInt64) {
    queue.append(releases(of: held.release(holder)), at: InputLoop.now)
    pump()
  }

  package func move(_ way: Vector2, by owner: UInt64 = 0) throws(PressError) {
    let dots = rest + way * (1000 / 25.4)
    guard let x = Int32(exactly: dots.x.rounded()), let y = Int32(exactly: dots.y.rounded()) else {
      return
    }
    rest = dots - Vector2(x: Double(x), y: Double(y))
    if x != 0 || y != 0 { try add([[.move(x, y)]], of: owner) }
  }

  /// Checks whether these chords can be pressed, without pressing them.
  public func check(_ chords: [Chord]) throws(PressError) { try check(chords, toHold: false) }

  package func check(_ chords: [Chord], toHold: Bool) throws(PressError) {
    for chord in chords {
      if toHold { _ = try presser.keys(of: chord) } else { _ = try presser.strokes(for: chord) }
    }
  }

  /// Releases all keys that are down, and drops what waits to be pressed.
  public func forget() {
    queue.forget()
    timer?.due = nil
    held = HeldKeys()
    // releases may have been waiting
    for piece in releases(of: down) { write(piece) }
  }

  package var isWaiting: Bool { queue.deadline != nil }

  package func forget(_ owner: UInt64) {
    queue.forget(owner)
    timer?.due = queue.deadline
  }

  /// Unplugs the devices. Waiting chords are dropped, and held keys come up.
  public func close() {
    timer = nil
    device.close()
    pointer?.close()
  }

  /// Strokes in pieces that one device writes at once: keys before buttons.
  private func pieces(_ strokes: [KeyStroke]) -> [[KeyStroke]] {
    let kinds = [strokes.filter { !$0.needsPointer }, strokes.filter(\.needsPointer)]
    return kinds.flatMap { strokes in
      stride(from: 0, to: strokes.count, by: Self.pieceLimit).map {
        Array(strokes[$0..<min($0 + Self.pieceLimit, strokes.count)])
      }
    }
  }

  /// A chord has 18 strokes at most.
  private static let pieceLimit = 18

  /// The last key that went down comes up first, a button before a modifier that is held with it.
  private func releases(of keys: [Key]) -> [[KeyStroke]] {
    pieces(keys.map(KeyStroke.up)).reversed().map { $0.reversed() }
  }

  private func add(_ pieces: [[KeyStroke]], of owner: UInt64 = 0) throws(PressError) {
    if pointer == nil, pieces.contains(where: { $0.contains(where: \.needsPointer) }) {
      do throws(SystemError) {
        pointer = try VirtualDevice(Self.mouse, place: "pointer")
      } catch {
        throw .device(error)
      }
      queue.wait(until: InputLoop.now + Self.settling)
    }
    guard queue.add(pieces, of: owner, at: InputLoop.now) else {
      throw .tooMany(maximum: PressQueue.capacity)
    }
    pump()
  }

  private func pump() {
    while let strokes = queue.next(at: InputLoop.now) {
      if strokes.isWhole, elsewhere?(strokes) == true { continue }
      write(strokes)
    }
    timer?.due = queue.deadline
  }

  private func write(_ strokes: [KeyStroke]) {
    var events: [EvdevEvent] = []
    for stroke in strokes {
      events += stroke.events(at: .zero)
      switch stroke {
      case .down(let key): down.append(key)
      case .up(let key): down.removeAll { $0 == key }
      case .notch, .move: break
      }
    }
    // an unplugged device has released its keys
    try? (strokes.contains(where: \.needsPointer) ? pointer : device)?.write(events)
  }
}

/// A key or button that goes down or up, a notch of a wheel, or a motion in dots.
enum KeyStroke: Hashable, Sendable {
  case down(Key)
  case up(Key)
  case notch(WheelDirection)
  case move(Int32, Int32)

  var key: Key? {
    switch self {
    case .down(let key), .up(let key): key
    case .notch, .move: nil
    }
  }

  /// A keyboard has neither buttons nor wheels.
  var needsPointer: Bool { key?.isButton ?? true }

  func events(at time: EventTime) -> [EvdevEvent] {
    switch self {
    case .down(let key): [.key(key, 1, at: time), .report(at: time)]
    case .up(let key): [.key(key, 0, at: time), .report(at: time)]
    case .move(let x, let y): Self.turn((REL_X, x), (REL_Y, y), at: time)
    // the kernel has 120 units of high resolution for a notch
    case .notch(.up): Self.turn((REL_WHEEL, 1), (REL_WHEEL_HI_RES, 120), at: time)
    case .notch(.down): Self.turn((REL_WHEEL, -1), (REL_WHEEL_HI_RES, -120), at: time)
    case .notch(.left): Self.turn((REL_HWHEEL, -1), (REL_HWHEEL_HI_RES, -120), at: time)
    case .notch(.right): Self.turn((REL_HWHEEL, 1), (REL_HWHEEL_HI_RES, 120), at: time)
    }
  }

  private static func turn(
    _ changes: (axis: Int32, value: Int32)..., at time: EventTime
  ) -> [EvdevEvent] {
    changes.map { EvdevEvent(time: time, type: .relative, code: UInt16($0.axis), value: $0.value) }
      + [.report(at: time)]
  }
}

extension [KeyStroke] {
  /// Keys that go down and all come up again, and no button.
  fileprivate var isWhole: Bool {
    var down: Set<Key> = []
    for stroke in self {
      switch stroke {
      case .down(let key) where !key.isButton: down.insert(key)
      case .up(let key): if down.remove(key) == nil { return false }
      case .down, .notch, .move: return false
      }
    }
    return down.isEmpty
  }
}

/// The keys that are held until somebody releases them.
struct HeldKeys {
  private var holders: [UInt64: [Key]] = [:]

  func contains(_ key: Key?) -> Bool {
    guard let key else { return false }
    return holders.values.contains { $0.contains(key) }
  }

  /// Returns the keys that go down. A holder that holds keys already keeps those.
  mutating func hold(_ keys: [Key], by holder: UInt64) -> [Key] {
    guard holders[holder] == nil else { return [] }
    var new: [Key] = []
    for key in keys where !contains(key) && !new.contains(key) { new.append(key) }
    holders[holder] = keys
    return new
  }

  /// Returns the keys that come up, in the order in which they went down.
  mutating func release(_ holder: UInt64) -> [Key] {
    let keys = holders.removeValue(forKey: holder) ?? []
    return keys.enumerated().filter { !contains($1) && !keys[..<$0].contains($1) }.map(\.element)
  }

  /// Adapts a chord's strokes to keys that are held: a held modifier is left alone, and another
  /// held key comes up first.
  func adapted(_ strokes: [KeyStroke]) -> [KeyStroke] {
    strokes.compactMap { stroke in
      guard let key = stroke.key, contains(key) else { return stroke }
      if !Modifiers(key).isEmpty { return nil }
      return switch stroke {
      case .down: .up(key)
      case .up: .down(key)
      case .notch, .move: stroke
      }
    }
  }
}

/// Why keys cannot be pressed. If it is thrown, nothing has been pressed.
public enum PressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No key on this layout has the character.
  case notOnLayout(Chord, layout: String)
  /// The chord ends with something that no device of ours has.
  case noKey(Chord)
  /// A wheel turns and cannot be held.
  case notHeld(Chord)
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
    case .noKey(let chord): "\(chord) cannot be pressed: the kernel has no such key"
    case .notHeld(let chord): "\(chord) cannot be held: a wheel cannot be held down"
    case .notPressed(let chord):
      "\(chord) is not pressed: the kernel would act on it; press SysRq without Alt"
    case .tooMany(let maximum):
      "more than \(maximum) chords are waiting to be pressed; press fewer at a time"
    case .device(let error): "no keys can be pressed: \(error)"
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

  func strokes(for chord: Chord) throws(PressError) -> [KeyStroke] {
    let (held, last) = try parts(of: chord)
    return held.map(KeyStroke.down) + last + held.reversed().map(KeyStroke.up)
  }

  /// The keys of a chord that is held. Throws if the chord cannot be pressed, or ends with a wheel.
  func keys(of chord: Chord) throws(PressError) -> [Key] {
    let (held, last) = try parts(of: chord)
    guard let key = last.first?.key else { throw .notHeld(chord) }
    return held + [key]
  }

  private func parts(of chord: Chord) throws(PressError) -> (held: [Key], last: [KeyStroke]) {
    switch chord.obstacle {
    case nil: break
    case .noKey?: throw .noKey(chord)
    case .sysRq?: throw .notPressed(chord)
    }
    let held = chord.modifiers.keys
    switch chord.trigger {
    case .key(let key):
      return (held.filter { $0 != key }, [.down(key), .up(key)])
    case .symbol(let character):
      guard let place = find(character) else { throw .notOnLayout(chord, layout: layout) }
      let all = held + place.choosers.filter { !held.contains($0) }
      return (all.filter { $0 != place.key }, [.down(place.key), .up(place.key)])
    case .wheel(let direction): return (held, [.notch(direction)])
    }
  }
}

extension ChordModifiers {
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

/// Chords waiting to be pressed, one after the other, no faster than a desktop reads them.
///
/// The kernel keeps 64 events for each reader of a keyboard and drops the rest. A chord has up to
/// 36.
struct PressQueue {
  static let capacity = 256
  static let interval = EventInterval.milliseconds(5)

  /// The owner is 0 if nobody in particular presses it.
  private var waiting: [(strokes: [KeyStroke], owner: UInt64)] = []
  private var due: EventTime

  /// - Parameter ready: When the keyboard is ready; nobody reads it before that.
  init(ready: EventTime) { due = ready }

  var deadline: EventTime? { waiting.isEmpty ? nil : due }

  /// Adds all `chords`, or none if they are too many. An empty queue takes any number.
  mutating func add(_ chords: [[KeyStroke]], of owner: UInt64 = 0, at time: EventTime) -> Bool {
    guard waiting.isEmpty || waiting.count + chords.count <= Self.capacity else { return false }
    append(chords, of: owner, at: time)
    return true
  }

  /// Adds all `chords`, however many there are.
  mutating func append(_ chords: [[KeyStroke]], of owner: UInt64 = 0, at time: EventTime) {
    if chords.isEmpty { return }
    // two motions that follow each other become one
    if case .move(let dx, let dy)? = chords[0].first, let last = waiting.last, last.owner == owner,
      case .move(let x, let y)? = last.strokes.first
    {
      return waiting[waiting.count - 1].strokes = [.move(x &+ dx, y &+ dy)]
    }
    if waiting.isEmpty { due = max(due, time) }
    waiting += chords.map { (strokes: $0, owner: owner) }
  }

  /// Lets the next chord wait until `time`, because a device is new.
  mutating func wait(until time: EventTime) { due = max(due, time) }

  mutating func forget(_ owner: UInt64? = nil) {
    waiting.removeAll { owner == nil || $0.owner == owner }
  }

  mutating func next(at time: EventTime) -> [KeyStroke]? {
    guard !waiting.isEmpty, due <= time else { return nil }
    due = time + Self.interval
    return waiting.removeFirst().strokes
  }
}
