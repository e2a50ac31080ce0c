import GlissClient
import GlissConfiguration
import GlissDevices
package import GlissEvents
package import GlissHotkeys

/// Carries out rules. Mode changes take effect at once; all other actions are handed to another
/// thread.
final class LiveActor {
  /// Called with the mode that a rule has entered, or `nil` if a mode was left.
  var didChangeMode: ((String?) -> Void)?
  /// Returns a device's name.
  var deviceName: (DeviceID) -> String = { _ in "" }
  /// Presses keys at once if that does not block. If `nil`, another thread presses them.
  var press: PressKeys?
  /// The current mode.
  var mode: String?

  /// What became of the actions.
  private(set) var actionLog = ActionLog()

  private let worker: ActionWorker
  private let log: AgentLog
  private var configuration = Configuration()
  private var turns = Turns()
  /// Rules whose keys were not pressed. This is logged once per rule.
  private var refused: Set<String> = []

  init(_ worker: ActionWorker, log: AgentLog) {
    self.worker = worker
    self.log = log
  }

  /// Sets the rules that activations refer to from now on.
  func take(_ configuration: Configuration) {
    self.configuration = configuration
    turns = Turns()
    worker.add(.limit(configuration.limits))
  }

  /// Called on the thread that handles events. It does not block.
  func act(on activation: Activation) {
    guard configuration.rules.indices.contains(activation.rule), activation.moment.times > 0 else {
      return
    }
    let actions = configuration.actions(of: activation)
    if actions.isEmpty { return }
    let rule = configuration.rules[activation.rule]
    let context = ActionContext(activation, rule: rule.label, hotkey: rule.hotkey, mode: mode)
    if log.isVerbose { report(context) }
    for action in actions { perform(action, of: rule, context) }
  }

  // MARK: What came of it

  /// Records why none of the activation's actions is carried out.
  func skip(_ activation: Activation, because reason: String) {
    let actions = configuration.actions(of: activation)
    if actions.isEmpty || activation.moment.times == 0 { return }
    let rule = configuration.rules[activation.rule]
    let isNews = actionLog.noteLate(activation)
    for action in actions {
      // what is held is still released
      if case .letGo = action.verb { continue }
      let id = actionLog.ask(action, of: rule, for: activation)
      actionLog.note(.failed(reason), times: activation.moment.times, of: id)
    }
    if isNews { log.report(.warning, "\(rule.label): not done: \(reason)") }
  }

  /// Records that input was lost.
  func note(_ loss: LossEvent, of device: String) {
    guard actionLog.note(loss, of: device), let report = actionLog.losses.last else { return }
    log.report(.warning, report.sentence)
  }

  /// Records the results that have arrived, and forgets records that can no longer be asked about.
  ///
  /// - Parameters:
  ///   - strokes: the gestures that are kept.
  ///   - newest: the number of the last gesture or press.
  func settle(_ strokes: [MatchedGesture], newest: UInt64) {
    for (id, result) in worker.takeResults() { actionLog.note(result, of: id) }
    actionLog.forget(but: strokes, newest: newest)
  }

  private func perform(_ action: Action, of rule: Rule, _ context: ActionContext) {
    if case .turns(let all) = action.verb {
      var context = context
      let times = context.activation.moment.times
      context.activation.moment = context.activation.moment.once
      for _ in 0..<times {
        for action in turns.next(of: all, at: action.place) { perform(action, of: rule, context) }
      }
      return
    }
    let times = context.activation.moment.times
    let record = actionLog.ask(action, of: rule, for: context.activation)
    var context = context
    context.record = record
    switch action.verb {
    case .run(let command): add(.run(command, action.place, times: times, context), record, times)
    case .keys(let chords): press(.press(chords), times: times, context, record)
    case .hold(let chords):
      press(.hold(chords, by: context.activation.holder), times: times, context, record)
    case .move(let factor):
      guard case .change(let way) = context.activation.moment else { return }
      press(.move(way * factor), times: times, context, record)
    case .letGo: press(.release(context.activation.holder), times: times, context, record)
    // done above
    case .turns: break
    case .mode(let mode):
      actionLog.note(.done, times: times, of: record)
      guard mode != self.mode else { return }
      self.mode = mode
      didChangeMode?(mode)
    case .notify(let summary, let body):
      // each would replace the one before
      actionLog.note(.done, times: times - 1, of: record)
      add(.notify(summary: summary, body: body, action.place, context), record)
    case .desktop(let action): add(.desktop(action, times: times, context), record, times)
    case .emit(let emission):
      let event = context.activation.cause.event
      add(
        .emit(emission, event, device: deviceName(event.device), times: times, context), record,
        times)
    }
  }

  /// After a refusal the remaining presses are not attempted.
  private func press(
    _ order: KeyOrder, times: Int, _ context: ActionContext, _ record: ActionRecord.ID
  ) {
    guard let press else { return add(.press(order, times: times, context), record, times) }
    var pressed = 0
    do throws(KeyRefusal) {
      while pressed < times {
        try press(order)
        pressed += 1
      }
      if !order.isRelease { refused.remove(context.rule) }
    } catch {
      actionLog.note(.failed(error.description), times: times - pressed, of: record)
      if refused.insert(context.rule).inserted {
        worker.add(.log(.error, "\(context.rule): its keys are not pressed: \(error)"))
      }
    }
    actionLog.note(.done, times: pressed, of: record)
  }

  private func add(_ request: ActionRequest, _ record: ActionRecord.ID, _ times: Int = 1) {
    if worker.add(request) { return }
    actionLog.note(.failed("more came than can be done"), times: times, of: record)
  }

  private func report(_ context: ActionContext) {
    let times = context.activation.moment.times
    let late = InputLoop.now - context.activation.time
    worker.add(
      .log(
        .info,
        "\(context.rule): \(context.activation.moment.name)"
          + (times > 1 ? " × \(times)" : "") + ", \(late.microseconds) µs after the event"))
  }
}

/// Whose turn it is among actions that take turns, by their place in the file.
struct Turns {
  private var next: [Place: Int] = [:]

  mutating func next(of turns: [[Action]], at place: Place) -> [Action] {
    guard !turns.isEmpty else { return [] }
    let turn = next[place, default: 0] % turns.count
    next[place] = turn + 1
    return turns[turn]
  }
}

extension Activation.Moment {
  /// A single step.
  fileprivate var once: Activation.Moment {
    switch self {
    case .forward(let step, _): .forward(step: step, count: 1)
    case .back(let step, _): .back(step: step, count: 1)
    case .begin, .change, .end, .cancel, .release: self
    }
  }
}

extension Activation.Cause {
  var event: InputEvent {
    switch self {
    case .gesture(let gesture): .gesture(gesture)
    case .hotkey(let hotkey): .hotkey(hotkey)
    }
  }
}

extension Activation {
  /// A number for what the rule holds during the gesture or press.
  fileprivate var holder: UInt64 { serial << 16 | UInt64(rule & 0xffff) }
}

/// What is done with keys, buttons and wheels.
package enum KeyOrder: Hashable, Sendable {
  /// One complete chord after the other.
  case press([Chord])
  /// Their keys go down, until the holder releases them.
  case hold([Chord], by: UInt64)
  case release(UInt64)
  /// The pointer moves, in mm.
  case move(Vector2)

  /// A release succeeds also if the hold was refused.
  var isRelease: Bool { if case .release = self { true } else { false } }
}

/// Carries out an order. It may block until that is done.
package typealias PressKeys = (KeyOrder) throws(KeyRefusal) -> Void

/// Why keys are not pressed, and what would allow it.
package struct KeyRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Has the broker press keys, over a connection that is kept open. The broker releases what is held
/// when the connection of the hold ends, however this process ends.
final class BrokerKeys {
  private let path: String
  private var connection: BrokerConnection?
  private var holds: [UInt64: BrokerConnection] = [:]

  init(_ path: String) { self.path = path }

  func carryOut(_ order: KeyOrder) throws(KeyRefusal) {
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
      if !error.isAboutRights { connection = nil }
      throw KeyRefusal("\(error)")
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

  func carryOut(_ order: KeyOrder) throws(KeyRefusal) {
    do throws(PressError) {
      switch order {
      case .press(let chords): try plugIn().press(chords)
      case .hold(let chords, let holder): try plugIn().hold(chords, by: holder)
      case .release(let holder): keyboard?.release(holder)
      case .move(let way): try plugIn().move(way)
      }
    } catch {
      throw KeyRefusal("\(error)")
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
