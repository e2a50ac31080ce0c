import GlissEvents
import GlissGestures
import GlissSession
import TestSupport

/// A session with keyboards and pads, fed by hand; times in ms.
final class Rig {
  let session: Session
  let ledger = Ledger()
  /// What was told of keys, as "100 a down" or "100 2:a down" of the second keyboard.
  private(set) var told: [String] = []
  private(set) var events: [KeyEvent] = []
  private(set) var now: Int64 = 0

  init(_ configuration: GestureConfiguration = .init(), keyRepeat: KeyRepeat? = nil) {
    session = Session(configuration: configuration)
    session.keyRepeat = keyRepeat
    ledger.follow(session)
    session.addHandler(matching: [.key, .pointer]) { [unowned self] in note($0) }
  }

  private func note(_ event: InputEvent) {
    let time = event.time.microseconds / 1000
    let device = event.device.rawValue == 0 ? "" : "\(event.device.rawValue + 1):"
    switch event {
    case .key(let key):
      events.append(key)
      told.append("\(time) \(device)\(Self.name(key.key)) \(key.state.name)")
    case .button(let button):
      told.append("\(time) \(device)\(Self.name(button.button)) \(button.isDown ? "down" : "up")")
    case .gesture, .touch, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  private static func name(_ key: Key) -> String {
    String(key.name.drop { $0 != "_" }.dropFirst()).lowercased()
  }

  /// What was told since the last time.
  func take() -> [String] {
    defer { told.removeAll() }
    return told
  }

  /// Time passes without an event, stopping at every deadline as a loop does.
  func pass(until milliseconds: Int64) {
    let end = EventTime(microseconds: milliseconds * 1000)
    while let due = session.deadline, due < end { session.advance(to: due) }
    session.advance(to: end)
    now = milliseconds
  }

  /// Nobody looks until then.
  func stall(until milliseconds: Int64) {
    session.advance(to: EventTime(microseconds: milliseconds * 1000))
    now = milliseconds
  }

  func send(_ key: Key, _ value: Int32, on device: DeviceID, at milliseconds: Int64? = nil) {
    if let milliseconds { pass(until: milliseconds) }
    let time = EventTime(microseconds: now * 1000)
    session.process(.key(key, value, at: time), from: device)
    session.process(.report(at: time), from: device)
  }

  func down(_ key: Key, on device: DeviceID, at milliseconds: Int64? = nil) {
    send(key, 1, on: device, at: milliseconds)
  }

  func up(_ key: Key, on device: DeviceID, at milliseconds: Int64? = nil) {
    send(key, 0, on: device, at: milliseconds)
  }

  /// The kernel has dropped events of the device.
  func lose(_ device: DeviceID) {
    let time = EventTime(microseconds: now * 1000)
    session.process(
      EvdevEvent(
        time: time, type: .synchronization, code: SynchronizationCode.dropped, value: 0),
      from: device)
    session.process(.report(at: time), from: device)
  }
}

extension Device {
  static let keyboard = Device(name: "Keys", keys: [.a, .b, .leftShift])
}

/// Types letters, and capitals with Shift; says "→" and "←" of what it is told.
final class TypewriterTranslator: KeyTranslator {
  private(set) var log: [String] = []
  private var shifts = 0

  func translate(_ key: Key, _ state: KeyEvent.State) -> KeyMeaning {
    log.append("\(key.name) \(state.name)")
    let isShift = key == .leftShift || key == .rightShift
    if isShift { shifts += state == .down ? 1 : state == .up ? -1 : 0 }
    guard key == .a else { return KeyMeaning(keysym: UInt32(key.rawValue)) }
    let letter = shifts > 0 ? "A" : "a"
    return KeyMeaning(
      keysym: shifts > 0 ? 0x41 : 0x61, text: KeyText(letter) ?? .none)
  }

  func repeats(_ key: Key) -> Bool { key == .a || key == .leftShift }
}
