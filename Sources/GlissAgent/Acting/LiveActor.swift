import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissHotkeys

/// Carries out rules. Mode changes take effect at once; all other actions are handed to another
/// thread.
final class LiveActor: Acting {
  /// Called with the mode that a rule has entered, or `nil` if a mode was left.
  var didChangeMode: ((String?) -> Void)?
  /// Returns a device's name.
  var deviceName: (DeviceID) -> String = { _ in "" }
  /// Presses keys at once if that does not block. If `nil`, another thread presses them.
  var press: PressChords?
  /// The current mode.
  var mode: String?

  /// What became of the actions.
  private(set) var chronicle = Chronicle()

  private let errands: ErrandThread
  private let log: AgentLog
  private var configuration = Configuration()
  /// Rules whose keys were not pressed. This is logged once per rule.
  private var refused: Set<String> = []

  init(_ errands: ErrandThread, log: AgentLog) {
    self.errands = errands
    self.log = log
  }

  /// Sets the rules that activations refer to from now on.
  func take(_ configuration: Configuration) {
    self.configuration = configuration
    errands.add(.limit(configuration.limits))
  }

  func act(on activation: Activation) {
    guard configuration.rules.indices.contains(activation.rule), activation.moment.times > 0 else {
      return
    }
    let actions = configuration.actions(of: activation)
    if actions.isEmpty { return }
    let rule = configuration.rules[activation.rule]
    let occasion = Occasion(activation, rule: rule.label, hotkey: rule.hotkey, mode: mode)
    if log.isVerbose { tell(occasion) }
    for action in actions { perform(action, of: rule, occasion) }
  }

  // MARK: What came of it

  /// Records why none of the activation's actions is carried out.
  func skip(_ activation: Activation, because reason: String) {
    let actions = configuration.actions(of: activation)
    if actions.isEmpty || activation.moment.times == 0 { return }
    let rule = configuration.rules[activation.rule]
    let isNews = chronicle.noteLate(activation)
    for action in actions {
      let id = chronicle.ask(action, of: rule, for: activation)
      chronicle.note(.failed(reason), times: activation.moment.times, of: id)
    }
    if isNews { log.say(.warning, "\(rule.label): not done: \(reason)") }
  }

  /// Records that input was lost.
  func note(_ loss: LossEvent, of device: String) {
    guard chronicle.note(loss, of: device), let report = chronicle.losses.last else { return }
    log.say(.warning, report.sentence)
  }

  /// Records the results that have arrived, and forgets deeds that can no longer be asked about.
  ///
  /// - Parameters:
  ///   - strokes: the gestures that are kept.
  ///   - newest: the number of the last gesture or press.
  func settle(_ strokes: [PastStroke], newest: UInt64) {
    for (id, result) in errands.takeResults() { chronicle.note(result, of: id) }
    chronicle.forget(but: strokes, newest: newest)
  }

  private func perform(_ action: Action, of rule: Rule, _ occasion: Occasion) {
    let times = occasion.activation.moment.times
    let deed = chronicle.ask(action, of: rule, for: occasion.activation)
    var occasion = occasion
    occasion.deed = deed
    switch action.verb {
    case .run(let command): add(.run(command, action.place, times: times, occasion), deed, times)
    case .keys(let chords):
      guard let press else {
        return add(.press(chords, times: times, occasion), deed, times)
      }
      self.press(chords, times: times, with: press, occasion, deed)
    case .mode(let mode):
      chronicle.note(.done, times: times, of: deed)
      guard mode != self.mode else { return }
      self.mode = mode
      didChangeMode?(mode)
    case .notify(let summary, let body):
      // each would replace the one before
      chronicle.note(.done, times: times - 1, of: deed)
      add(.notify(summary: summary, body: body, action.place, occasion), deed)
    case .emit(let emission):
      let event = occasion.activation.cause.event
      add(
        .emit(emission, event, device: deviceName(event.device), times: times, occasion), deed,
        times)
    }
  }

  /// After a refusal the remaining presses are not attempted.
  private func press(
    _ chords: [Chord], times: Int, with press: PressChords, _ occasion: Occasion, _ deed: Deed.ID
  ) {
    var pressed = 0
    do throws(KeyRefusal) {
      while pressed < times {
        try press(chords)
        pressed += 1
      }
      refused.remove(occasion.rule)
    } catch {
      chronicle.note(.failed(error.description), times: times - pressed, of: deed)
      if refused.insert(occasion.rule).inserted {
        errands.add(.say(.error, "\(occasion.rule): its keys are not pressed: \(error)"))
      }
    }
    chronicle.note(.done, times: pressed, of: deed)
  }

  private func add(_ errand: Errand, _ deed: Deed.ID, _ times: Int = 1) {
    if errands.add(errand) { return }
    chronicle.note(.failed("more is asked for than can be done"), times: times, of: deed)
  }

  private func tell(_ occasion: Occasion) {
    let times = occasion.activation.moment.times
    let late = EventLoop.now - occasion.activation.time
    errands.add(
      .say(
        .info,
        "\(occasion.rule): \(occasion.activation.moment.name)"
          + (times > 1 ? " × \(times)" : "") + ", \(late.microseconds) µs after the event"))
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

/// Carries out activations: the live agent acts, a dry run only reports.
public protocol Acting: AnyObject {
  /// Called on the thread that handles events. It must not block.
  func act(on activation: Activation)
}
