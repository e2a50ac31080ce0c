public import GlissEvents
public import GlissHotkeys

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

  /// The current mode; `nil` without one.
  public var hotkeyMode: String? { handlers.matcher.mode }

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
