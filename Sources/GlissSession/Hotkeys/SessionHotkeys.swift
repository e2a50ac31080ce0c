public import GlissEvents
public import GlissHotkeys

final class SessionHotkeys {
  typealias Handler = (HotkeyEvent) -> Void

  /// Wraps a closure: a bare one in a dictionary or optional would be wrapped again, on the heap,
  /// each time it is taken out.
  struct Listener {
    let handler: Handler
  }

  /// A matched event and its handler, which may be unregistered before the event is delivered.
  private struct Waiting {
    var event: HotkeyEvent
    var listener: Listener?
  }

  /// Keys that belong to a hotkey are reported to nobody else.
  var keepsKeys = false
  /// A hotkey has been registered at some time: keys that belonged to it may still be down.
  private(set) var isInUse = false
  /// The named hotkeys, once somebody has used them.
  var named: NamedHotkeys<HotkeyError>?
  /// Called when Escape has left the mode.
  var didLeaveMode: (() -> Void)?
  @exclusivity(unchecked) var matcher: HotkeyMatcher
  @exclusivity(unchecked) private var listeners: [HotkeyID: Listener] = [:]
  @exclusivity(unchecked) private var waiting: [Waiting] = []

  init(_ configuration: HotkeyConfiguration) {
    matcher = HotkeyMatcher(configuration: configuration)
  }

  // MARK: Registering

  func register(
    _ hotkey: Hotkey, owner: String, mode: String?, consumes: Bool, _ handler: @escaping Handler
  ) throws(HotkeyError) -> HotkeyID {
    let id = try matcher.register(hotkey, owner: owner, mode: mode, consumes: consumes)
    listeners[id] = Listener(handler: handler)
    isInUse = true
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

  // MARK: Events

  /// Whether `event` belongs to a hotkey. Matched events are queued.
  func match(_ event: InputEvent, held modifiers: Modifiers) -> Bool {
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

  /// The state of the device's keys is unknown.
  func cancel(_ device: DeviceID, at time: EventTime) {
    matcher.cancel(device, at: time) { note($0) }
  }

  /// The state of all keys is unknown.
  func cancel(at time: EventTime) {
    matcher.cancel(at: time) { note($0) }
  }

  // MARK: Reporting

  private func note(_ event: HotkeyEvent) {
    waiting.append(Waiting(event: event, listener: listeners[event.hotkey]))
  }

  var hasWaiting: Bool { !waiting.isEmpty }

  /// Delivers the queued events, including those queued meanwhile.
  func takeWaiting(_ report: (HotkeyEvent, Listener?) -> Void) {
    var index = 0
    while index < waiting.count {
      let next = waiting[index]
      // released after its call, not while the queue is being emptied
      waiting[index].listener = nil
      index += 1
      report(next.event, next.listener)
    }
    waiting.removeAll(keepingCapacity: true)
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
    let id = try sessionHotkeys.register(
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
    let isGone = sessionHotkeys.unregister(id, at: lastTime)
    if consumes { consumptionDidChange?() }
    return isGone
  }

  /// All registered hotkeys, in the order they were registered.
  public var hotkeys: [RegisteredHotkey] { hotkeyTable.all }
  package var hotkeyTable: HotkeyTable { sessionHotkeys.matcher.table }

  /// Whether handlers do not see keys, buttons and wheel notches that belong to a hotkey, from
  /// press to release. A modifier belongs to one only as its key, as in `super+rightshift`. Set this
  /// before events come.
  public var keepsHotkeyKeys: Bool {
    get { sessionHotkeys.keepsKeys }
    set { sessionHotkeys.keepsKeys = newValue }
  }

  /// For a handler that matches hotkeys of its own: withholds the key whose press it is handling
  /// from the rest of the desktop, from press to release, if the session's source can do that.
  package func keepKey() { keepsKey = true }

  /// The current mode; `nil` without one.
  public var hotkeyMode: String? { sessionHotkeys.matcher.mode }

  /// Called inline when Escape has left the mode, but not after ``leaveHotkeyMode()``.
  public var didLeaveHotkeyMode: (() -> Void)? {
    get { sessionHotkeys.didLeaveMode }
    set { sessionHotkeys.didLeaveMode = newValue }
  }

  /// Activates only the hotkeys of `mode` until it is left; returns `false`, and changes nothing,
  /// if it has none.
  @discardableResult
  public func enterHotkeyMode(_ mode: String) -> Bool { sessionHotkeys.matcher.enter(mode: mode) }

  /// Activates the hotkeys without a mode again.
  public func leaveHotkeyMode() { sessionHotkeys.matcher.leaveMode() }
}

extension Session: NamesHotkeys {
  /// The named hotkeys of this session.
  public var named: NamedHotkeys<HotkeyError> {
    if let named = sessionHotkeys.named { return named }
    let named = NamedHotkeys(
      NamedHotkeys<HotkeyError>.Registrar(
        parse: { (text) throws(HotkeyError) in try Hotkey(text) },
        register: { [weak self] (hotkey, terms, handler) throws(HotkeyError) in
          // without the session there is nothing to register with, and nothing is reported
          guard let self else { return HotkeyID(rawValue: 0) }
          return try registerHotkey(
            hotkey, mode: terms.mode, consuming: terms.consuming, handler)
        },
        unregister: { [weak self] in self?.unregisterHotkey($0) }))
    sessionHotkeys.named = named
    return named
  }
}
