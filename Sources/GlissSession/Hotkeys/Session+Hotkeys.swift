public import GlissEvents
public import GlissHotkeys

extension Session {
  /// Calls `handler` inline whenever `hotkey` is pressed, held and released; ``GlissEvents/HotkeyEvent/acts`` says when
  /// to act.
  ///
  /// Hotkeys come after the local monitors and before the handlers: what a monitor swallows matches none, and handlers
  /// of hotkeys (``GlissEvents/EventMask/hotkey``) are told of each after its own handler. A process can keep keys from
  /// nobody but itself, so that handlers see the keys of hotkeys too, unless ``keepsHotkeyKeys`` says otherwise.
  ///
  /// - Parameters:
  ///   - mode: the mode it holds in; without one it holds while no mode is entered.
  ///   - owner: the name that those who want the same keys are told.
  ///   - consuming: its keys are kept from the rest of the desktop, where whoever feeds the session can do that.
  /// - Returns: its number, which is in its events.
  /// - Throws: ``GlissHotkeys/HotkeyError/taken(_:by:)``, ``GlissHotkeys/HotkeyError/notConsumable(_:)``.
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

  /// As ``registerHotkey(_:mode:owner:consuming:_:)`` for a hotkey as text (docs/hotkeys.md).
  @discardableResult
  public func registerHotkey(
    _ text: String, mode: String? = nil, owner: String = "this program", consuming: Bool = false,
    _ handler: @escaping (HotkeyEvent) -> Void
  ) throws(HotkeyError) -> HotkeyID {
    try registerHotkey(
      try Hotkey(text), mode: mode, owner: owner, consuming: consuming, handler)
  }

  /// Takes a hotkey away, with its release if it is held; `false` where it is not there. A handler may do so.
  @discardableResult
  public func unregisterHotkey(_ id: HotkeyID) -> Bool {
    defer { tellWaitingHotkeys() }
    let consumes = hotkeyDesk.table[id]?.consumes ?? false
    let isGone = hotkeyDesk.unregister(id, at: lastTime)
    if consumes { consumptionDidChange?() }
    return isGone
  }

  /// All that are registered, with their owners.
  public var hotkeys: HotkeyTable { hotkeyDesk.table }

  /// Keys, buttons and notches that belong to a hotkey are told to no handler, whole presses of them. Modifiers never
  /// belong. Set before events come.
  public var keepsHotkeyKeys: Bool {
    get { hotkeyDesk.keepsKeys }
    set { hotkeyDesk.keepsKeys = newValue }
  }

  /// For a handler that goes by hotkeys of its own: the key whose press it is being told is kept from the rest of the
  /// desktop, from press to release, where whoever feeds the session can do that.
  public func keepKey() { keepsKey = true }

  /// The mode that was entered last and not left; `nil` where there is none.
  public var hotkeyMode: String? { hotkeyDesk.mode }

  /// Called inline where Escape has left the mode; not where ``leaveHotkeyMode()`` has.
  public var didLeaveHotkeyMode: (() -> Void)? {
    get { hotkeyDesk.didLeaveMode }
    set { hotkeyDesk.didLeaveMode = newValue }
  }

  /// Lets only the hotkeys of `mode` hold, until it is left; `false`, and no change, where it has none.
  @discardableResult
  public func enterHotkeyMode(_ mode: String) -> Bool { hotkeyDesk.enter(mode: mode) }

  /// Lets the hotkeys without a mode hold again.
  public func leaveHotkeyMode() { hotkeyDesk.leaveMode() }
}
