import GlissEvents
import GlissGestures
import GlissHotkeys

/// Who is told what comes out of a session.
final class Outlet {
  @exclusivity(unchecked) private var handlers: [(mask: EventMask, handler: Session.Handler)] = []
  @exclusivity(unchecked) private var decisionHandlers: [(Decision) -> Void] = []
  /// What anybody wants to see.
  @exclusivity(unchecked) private(set) var mask: EventMask = []

  func add(_ handler: @escaping Session.Handler, matching mask: EventMask) {
    handlers.append((mask, handler))
    self.mask.formUnion(mask)
  }

  func add(_ handler: @escaping (Decision) -> Void) { decisionHandlers.append(handler) }

  /// Asked before anybody is told.
  let monitors = MonitorChain()

  /// What the local monitors leave of `event`; `nil` where nothing is.
  func screen(_ event: InputEvent) -> InputEvent? {
    monitors.mask.contains(event.mask) ? monitors.pass(event) : event
  }

  /// Nobody is told anything, and no monitor asked, but of devices that come and go.
  @exclusivity(unchecked) var isMute = false

  /// The key that is told is to be kept from the rest of the desktop.
  @exclusivity(unchecked) var isKept = false

  /// Tells what the local monitors leave of `event`.
  func deliver(_ event: InputEvent) {
    if isMute, event.mask != .device { return }
    if let event = screen(event) { tell(event) }
  }

  /// Hotkeys come between the local monitors and those who are told.
  let hotkeys: HotkeyDesk

  init(_ configuration: HotkeyConfiguration) { hotkeys = HotkeyDesk(configuration) }

  /// Tells what the local monitors leave of a key, button or wheel, and before it the hotkeys that come of it.
  ///
  /// - Parameter modifiers: those that are down, whatever the monitors have left of them.
  func deliver(_ event: InputEvent, held modifiers: Modifiers) {
    if isMute { return }
    guard let event = screen(event) else { return }
    guard hotkeys.isInUse else { return tell(event) }
    let belongs = hotkeys.match(event, held: modifiers)
    if hotkeys.isConsumed { isKept = true }
    hotkeys.tellLeftMode()
    tellHotkeys()
    if !belongs || !hotkeys.keepsKeys { tell(event) }
  }

  /// The device's keys are lost: the hotkeys they hold are released, which is no reason to act.
  func cancelHotkeys(of device: DeviceID, at time: EventTime) {
    guard hotkeys.isInUse else { return }
    hotkeys.cancel(device, at: time)
    tellHotkeys()
  }

  /// Tells the hotkeys that wait to be told.
  func tellHotkeys() {
    hotkeys.takeWaiting { event, listener in
      guard case .hotkey(let left)? = screen(.hotkey(event)) else { return }
      listener?.tell(left)
      tell(.hotkey(left))
    }
  }

  /// Tells what the local monitors have seen.
  func tell(_ event: InputEvent) {
    let kind = event.mask
    for (mask, handler) in handlers where mask.contains(kind) { handler(event) }
  }

  func route(_ output: RecognizerOutput) {
    switch output {
    case .gesture(let gesture): deliver(InputEvent.gesture(gesture))
    case .decision(let decision):
      if isMute { return }
      for handler in decisionHandlers { handler(decision) }
    }
  }
}
