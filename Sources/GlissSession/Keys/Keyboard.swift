import GlissEvents

/// The keys and buttons of all devices of a seat.
///
/// Modifiers and the layout's state are the seat's: Shift on one keyboard shifts what another types. A key held on two
/// of them is pressed once and released when the last one lets go. Buttons are their device's own.
final class Keyboard {
  private struct Press: Hashable {
    var device: DeviceID
    var key: Key
  }

  /// A key that is down.
  private struct Hold {
    /// On how many devices.
    var count = 0
    /// The device whose press was told and whose release was not; `nil` where that device's stream broke while another
    /// still holds the key.
    var owner: DeviceID?
  }

  var translator: (any KeyTranslator)?
  /// How a held key repeats; `nil` where the events bring their own repeats.
  var keyRepeat: KeyRepeat? {
    didSet { machine = keyRepeat.map { KeyRepeatMachine($0) } }
  }
  /// Those that are down on any device.
  private(set) var modifiers: Modifiers = []

  private var machine: KeyRepeatMachine?
  private var pressed: Set<Press> = []
  private var holds: [Key: Hold] = [:]

  /// The keys that are down on any device, buttons of mice and pads not among them.
  var held: [Key] { holds.keys.sorted() }

  /// When ``advance(to:into:)`` must be called if nothing happens first.
  var deadline: EventTime? { machine?.deadline }

  /// Takes in a key or button, its value as the kernel has it: 0 released, 1 pressed, 2 repeated.
  ///
  /// A release of a key that is not down, or another press of one that is, comes only after a loss or where a recording
  /// begins: nobody is told of it.
  func process(
    _ key: Key, _ value: Int32, from device: DeviceID, at time: EventTime, into outlet: Outlet
  ) {
    let press = Press(device: device, key: key)
    switch value {
    case 0:
      if pressed.remove(press) != nil { release(press, isLost: false, at: time, into: outlet) }
    case 2: `repeat`(press, at: time, into: outlet)
    case _: if pressed.insert(press).inserted { self.press(press, at: time, into: outlet) }
    }
  }

  /// The device is gone or its stream broke: every press that was told gets its release.
  func releaseAll(of device: DeviceID, at time: EventTime, into outlet: Outlet) {
    outlet.cancelHotkeys(of: device, at: time)
    let lost = pressed.filter { $0.device == device }.sorted { $0.key < $1.key }
    for press in lost {
      pressed.remove(press)
      release(press, isLost: true, at: time, into: outlet)
    }
  }

  /// Lets time pass.
  func advance(to time: EventTime, into outlet: Outlet) {
    guard let due = machine?.advance(to: time), let owner = holds[due.key]?.owner else { return }
    tell(.repeat, due.key, meaning(of: due.key, .repeat), from: owner, at: due.time, into: outlet)
  }

  private func press(_ press: Press, at time: EventTime, into outlet: Outlet) {
    let key = press.key
    if key.isPointerButton { return tell(press, isDown: true, at: time, into: outlet) }
    var hold = holds[key] ?? Hold()
    hold.count += 1
    // the layout's state follows the first press and the last release
    let meaning = meaning(of: key, hold.count == 1 ? .down : .repeat)
    modifiers.formUnion(Modifiers(key))
    let isTold = hold.owner == nil
    if isTold { hold.owner = press.device }
    holds[key] = hold
    guard isTold else { return }
    machine?.pressed(key, repeats: repeats(key), at: time)
    tell(.down, key, meaning, from: press.device, at: time, into: outlet)
  }

  private func release(_ press: Press, isLost: Bool, at time: EventTime, into outlet: Outlet) {
    let key = press.key
    if key.isPointerButton { return tell(press, isDown: false, at: time, into: outlet) }
    guard var hold = holds[key] else { return }
    hold.count -= 1
    let isLast = hold.count == 0
    let meaning = meaning(of: key, isLast ? .up : .repeat)
    if isLast { modifiers.subtract(Modifiers(key)) }
    let told = isLast || isLost && hold.owner == press.device ? hold.owner : nil
    if told != nil { hold.owner = nil }
    holds[key] = isLast ? nil : hold
    guard let told else { return }
    machine?.released(key)
    tell(.up, key, meaning, from: told, at: time, into: outlet)
  }

  /// The keyboard repeats by itself: told where nobody else does it, and where its press was.
  private func `repeat`(_ press: Press, at time: EventTime, into outlet: Outlet) {
    let key = press.key
    guard machine == nil, holds[key]?.owner == press.device, pressed.contains(press) else {
      return
    }
    tell(.repeat, key, meaning(of: key, .repeat), from: press.device, at: time, into: outlet)
  }

  private func repeats(_ key: Key) -> Bool { translator?.repeats(key) ?? key.usuallyRepeats }

  private func meaning(of key: Key, _ state: KeyEvent.State) -> KeyMeaning {
    translator?.translate(key, state) ?? .none
  }

  private func tell(
    _ state: KeyEvent.State, _ key: Key, _ meaning: KeyMeaning, from device: DeviceID,
    at time: EventTime, into outlet: Outlet
  ) {
    outlet.deliver(
      .key(
        KeyEvent(
          time: time, device: device, key: key, state: state, modifiers: modifiers,
          keysym: meaning.keysym, text: state == .up ? .none : meaning.text)), held: modifiers)
  }

  private func tell(_ press: Press, isDown: Bool, at time: EventTime, into outlet: Outlet) {
    outlet.deliver(
      .button(ButtonEvent(time: time, device: press.device, button: press.key, isDown: isDown)),
      held: modifiers)
  }
}

extension Key {
  /// Whether a key repeats where no layout is asked: modifiers, locks and buttons do not.
  var usuallyRepeats: Bool {
    switch self {
    case .capsLock, .numLock, .scrollLock: false
    case _: Modifiers(self).isEmpty && !isButton
    }
  }
}
