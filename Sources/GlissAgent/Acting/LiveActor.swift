import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissHotkeys

/// Does what rules say. Modes change at once; all else is an errand for another thread.
final class LiveActor: Acting {
  /// Called with the mode that a rule has entered, or `nil` where one was left.
  var didChangeMode: ((String?) -> Void)?
  /// What a device is called.
  var deviceName: (DeviceID) -> String = { _ in "" }
  /// Presses keys at once, where that waits for nothing; else they are an errand, too.
  var press: PressChords?
  /// The mode that holds.
  var mode: String?

  private let errands: ErrandThread
  private let log: AgentLog
  private var configuration = Configuration()
  /// Rules whose keys were not pressed, which was said.
  private var refused: Set<String> = []

  init(_ errands: ErrandThread, log: AgentLog) {
    self.errands = errands
    self.log = log
  }

  /// From now on activations are of these rules.
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
    for action in actions { perform(action, occasion) }
  }

  private func perform(_ action: Action, _ occasion: Occasion) {
    let times = occasion.activation.moment.times
    switch action.verb {
    case .run(let command): errands.add(.run(command, action.place, times: times, occasion))
    case .keys(let chords):
      guard let press else { return errands.add(.press(chords, times: times, occasion)) }
      do throws(KeyRefusal) {
        for _ in 0..<times { try press(chords) }
        refused.remove(occasion.rule)
      } catch {
        guard refused.insert(occasion.rule).inserted else { return }
        errands.add(.say(.error, "\(occasion.rule): its keys are not pressed: \(error)"))
      }
    case .mode(let mode):
      guard mode != self.mode else { return }
      self.mode = mode
      didChangeMode?(mode)
    case .notify(let summary, let body):
      // each would take the place of the one before
      errands.add(.notify(summary: summary, body: body, action.place, occasion))
    case .emit(let emission):
      let event = occasion.activation.cause.event
      errands.add(
        .emit(emission, event, device: deviceName(event.device), times: times, occasion))
    }
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
