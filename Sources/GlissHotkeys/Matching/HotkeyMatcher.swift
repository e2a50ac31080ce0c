public import GlissEvents

/// Keys, buttons and wheels in, hotkeys out: a table of them and where the keys of a seat have led to.
///
/// It has no clock: events bring their time, which must not go back, and between them ``advance(to:)`` lets it pass. An
/// event costs a few lookups, however many hotkeys there are, and allocates nothing.
public struct HotkeyMatcher: Sendable {
  /// An inline receiver of hotkeys.
  public typealias Emit = (HotkeyEvent) -> Void

  /// Who has which hotkeys.
  public private(set) var table = HotkeyTable()
  private var machine: HotkeyMachine
  private var entered: String?

  public init(configuration: HotkeyConfiguration = HotkeyConfiguration()) {
    machine = HotkeyMachine(configuration)
  }

  // MARK: Registering

  /// As ``HotkeyTable/register(_:owner:mode:consumes:)``.
  public mutating func register(
    _ hotkey: Hotkey, owner: String, mode: String? = nil, consumes: Bool = false
  ) throws(HotkeyError) -> HotkeyID {
    try table.register(hotkey, owner: owner, mode: mode, consumes: consumes)
  }

  /// Takes a hotkey away, with its release if it is held; `false` where it is not there.
  @discardableResult public mutating func unregister(
    _ id: HotkeyID, at time: EventTime, emit: Emit
  ) -> Bool {
    guard table.unregister(id) else { return false }
    machine.unregistered(id, at: time, emit: emit)
    // a mode without hotkeys is none
    if let mode, table.root(of: mode) != machine.root { leaveMode() }
    return true
  }

  // MARK: Events

  /// Takes in a key; whether it belongs to a hotkey and may be kept from others, as the whole press then does.
  public mutating func process(_ event: KeyEvent, emit: Emit) -> Bool {
    machine.process(event, in: table, emit: emit)
  }

  /// Whether the press of a key that was taken in last is to be kept from the rest of the desktop, and its repeats and
  /// release with it.
  public var isConsumed: Bool { machine.isConsumed }

  /// Takes in a button; whether it belongs to a hotkey and may be kept from others.
  public mutating func process(_ event: ButtonEvent, emit: Emit) -> Bool {
    machine.process(event, in: table, emit: emit)
  }

  /// Takes in a wheel's turn; whether it belongs to a hotkey and may be kept from others.
  public mutating func process(_ event: ScrollEvent, emit: Emit) -> Bool {
    machine.process(event, in: table, emit: emit)
  }

  /// When ``advance(to:)`` must be called if no event comes first; `nil` while no sequence waits.
  public var deadline: EventTime? { machine.deadline }

  /// Lets time pass: a sequence that waits no longer ends.
  public mutating func advance(to time: EventTime) { machine.advance(to: time) }

  /// The input ended, lost something, or the session was locked: hotkeys that are held get their release, which is none
  /// to act on, and a sequence that waits ends. Keys that belonged to a hotkey still do until they go up.
  public mutating func cancel(at time: EventTime, emit: Emit) {
    machine.cancel(at: time, emit: emit)
  }

  /// As ``cancel(at:emit:)`` for one device, which is gone or has lost something; what others hold stays held.
  public mutating func cancel(_ device: DeviceID, at time: EventTime, emit: Emit) {
    machine.cancel(device, at: time, emit: emit)
  }

  /// The modifiers that are down, for the next button or wheel. Keys tell them with every event; who keeps some of those
  /// back says it here.
  public mutating func hold(_ modifiers: Modifiers) { machine.modifiers = modifiers }

  // MARK: Modes

  /// The mode that was entered last and not left; only its hotkeys hold. `nil` where there is none.
  public var mode: String? { machine.root == .base ? nil : entered }

  /// The mode that the key that was taken in last has left, being Escape; `nil` where it has left none.
  public var leftMode: String? { machine.hasLeftMode ? entered : nil }

  /// Whether Escape leaves a mode. Otherwise it is a key as others are there, which belongs to nothing; a sequence that
  /// waits it ends, as any key that does not go on.
  public var escapeLeavesMode: Bool {
    get { machine.abortLeavesMode }
    set { machine.abortLeavesMode = newValue }
  }

  /// Lets only the hotkeys of `mode` hold; `false`, and no change, where it has none. Hotkeys that are held stay so until
  /// their key goes up.
  @discardableResult public mutating func enter(mode: String) -> Bool {
    guard let root = table.root(of: mode) else { return false }
    entered = mode
    machine.enter(root)
    return true
  }

  /// Lets the hotkeys without a mode hold again.
  public mutating func leaveMode() {
    entered = nil
    machine.enter(.base)
  }
}
