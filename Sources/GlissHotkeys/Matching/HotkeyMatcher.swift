package import GlissEvents

/// Turns keys, buttons and wheels into hotkeys: a table of hotkeys, and the current position of a
/// seat's keys in it.
///
/// It has no clock. Events carry their time, which must not go back; between them ``advance(to:)``
/// advances it. An event costs a few lookups, however many hotkeys there are, and allocates
/// nothing.
package struct HotkeyMatcher: Sendable {
  /// Receives hotkey events, called inline.
  package typealias Emit = (HotkeyEvent) -> Void

  /// The registered hotkeys and their owners.
  package private(set) var table = HotkeyTable()
  private var machine: HotkeyMachine {
    // Calling a getter in another module would make a session copy the whole matcher.
    didSet {
      deadline = machine.deadline
      isConsumed = machine.isConsumed
      hasLeftMode = machine.hasLeftMode
    }
  }
  private var entered: String?

  /// A matcher without hotkeys, with the given times and abort key.
  package init(configuration: HotkeyConfiguration = HotkeyConfiguration()) {
    machine = HotkeyMachine(configuration)
  }

  // MARK: Registering

  /// As ``HotkeyTable/register(_:owner:mode:consumes:)``.
  package mutating func register(
    _ hotkey: Hotkey, owner: String, mode: String? = nil, consumes: Bool = false
  ) throws(HotkeyError) -> HotkeyID {
    try table.register(hotkey, owner: owner, mode: mode, consumes: consumes)
  }

  /// Unregisters a hotkey, and releases it if it is held; `false` if it does not exist.
  @discardableResult package mutating func unregister(
    _ id: HotkeyID, at time: EventTime, emit: Emit
  ) -> Bool {
    guard table.unregister(id) else { return false }
    machine.unregistered(id, at: time, emit: emit)
    // A mode without hotkeys does not exist.
    if let mode, table.root(of: mode) != machine.root { leaveMode() }
    return true
  }

  // MARK: Events

  /// Processes a key. Returns whether it belongs to a hotkey and may be withheld from others; the
  /// whole press then does.
  package mutating func process(_ event: KeyEvent, emit: Emit) -> Bool {
    machine.process(event, in: table, emit: emit)
  }

  /// Whether the last press or wheel turn must be withheld from the rest of the desktop, a press
  /// with its repeats and release.
  package private(set) var isConsumed = false

  /// Processes a button. Returns whether it belongs to a hotkey and may be withheld from others.
  package mutating func process(_ event: ButtonEvent, emit: Emit) -> Bool {
    machine.process(event, in: table, emit: emit)
  }

  /// Processes a wheel turn. Returns whether it belongs to a hotkey and may be withheld from
  /// others.
  package mutating func process(_ event: ScrollEvent, emit: Emit) -> Bool {
    machine.process(event, in: table, emit: emit)
  }

  /// Something was pressed that is not processed here: a modifier that is down is not tapped alone.
  package mutating func spoilTap() { machine.spoilTap() }

  /// When ``advance(to:)`` must be called if no event comes first; `nil` while no sequence is
  /// waiting.
  package private(set) var deadline: EventTime?

  /// Advances the clock: a sequence whose timeout has passed ends.
  package mutating func advance(to time: EventTime) { machine.advance(to: time) }

  /// The input ended, lost events, or the session was locked: held hotkeys are released without
  /// acting, and a waiting sequence ends. Keys that belonged to a hotkey still do until they go up.
  package mutating func cancel(at time: EventTime, emit: Emit) {
    machine.cancel(at: time, emit: emit)
  }

  /// As ``cancel(at:emit:)`` for one device, which is gone or has lost events. Hotkeys held on
  /// other devices stay held.
  package mutating func cancel(_ device: DeviceID, at time: EventTime, emit: Emit) {
    machine.cancel(device, at: time, emit: emit)
  }

  /// Sets the modifiers that are down, for the next button or wheel. Every key event reports them;
  /// a caller that withholds some of those sets them here.
  package mutating func hold(_ modifiers: Modifiers) { machine.modifiers = modifiers }

  // MARK: Modes

  /// The current mode, in which only its own hotkeys are active; `nil` without one.
  package var mode: String? { machine.root == .base ? nil : entered }

  /// Whether the last key left a mode, because it was Escape.
  package private(set) var hasLeftMode = false

  /// The mode that the last key left, if that key was Escape; `nil` if it left none.
  package var leftMode: String? { hasLeftMode ? entered : nil }

  /// Whether Escape leaves a mode. If not, it is an ordinary key in modes and belongs to nothing.
  /// It still ends a waiting sequence, like any key that does not continue it.
  package var escapeLeavesMode: Bool {
    get { machine.abortLeavesMode }
    set { machine.abortLeavesMode = newValue }
  }

  /// Activates only the hotkeys of `mode`; returns `false`, and changes nothing, if it has none.
  /// Held hotkeys stay held until their key goes up.
  @discardableResult package mutating func enter(mode: String) -> Bool {
    guard let root = table.root(of: mode) else { return false }
    entered = mode
    machine.enter(root)
    return true
  }

  /// Activates the hotkeys without a mode again.
  package mutating func leaveMode() {
    entered = nil
    machine.enter(.base)
  }
}

/// Converts a wheel's degrees into notches.
struct NotchCounter {
  /// A continuous turn in one direction.
  struct Turn: Equatable {
    var device: DeviceID
    var direction: WheelDirection
    var modifiers: Modifiers
  }

  private enum State {
    case still
    /// The wheel has turned less than a notch since the last one.
    case turning(Turn, degrees: Double)
  }

  /// libinput's notch; finer wheels report parts of it.
  static let notch = 15.0
  /// The most notches one event counts for: no wheel turns faster, and a broken one must not flood.
  static let most = 10

  private var state = State.still

  /// The number of notches completed by another `degrees`, which must be above 0.
  mutating func turn(_ turn: Turn, by degrees: Double) -> Int {
    // A step of a whole notch or more counts as is: some wheels have wider notches.
    if degrees >= Self.notch {
      state = .still
      return Int(min(Double(Self.most), (degrees / Self.notch).rounded()))
    }
    let total =
      switch state {
      case .turning(turn, let before): before + degrees
      case .turning, .still: degrees
      }
    // Parts of a notch do not add up to it exactly.
    let isWhole = total >= Self.notch - 0.01
    state = .turning(turn, degrees: isWhole ? max(0, total - Self.notch) : total)
    return isWhole ? 1 : 0
  }

  mutating func reset() { state = .still }
}

extension WheelDirection {
  /// The direction and degrees of a turn, along the axis with the larger turn.
  static func of(_ scroll: ScrollEvent) -> (direction: WheelDirection, degrees: Double)? {
    switch scroll.source {
    case .finger, .continuous: return nil
    case .wheel: break
    }
    let (x, y) = (scroll.delta.x, scroll.delta.y)
    guard x.isFinite, y.isFinite, x != 0 || y != 0 else { return nil }
    if abs(y) >= abs(x) { return (y < 0 ? .up : .down, abs(y)) }
    return (x < 0 ? .left : .right, abs(x))
  }
}
