public import GlissEvents
import GlissGestures
public import GlissHotkeys

/// The receivers of a session's output.
final class EventHandlers {
  private final class Entry {
    let mask: EventMask
    let handler: Session.Handler
    /// It is not called again, even for the event that is being reported.
    @exclusivity(unchecked) var isRemoved = false

    init(_ mask: EventMask, _ handler: @escaping Session.Handler) {
      self.mask = mask
      self.handler = handler
    }
  }

  @exclusivity(unchecked) private var handlers: [Entry] = []
  /// Called for each decision.
  @exclusivity(unchecked) var onDecision: ((Decision) -> Void)?
  /// Called after each frame in which motion was weighed.
  @exclusivity(unchecked) var onEvidence: ((Evidence) -> Void)?
  @exclusivity(unchecked) private(set) var mask: EventMask = []

  func add(_ handler: @escaping Session.Handler, matching mask: EventMask) -> HandlerToken {
    let entry = Entry(mask, handler)
    handlers.append(entry)
    self.mask.formUnion(mask)
    return HandlerToken { [weak self, weak entry] in
      if let entry { self?.remove(entry) }
    }
  }

  /// How many there are, without those of decisions; for tests.
  var handlerCount: Int { handlers.count }

  private func remove(_ entry: Entry) {
    entry.isRemoved = true
    handlers.removeAll { $0 === entry }
    mask = handlers.reduce([]) { $0.union($1.mask) }
    // A handler is released after the change: what it owns may add or remove others when it ends.
    withExtendedLifetime(entry) {}
  }

  /// Called before any handler.
  let monitors = MonitorChain()

  /// What the local monitors leave of `event`; `nil` if nothing. What they had deferred is reported
  /// first.
  func screen(_ event: InputEvent) -> InputEvent? {
    monitors.mask.contains(event.mask) ? monitors.pass(event) { emit($0) } : event
  }

  /// While set, no monitor or handler is called, except for devices that come and go.
  @exclusivity(unchecked) var isMute = false

  /// The key being reported must be withheld from the rest of the desktop.
  @exclusivity(unchecked) var isKept = false

  /// Reports what the local monitors leave of `event`.
  func deliver(_ event: InputEvent) {
    if isMute, event.mask != .device { return }
    if let event = screen(event) { emit(event) }
  }

  // MARK: Hotkeys, between the local monitors and the handlers

  /// Wraps a closure: a bare one in a dictionary or optional would be wrapped again, on the heap,
  /// each time it is taken out.
  private struct Listener {
    let handler: (HotkeyEvent) -> Void
  }

  /// Keys that belong to a hotkey are reported to nobody else.
  var keepsKeys = false
  /// A hotkey has been registered at some time: keys that belonged to it may still be down.
  private var hasHotkeys = false
  /// The named hotkeys, once somebody has used them.
  var named: NamedHotkeys<HotkeyError>?
  /// Whether a consuming hotkey consumes the keys of that device; `nil` if each consumes all keys.
  var mayConsume: ((HotkeyID, DeviceID) -> Bool)?
  /// Called when Escape has left the mode.
  var didLeaveMode: (() -> Void)?
  @exclusivity(unchecked) var matcher: HotkeyMatcher
  @exclusivity(unchecked) private var listeners: [HotkeyID: Listener] = [:]
  /// Matched events and their handlers, which may be unregistered before they are delivered.
  @exclusivity(unchecked) private var waiting: [(event: HotkeyEvent, listener: Listener?)] = []

  init(_ configuration: HotkeyConfiguration) {
    matcher = HotkeyMatcher(configuration: configuration)
  }

  func register(
    _ hotkey: Hotkey, owner: String, mode: String?, consumes: Bool,
    _ handler: @escaping (HotkeyEvent) -> Void
  ) throws(HotkeyError) -> HotkeyID {
    let id = try matcher.register(hotkey, owner: owner, mode: mode, consumes: consumes)
    listeners[id] = Listener(handler: handler)
    hasHotkeys = true
    return id
  }

  /// Unregisters a hotkey. If it is held, its release is queued.
  func unregister(_ id: HotkeyID, at time: EventTime) -> Bool {
    let isGone = matcher.unregister(id, at: time) { note($0) }
    let listener = listeners.removeValue(forKey: id)
    // Released after the change: what it owns may register or unregister hotkeys when it ends.
    withExtendedLifetime(listener) {}
    return isGone
  }

  private func note(_ event: HotkeyEvent) { waiting.append((event, listeners[event.hotkey])) }

  var hasWaiting: Bool { !waiting.isEmpty }

  /// Whether `event` belongs to a hotkey. Matched events are queued.
  private func match(_ event: InputEvent, held modifiers: Modifiers) -> Bool {
    switch event {
    case .key(let key): return matcher.process(key) { note($0) }
    case .button(let button):
      matcher.hold(modifiers)
      return matcher.process(button) { note($0) }
    case .scroll(let scroll):
      matcher.hold(modifiers)
      return matcher.process(scroll) { note($0) }
    case .gesture, .touch, .motion, .device, .hotkey, .lost: return false
    }
  }

  /// Reports what the local monitors leave of a key, button or wheel, and before it any hotkeys it
  /// triggers.
  ///
  /// - Parameter modifiers: the modifiers that are down, whatever the monitors have left of them.
  func deliver(_ event: InputEvent, held modifiers: Modifiers) {
    if isMute { return }
    guard let event = screen(event) else {
      // a swallowed key still comes between the press and the release of a tapped modifier
      if hasHotkeys, !event.isRepeat { matcher.spoilTap() }
      return
    }
    guard hasHotkeys else { return emit(event) }
    let belongs = match(event, held: modifiers)
    if matcher.isConsumed, isConsumed(on: event.device) { isKept = true }
    if matcher.hasLeftMode { didLeaveMode?() }
    reportHotkeys()
    if !belongs || !keepsKeys { emit(event) }
  }

  /// Whether a hotkey consumes the last press, which came from that device.
  private func isConsumed(on device: DeviceID) -> Bool {
    guard let mayConsume else { return true }
    return matcher.hasConsumer { mayConsume($0, device) }
  }

  var willReleaseKeys: ((DeviceID, EventTime) -> Void)?

  /// The state of the device's keys is unknown: releases the hotkeys they hold, without acting.
  func cancelHotkeys(of device: DeviceID, at time: EventTime) {
    willReleaseKeys?(device, time)
    guard hasHotkeys else { return }
    matcher.cancel(device, at: time) { note($0) }
    reportHotkeys()
  }

  /// The same for all keys.
  func cancelHotkeys(at time: EventTime) {
    matcher.cancel(at: time) { note($0) }
    reportHotkeys()
  }

  /// Reports the queued hotkeys, including those queued meanwhile.
  func reportHotkeys() {
    var index = 0
    while index < waiting.count {
      let (event, listener) = waiting[index]
      // released after its call, not while the queue is being emptied
      waiting[index].listener = nil
      index += 1
      guard case .hotkey(let left)? = screen(.hotkey(event)) else { continue }
      listener?.handler(left)
      emit(.hotkey(left))
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Reports an event that the local monitors have already seen.
  func emit(_ event: InputEvent) {
    let kind = event.mask
    for entry in handlers where entry.mask.contains(kind) && !entry.isRemoved {
      entry.handler(event)
    }
  }

  /// Whether to compute the evidence in each frame.
  var wantsEvidence: Bool { onEvidence != nil && !isMute }

  func route(_ output: RecognizerOutput) {
    switch output {
    case .gesture(let gesture):
      // fingers that lie still on the pad do nothing with the modifier
      if hasHotkeys, gesture.begins, gesture.kind != .hold { matcher.spoilTap() }
      deliver(InputEvent.gesture(gesture))
    case .decision(let decision): if !isMute { onDecision?(decision) }
    }
  }
}

extension InputEvent {
  fileprivate var isRepeat: Bool {
    if case .key(let key) = self { key.state == .repeat } else { false }
  }
}

extension Session {
  /// The events in `mask` from now on, for `for await` in a task.
  ///
  /// Whatever feeds the session runs elsewhere, and does not wait for the task. The sequence ends
  /// when the session is deallocated, and not at ``finish()``, as the session can be used again.
  public func events(matching mask: EventMask = .all) -> BufferedEvents<InputEvent> {
    buffered(mask) { $0 }
  }

  /// The gestures from now on, for `for await` in a task. They end as ``events(matching:)`` do.
  public func gestures() -> BufferedEvents<GestureEvent> {
    buffered(.gesture) { $0.gesture }
  }

  private func buffered<Element>(
    _ mask: EventMask, _ element: @escaping (InputEvent) -> Element?
  ) -> BufferedEvents<Element> {
    let (events, intake) = BufferedEvents<Element>.make()
    var token: HandlerToken?
    let handler = addHandler(matching: mask) { event in
      guard let element = element(event), !intake.offer(element) else { return }
      token?.remove()
    }
    token = handler
    sequences.add(intake, handler)
    return events
  }
}

extension Session {
  /// Calls `handler` inline whenever `hotkey` is pressed, repeated and released;
  /// ``GlissEvents/HotkeyEvent/shouldAct`` says when to act.
  ///
  /// Hotkeys come after the local monitors and before the handlers: an event that a monitor
  /// swallows matches no hotkey, and handlers of hotkey events (``GlissEvents/EventMask/hotkey``)
  /// are called after the hotkey's own handler. A process can withhold keys only from itself, so
  /// handlers see the keys of hotkeys too, unless ``keepsHotkeyKeys`` is set.
  ///
  /// A hotkey with a character, such as `super+'ö'`, acts only with a layout: `LiveDevices` sets
  /// that of the session it runs into; for other sources and for followers set `keyTranslator`. It
  /// is declared in `GlissDevices`: the product `Gliss` has it, and `GlissRecognition` does not.
  ///
  /// - Parameters:
  ///   - mode: the mode it is active in; without one it is active while no mode is.
  ///   - owner: the name reported to others that want the same keys.
  ///   - consuming: whether its keys are withheld from the rest of the desktop, if the session's
  ///     source can do that.
  /// - Returns: its number, which its events carry.
  /// - Throws: ``GlissHotkeys/HotkeyError/taken(_:by:)``,
  ///   ``GlissHotkeys/HotkeyError/notConsumable(_:)``.
  @discardableResult
  public func registerHotkey(
    _ hotkey: Hotkey, mode: String? = nil, owner: String = "this program", consuming: Bool = false,
    _ handler: @escaping (HotkeyEvent) -> Void
  ) throws(HotkeyError) -> HotkeyID {
    let id = try handlers.register(
      hotkey, owner: owner, mode: mode, consumes: consuming, handler)
    if consuming { consumptionDidChange?() }
    return id
  }

  /// As ``registerHotkey(_:mode:owner:consuming:_:)``, for a hotkey given as text
  /// (docs/hotkeys.md).
  @discardableResult
  public func registerHotkey(
    _ text: String, mode: String? = nil, owner: String = "this program", consuming: Bool = false,
    _ handler: @escaping (HotkeyEvent) -> Void
  ) throws(HotkeyError) -> HotkeyID {
    try registerHotkey(
      try Hotkey(text), mode: mode, owner: owner, consuming: consuming, handler)
  }

  /// Unregisters a hotkey, and releases it if it is held; `false` if it does not exist. A handler
  /// may call this.
  @discardableResult
  public func unregisterHotkey(_ id: HotkeyID) -> Bool {
    defer { reportWaitingHotkeys() }
    let consumes = hotkeyTable[id]?.consumes ?? false
    let isGone = handlers.unregister(id, at: lastTime)
    handlers.named?.forget(id)
    if consumes { consumptionDidChange?() }
    return isGone
  }

  /// All registered hotkeys, in the order they were registered.
  public var hotkeys: [RegisteredHotkey] { hotkeyTable.all }
  package var hotkeyTable: HotkeyTable { handlers.matcher.table }

  /// Whether handlers do not see keys, buttons and wheel notches that belong to a hotkey, from
  /// press to release. A modifier belongs to one only as its key, as in `super+rightshift`. Set this
  /// before events come.
  public var keepsHotkeyKeys: Bool {
    get { handlers.keepsKeys }
    set { handlers.keepsKeys = newValue }
  }

  /// Whether a consuming hotkey consumes the keys of that device; `nil` if each consumes all keys.
  package var mayConsume: ((HotkeyID, DeviceID) -> Bool)? {
    get { handlers.mayConsume }
    set { handlers.mayConsume = newValue }
  }

  /// The current mode; `nil` without one.
  public var hotkeyMode: String? { handlers.matcher.mode }
  /// When the sequence of chords under way times out; `nil` if none is under way.
  package var sequenceDeadline: EventTime? { handlers.matcher.deadline }

  /// Called inline when Escape has left the mode, but not after ``leaveHotkeyMode()``.
  public var didLeaveHotkeyMode: (() -> Void)? {
    get { handlers.didLeaveMode }
    set { handlers.didLeaveMode = newValue }
  }

  /// Activates only the hotkeys of `mode` until it is left; returns `false`, and changes nothing,
  /// if it has none.
  @discardableResult
  public func enterHotkeyMode(_ mode: String) -> Bool { handlers.matcher.enter(mode: mode) }

  /// Activates the hotkeys without a mode again.
  public func leaveHotkeyMode() { handlers.matcher.leaveMode() }
}

extension Session: NamesHotkeys {
  /// The named hotkeys of this session.
  public var named: NamedHotkeys<HotkeyError> {
    if let named = handlers.named { return named }
    let named = NamedHotkeys<HotkeyError>(
      parse: { (text) throws(HotkeyError) in try Hotkey(text) },
      register: { [weak self] (hotkey, name, terms, handler) throws(HotkeyError) in
        // without the session there is nothing to register with, and nothing is reported
        guard let self else { return HotkeyID(rawValue: 0) }
        return try registerHotkey(
          hotkey, mode: terms.mode, owner: name.rawValue, consuming: terms.consuming, handler)
      },
      unregister: { [weak self] in self?.unregisterHotkey($0) })
    handlers.named = named
    return named
  }
}
