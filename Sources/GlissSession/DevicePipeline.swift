import GlissEvents
import GlissGestures

/// Processes the touches of one device: decoder, tracker, recognizer. Returns its keys to the
/// caller.
final class DevicePipeline {
  let device: Device
  @exclusivity(unchecked) private var decoder: EvdevDecoder
  @exclusivity(unchecked) private var tracker: TouchTracker
  @exclusivity(unchecked) private var recognizer: GestureRecognizer
  private let isTouchDevice: Bool
  private var configuration: GestureConfiguration
  /// The recognizer still has the old configuration, because fingers were down when it changed.
  @exclusivity(unchecked) private var mustConfigure = false
  /// The kernel has dropped events since the last frame.
  @exclusivity(unchecked) private var hasLost = false
  /// The time of its last frame or key; `nil` before the first one after ``interrupt(at:into:)``.
  @exclusivity(unchecked) private(set) var last: EventTime?

  init(_ device: Device, _ configuration: GestureConfiguration) {
    self.device = device
    self.configuration = configuration
    decoder = EvdevDecoder(for: device)
    tracker = TouchTracker(for: device, palm: configuration.palm, typing: configuration.typing)
    recognizer = GestureRecognizer(for: device, configuration: configuration)
    isTouchDevice = device.kind == .touchpad || device.kind == .touchscreen
  }

  var deadline: EventTime? { recognizer.deadline }

  /// Recognizes with another configuration, from the next stroke on.
  func configure(_ next: GestureConfiguration) {
    guard next != configuration else { return }
    configuration = next
    mustConfigure = true
    configureIfIdle()
  }

  private func configureIfIdle() {
    guard !tracker.isTouching, recognizer.deadline == nil else { return }
    mustConfigure = false
    tracker.configure(palm: configuration.palm, typing: configuration.typing)
    recognizer = GestureRecognizer(for: device, configuration: configuration)
  }

  /// Reports touches at once. Returns the event's output, whose keys the caller handles.
  func process(_ event: EvdevEvent, into handlers: EventHandlers) -> EvdevDecoder.Output {
    let output = decoder.process(event)
    switch output {
    case .none: break
    case .lost: hasLost = true
    case .frame:
      last = event.time
      guard isTouchDevice, tracker.process(decoder.frame) else { break }
      handle(tracker.frame, into: handlers)
      if hasLost {
        hasLost = false
        recognizer.noteLoss()
      }
      if mustConfigure { configureIfIdle() }
    case .key: last = event.time
    }
    return output
  }

  /// A key went down on a keyboard whose user has their palms over this device.
  func keyPressed(
    _ key: Key, with modifiers: Modifiers, at time: EventTime, into handlers: EventHandlers
  ) {
    guard tracker.keyPressed(key, with: modifiers, at: time) else { return }
    recognizer.keyTyped(at: time)
    route(into: handlers)
  }

  func advance(to time: EventTime, into handlers: EventHandlers) {
    recognizer.advance(to: time)
    route(into: handlers)
  }

  func cancel(at time: EventTime, into handlers: EventHandlers) {
    let wasTouching = tracker.isTouching
    // ignored touches too: the next decoder numbers contacts from the start again
    tracker.cancel(at: time)
    if wasTouching { handle(tracker.frame, into: handlers) }
    recognizer.cancel(at: time)
    route(into: handlers)
    decoder = EvdevDecoder(for: device)
  }

  /// Cancels all current touches and gestures while the stream goes on: fingers that are down are
  /// ignored until they lift.
  func interrupt(at time: EventTime, into handlers: EventHandlers) {
    // Clients that may see later events must not learn when the earlier ones happened.
    last = nil
    let wasTouching = tracker.isTouching
    tracker.interrupt(at: time, isResting: { recognizer.isResting($0) })
    if wasTouching { handle(tracker.frame, into: handlers) }
    recognizer.cancel(at: time)
    route(into: handlers)
  }

  /// The slots of contacts that rest, as bits.
  var restingSlots: UInt32 { tracker.restingSlots { recognizer.isResting($0) } }

  private func handle(_ frame: TouchFrame, into handlers: EventHandlers) {
    // an event that must not be reported still reaches the recognizer
    guard handlers.monitors.mask.contains(.touch), !handlers.isMute else {
      return recognize(frame, into: handlers)
    }
    guard case .touch(let left) = handlers.screen(.touch(frame)) else { return }
    recognize(left, into: handlers)
  }

  private func recognize(_ frame: TouchFrame, into handlers: EventHandlers) {
    if handlers.mask.contains(.touch), !handlers.isMute {
      handlers.emit(.touch(markResting(frame)))
    }
    recognizer.process(frame)
    route(into: handlers)
    if handlers.wantsEvidence, let evidence = recognizer.evidence {
      handlers.onEvidence?(evidence)
    }
  }

  private func route(into handlers: EventHandlers) {
    // copied, because a handler may interrupt the recognizer; most frames have none or one
    switch recognizer.outputs.count {
    case 0: break
    case 1: handlers.route(recognizer.outputs[0])
    case _:
      let outputs = recognizer.outputs
      for index in outputs.indices { handlers.route(outputs[index]) }
    }
  }

  private func markResting(_ frame: TouchFrame) -> TouchFrame {
    var frame = frame
    for index in frame.touches.indices where recognizer.isResting(frame.touches[index].id) {
      frame.touches[index].isResting = true
    }
    return frame
  }
}
