import GlissClient
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissHotkeys

extension Activation {
  /// A number for what the rule holds during the gesture or press.
  var holder: UInt64 { serial << 24 | UInt64(rule & 0xff_ffff) }
}

enum KeyOrder: Hashable, Sendable {
  /// One complete chord after the other.
  case press([Chord])
  /// Their keys go down, until the holder releases them.
  case hold([Chord], by: UInt64)
  case release(UInt64)
  /// The pointer moves, in mm.
  case move(Vector2)

  /// `nil` for an action without keys, and for a motion of the pointer without a change.
  init?(_ verb: Action.Verb, for activation: Activation) {
    switch verb {
    case .keys(let chords): self = .press(chords)
    case .hold(let chords): self = .hold(chords, by: activation.holder)
    case .letGo: self = .release(activation.holder)
    case .move(let factor):
      guard activation.moment == .change else { return nil }
      self = .move(activation.way * factor)
    case .run, .turns, .mode, .notify, .emit, .desktop: return nil
    }
  }

  /// A release succeeds also if the hold was refused.
  var isRelease: Bool { if case .release = self { true } else { false } }
}

/// Carries out an order. It may block until that is done.
typealias PressKeys = (KeyOrder) throws(ActionFailure) -> Void

/// Why an action is not done, and what would allow it.
struct ActionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Presses keys for rules. A refusal is logged once per rule, because it would recur every time.
struct KeyPresser {
  let press: PressKeys?
  private let log: AgentLog
  private var refused: Set<String> = []

  init(_ log: AgentLog, _ press: PressKeys?) {
    self.log = log
    self.press = press
  }

  /// After a refusal the remaining presses are not attempted.
  ///
  /// - Parameter note: called with each result, and how often it came.
  mutating func carryOut(
    _ order: KeyOrder, times: Int, for rule: String, note: (ActionRecord.Result, Int) -> Void
  ) {
    var pressed = 0
    do throws(ActionFailure) {
      guard let press else { throw ActionFailure("there is no keyboard to press keys on") }
      while pressed < times {
        try press(order)
        pressed += 1
      }
      if !order.isRelease { refused.remove(rule) }
    } catch {
      note(.failed(error.description), times - pressed)
      if refused.insert(rule).inserted {
        log.report(.error, "\(rule): its keys are not pressed: \(error)")
      }
    }
    note(.done, pressed)
  }
}

/// Has the broker press keys, over a connection that is kept open. The broker releases what is held
/// when the connection of the hold ends, however this process ends.
final class BrokerKeys {
  private let path: String
  private var connection: BrokerConnection?
  private var holds: [UInt64: BrokerConnection] = [:]

  init(_ path: String) { self.path = path }

  func carryOut(_ order: KeyOrder) throws(ActionFailure) {
    do throws(ClientError) {
      switch order {
      case .press(let chords):
        try keeping { connection throws(ClientError) in try connection.post(chords) }
      case .hold(let chords, let holder):
        guard holds[holder] == nil else { return }
        let connection = try BrokerConnection(path: path)
        try connection.hold(chords)
        holds[holder] = connection
      case .release(let holder): holds.removeValue(forKey: holder)?.close()
      case .move(let way):
        try keeping { connection throws(ClientError) in try connection.move(way) }
      }
    } catch {
      if !error.isRefusal { connection = nil }
      throw ActionFailure("\(error)")
    }
  }

  private func keeping(
    _ call: (BrokerConnection) throws(ClientError) -> Void
  ) throws(ClientError) {
    do throws(ClientError) {
      try call(connect())
    } catch .disconnected {
      // the broker may have been restarted
      connection = nil
      try call(connect())
    }
  }

  private func connect() throws(ClientError) -> BrokerConnection {
    if let connection { return connection }
    let opened = try BrokerConnection(path: path)
    connection = opened
    return opened
  }
}

/// A virtual keyboard of our own, created when it is first needed.
final class OwnKeys {
  /// Called with the keyboard before its first use.
  var didPlugIn: ((UinputKeyboard) -> Void)?
  private let loop: InputLoop
  private var keyboard: UinputKeyboard?

  init(on loop: InputLoop) { self.loop = loop }

  func carryOut(_ order: KeyOrder) throws(ActionFailure) {
    do throws(PressError) {
      switch order {
      case .press(let chords): try plugIn().press(chords)
      case .hold(let chords, let holder): try plugIn().hold(chords, by: holder)
      case .release(let holder): keyboard?.release(holder)
      case .move(let way): try plugIn().move(way)
      }
    } catch {
      throw ActionFailure("\(error)")
    }
  }

  private func plugIn() throws(PressError) -> UinputKeyboard {
    if let keyboard { return keyboard }
    do throws(SystemError) {
      let translator = try XkbKeyTranslator(try KeyboardLayout.find().0)
      let plugged = try UinputKeyboard(on: loop, translator: translator)
      didPlugIn?(plugged)
      keyboard = plugged
      return plugged
    } catch {
      throw .device(error)
    }
  }
}
