public import GlissEvents

/// The keys and buttons of all devices of a seat.
///
/// Modifiers and the layout's state belong to the seat: Shift on one keyboard shifts the keys of
/// another. A key held on two keyboards is pressed once, and released when the last one releases
/// it. Buttons belong to their own device.
final class Keyboard {
  struct Press: Hashable {
    var device: DeviceID
    var key: Key
  }

  private struct Hold {
    /// The number of devices that hold it.
    var count = 0
    /// The device whose press was reported and whose release was not; `nil` if that device's stream
    /// broke while another still holds the key.
    var owner: DeviceID?
  }

  var translator: (any KeyTranslator)?
  /// How a held key repeats; `nil` if the events carry their own repeats.
  var keyRepeat: KeyRepeat? {
    didSet { machine = keyRepeat.map { KeyRepeatMachine($0) } }
  }
  private(set) var modifiers: Modifiers = []

  private var machine: KeyRepeatMachine?
  private var pressed: Set<Press> = []
  private var holds: [Key: Hold] = [:]

  /// The keys that are down on any device, without buttons of mice and pads.
  var held: [Key] { holds.keys.sorted() }

  /// When ``advance(to:into:)`` must be called if nothing happens first.
  var deadline: EventTime? { machine?.deadline }

  /// Processes a key or button with the kernel's value: 0 released, 1 pressed, 2 repeated.
  ///
  /// A release of a key that is not down, or another press of one that is, occurs only after a loss
  /// or where a recording begins: it is not reported.
  func process(
    _ key: Key, _ value: Int32, from device: DeviceID, at time: EventTime,
    into handlers: EventHandlers
  ) {
    let press = Press(device: device, key: key)
    switch value {
    case 0:
      if pressed.remove(press) != nil { release(press, isLost: false, at: time, into: handlers) }
    case 2: `repeat`(press, at: time, into: handlers)
    case _: if pressed.insert(press).inserted { self.press(press, at: time, into: handlers) }
    }
  }

  /// The device is gone or its stream broke: releases every press that was reported.
  func releaseAll(of device: DeviceID, at time: EventTime, into handlers: EventHandlers) {
    handlers.cancelHotkeys(of: device, at: time)
    let lost = pressed.filter { $0.device == device }.sorted { $0.key < $1.key }
    for press in lost {
      pressed.remove(press)
      release(press, isLost: true, at: time, into: handlers)
    }
  }

  func advance(to time: EventTime, into handlers: EventHandlers) {
    guard let due = machine?.advance(to: time), let owner = holds[due.key]?.owner else { return }
    report(
      .repeat, due.key, meaning(of: due.key, .repeat), from: owner, at: due.time, into: handlers)
  }

  private func press(_ press: Press, at time: EventTime, into handlers: EventHandlers) {
    let key = press.key
    if key.isPointerButton { return report(press, isDown: true, at: time, into: handlers) }
    var hold = holds[key] ?? Hold()
    hold.count += 1
    // The layout's state follows the first press and the last release.
    let meaning = meaning(of: key, hold.count == 1 ? .down : .repeat)
    modifiers.formUnion(Modifiers(key))
    let isTold = hold.owner == nil
    if isTold { hold.owner = press.device }
    holds[key] = hold
    guard isTold else { return }
    machine?.pressed(key, repeats: repeats(key), at: time)
    report(.down, key, meaning, from: press.device, at: time, into: handlers)
  }

  private func release(
    _ press: Press, isLost: Bool, at time: EventTime, into handlers: EventHandlers
  ) {
    let key = press.key
    if key.isPointerButton { return report(press, isDown: false, at: time, into: handlers) }
    guard var hold = holds[key] else { return }
    hold.count -= 1
    let isLast = hold.count == 0
    let meaning = meaning(of: key, isLast ? .up : .repeat)
    if isLast { modifiers.subtract(Modifiers(key)) }
    let owner = isLast || isLost && hold.owner == press.device ? hold.owner : nil
    if owner != nil { hold.owner = nil }
    holds[key] = isLast ? nil : hold
    guard let owner else { return }
    machine?.released(key)
    report(.up, key, meaning, from: owner, at: time, into: handlers)
  }

  /// The keyboard repeats by itself. The repeat is reported if no repeat machine is in use, and
  /// only from the device whose press was reported.
  private func `repeat`(_ press: Press, at time: EventTime, into handlers: EventHandlers) {
    let key = press.key
    guard machine == nil, holds[key]?.owner == press.device, pressed.contains(press) else {
      return
    }
    report(.repeat, key, meaning(of: key, .repeat), from: press.device, at: time, into: handlers)
  }

  private func repeats(_ key: Key) -> Bool { translator?.repeats(key) ?? key.usuallyRepeats }

  private func meaning(of key: Key, _ state: KeyEvent.State) -> KeyMeaning {
    translator?.translate(key, state) ?? .none
  }

  private func report(
    _ state: KeyEvent.State, _ key: Key, _ meaning: KeyMeaning, from device: DeviceID,
    at time: EventTime, into handlers: EventHandlers
  ) {
    handlers.deliver(
      .key(
        KeyEvent(
          time: time, device: device, key: key, state: state, modifiers: modifiers,
          keysym: meaning.keysym, base: meaning.base,
          typed: state == .up ? .none : meaning.text)), held: modifiers)
  }

  private func report(
    _ press: Press, isDown: Bool, at time: EventTime, into handlers: EventHandlers
  ) {
    handlers.deliver(
      .button(ButtonEvent(time: time, device: press.device, button: press.key, isDown: isDown)),
      held: modifiers)
  }
}

extension Key {
  /// Whether a key repeats without a layout to ask: modifiers, locks and buttons do not.
  var usuallyRepeats: Bool {
    switch self {
    case .capsLock, .numLock, .scrollLock: false
    case _: Modifiers(self).isEmpty && !isButton
    }
  }
}

/// The keysym and text a layout gives a key.
package struct KeyMeaning: Hashable, Sendable, BitwiseCopyable {
  /// As in ``GlissEvents/KeyEvent/keysym``.
  package var keysym: UInt32
  /// How the layout chose it, if the key is pressed.
  package var base = KeyBase()
  /// As in ``GlissEvents/KeyEvent/text``.
  package var text: KeyText

  /// The meaning of a key the layout does not know.
  package static let none = KeyMeaning()

  package init(keysym: UInt32 = 0, text: KeyText = .none) {
    self.keysym = keysym
    self.text = text
  }
}

/// Translates keys into keysyms and text: owns the layout and its state.
///
/// A session reports each key press to it once, however many keyboards hold the key, and always
/// reports its release.
package protocol KeyTranslator: AnyObject {
  /// The current meaning of `key`. `down` and `up` change the state for the following keys;
  /// `repeat` changes nothing.
  func translate(_ key: Key, _ state: KeyEvent.State) -> KeyMeaning

  /// Whether `key` repeats while it is held: modifiers and locks do not.
  func repeats(_ key: Key) -> Bool
}

/// Repeats the key that was pressed last.
///
/// Its release stops the repeats. So does the press of any other key, which then repeats instead if
/// it is a repeating key. A late call yields one repeat, not all that were missed: after a stall
/// nobody wants a burst of letters.
struct KeyRepeatMachine {
  struct Action: Equatable {
    var key: Key
    /// When the repeat was due.
    var time: EventTime
  }

  private let timing: KeyRepeat
  private var held: (key: Key, due: EventTime)?

  init(_ timing: KeyRepeat) { self.timing = timing }

  /// When ``advance(to:)`` must be called if nothing happens first.
  var deadline: EventTime? { held?.due }

  mutating func pressed(_ key: Key, repeats: Bool, at time: EventTime) {
    held = repeats ? (key, time + timing.delay) : nil
  }

  mutating func released(_ key: Key) { if held?.key == key { held = nil } }

  /// Advances the clock. If several repeats are due, only the first one is reported.
  mutating func advance(to time: EventTime) -> Action? {
    guard let (key, due) = held, due <= time else { return nil }
    let interval = timing.interval.microseconds
    let late = (time - due).microseconds % interval
    let next = time + EventInterval(microseconds: interval - late)
    // At the end of time there is no next repeat.
    held = next > time ? (key, next) : nil
    return Action(key: key, time: due)
  }
}

/// How a held key repeats.
public struct KeyRepeat: Hashable, Sendable {
  /// From the press to the first repeat.
  public let delay: EventInterval
  /// From one repeat to the next.
  public let interval: EventInterval

  /// The valid delays: 50 ms to 10 s.
  public static let delays = EventInterval.milliseconds(50)...EventInterval.milliseconds(10_000)
  /// The valid intervals: 5 ms (200 a second) to 5 s.
  public static let intervals = EventInterval.milliseconds(5)...EventInterval.milliseconds(5000)

  /// 25 repeats a second after 600 ms: the default of wlroots' compositors and of KWin. X.Org has
  /// 660 ms and the same rate, GNOME 500 ms and 33 a second, the kernel 250 ms and 30.
  public static let standard = KeyRepeat(delay: .milliseconds(600), interval: .milliseconds(40))

  /// Values outside ``delays`` and ``intervals`` are clamped to them.
  public init(delay: EventInterval, interval: EventInterval) {
    self.delay = min(max(delay, Self.delays.lowerBound), Self.delays.upperBound)
    self.interval = min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound)
  }
}
