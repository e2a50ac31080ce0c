public import GlissEvents
public import GlissHotkeys

extension Session {
  /// Calls `handler` inline whenever `hotkey` is pressed, repeated and released;
  /// ``GlissEvents/HotkeyEvent/acts`` says when to act.
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
    let id = try hotkeyDesk.register(
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
    defer { tellWaitingHotkeys() }
    let consumes = hotkeyDesk.table[id]?.consumes ?? false
    let isGone = hotkeyDesk.unregister(id, at: lastTime)
    if consumes { consumptionDidChange?() }
    return isGone
  }

  /// All registered hotkeys, with their owners.
  public var hotkeys: HotkeyTable { hotkeyDesk.table }

  /// Whether handlers do not see keys, buttons and wheel notches that belong to a hotkey, from
  /// press to release. Modifiers never belong to one. Set this before events come.
  public var keepsHotkeyKeys: Bool {
    get { hotkeyDesk.keepsKeys }
    set { hotkeyDesk.keepsKeys = newValue }
  }

  /// For a handler that matches hotkeys of its own: withholds the key whose press it is handling
  /// from the rest of the desktop, from press to release, if the session's source can do that.
  public func keepKey() { keepsKey = true }

  /// The current mode; `nil` if there is none.
  public var hotkeyMode: String? { hotkeyDesk.mode }

  /// Called inline when Escape has left the mode, but not after ``leaveHotkeyMode()``.
  public var didLeaveHotkeyMode: (() -> Void)? {
    get { hotkeyDesk.didLeaveMode }
    set { hotkeyDesk.didLeaveMode = newValue }
  }

  /// Activates only the hotkeys of `mode` until it is left; returns `false`, and changes nothing,
  /// if it has none.
  @discardableResult
  public func enterHotkeyMode(_ mode: String) -> Bool { hotkeyDesk.enter(mode: mode) }

  /// Activates the hotkeys without a mode again.
  public func leaveHotkeyMode() { hotkeyDesk.leaveMode() }
}
