public import GlissHotkeys

/// A trigger, and what to do when it occurs.
public struct Rule: Hashable, Sendable {
  /// The user's name for it, also used by logs and `gliss why`.
  public var name: String?
  public var trigger: Trigger
  /// The mode in which it applies. If `nil`, it applies while no mode is active.
  public var mode: String?
  /// The devices whose events count; `nil` for all.
  public var device: DeviceMatch?
  public var reactions: Reactions
  public var place: Place

  /// What triggers a rule.
  public enum Trigger: Hashable, Sendable {
    // indirect, because it is large and rules are copied
    indirect case gesture(GestureCondition)
    case hotkey(HotkeyCondition)
  }

  public init(
    name: String? = nil, trigger: Trigger, mode: String? = nil, device: DeviceMatch? = nil,
    reactions: Reactions, place: Place
  ) {
    self.name = name
    self.trigger = trigger
    self.mode = mode
    self.device = device
    self.reactions = reactions
    self.place = place
  }
}

extension Rule {
  /// Whether its trigger is a hotkey, not a gesture.
  public var isHotkey: Bool {
    switch trigger {
    case .hotkey: true
    case .gesture: false
    }
  }
}

/// A hotkey that triggers a rule.
public struct HotkeyCondition: Hashable, Sendable {
  public var hotkey: Hotkey
  /// The rest of the desktop does not receive the chord.
  public var consumes: Bool

  public init(hotkey: Hotkey, consumes: Bool = false) {
    self.hotkey = hotkey
    self.consumes = consumes
  }
}

/// The devices that a rule or profile applies to. All conditions that are set must hold.
public struct DeviceMatch: Hashable, Sendable {
  /// The device's name, in which `*` matches anything and `?` one character, ignoring case.
  public var name: String?
  /// Vendor and product in hex as written by udev and lsusb: `04f3:0676`.
  public var vendorAndProduct: VendorAndProduct?
  public var kind: Kind?

  /// The kind of device.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case touchpad, touchscreen, keyboard, mouse
  }

  public struct VendorAndProduct: Hashable, Sendable {
    public var vendor: UInt16
    public var product: UInt16

    public init(vendor: UInt16, product: UInt16) {
      self.vendor = vendor
      self.product = product
    }
  }

  public init(
    name: String? = nil, vendorAndProduct: VendorAndProduct? = nil, kind: Kind? = nil
  ) {
    self.name = name
    self.vendorAndProduct = vendorAndProduct
    self.kind = kind
  }
}

/// The actions for each moment of a gesture or hotkey.
///
/// Gestures: `begin` when the rule is engaged, `steps` during the gesture, then either `end` or
/// `cancel` once. It is `cancel` if the gesture was cancelled, or no longer met the rule's
/// conditions when it ended. Taps have only `end`. Hotkeys: `end` when the hotkey acts (on the
/// press, or as its text says), `release` when its key is released after a press.
public struct Reactions: Hashable, Sendable {
  public var begin: [Action]
  public var change: [Action]
  public var steps: [Step]
  public var end: [Action]
  public var cancel: [Action]
  public var release: [Action]

  public init(
    begin: [Action] = [], change: [Action] = [], steps: [Step] = [], end: [Action] = [],
    cancel: [Action] = [], release: [Action] = []
  ) {
    self.begin = begin
    self.change = change
    self.steps = steps
    self.end = end
    self.cancel = cancel
    self.release = release
  }

  /// Calls `body` for every action of every moment.
  package func forEachAction(_ body: (Action) -> Void) {
    for action in begin { body(action) }
    for action in change { body(action) }
    for step in steps {
      for action in step.forward { body(action) }
      for action in step.back { body(action) }
    }
    for action in end { body(action) }
    for action in cancel { body(action) }
    for action in release { body(action) }
  }
}

/// Actions that are repeated at fixed intervals along a gesture, and others for the way back.
public struct Step: Hashable, Sendable {
  public var interval: Interval
  /// Once for every interval that the gesture moves in the rule's direction. Without a direction,
  /// right, down, outward and counterclockwise count as forward.
  public var forward: [Action]
  /// Once for every interval that it moves back.
  public var back: [Action]
  public var place: Place

  /// The distance from one step to the next.
  public enum Interval: Hashable, Sendable {
    case millimetres(Double)
    /// Of the size at which the pinch began: steps of 10 % are at 1.1, 1.2, 1.3 … and 0.9, 0.8 …
    case percent(Double)
    case degrees(Double)
  }

  public init(interval: Interval, forward: [Action], back: [Action], place: Place) {
    self.interval = interval
    self.forward = forward
    self.back = back
    self.place = place
  }
}

/// One thing to do.
public struct Action: Hashable, Sendable {
  public var verb: Verb
  public var place: Place

  public enum Verb: Hashable, Sendable {
    case run(Command)
    /// Chords that are pressed and released one after the other.
    case keys([Chord])
    /// Enters a mode; `nil` leaves it.
    case mode(String?)
    case notify(summary: String, body: String?)
    case emit(Emission)
  }

  public init(_ verb: Verb, place: Place) {
    self.verb = verb
    self.place = place
  }
}

/// A program to start. Nothing waits for it.
public struct Command: Hashable, Sendable {
  public var program: Program
  /// Its working folder; `~` stands for the home folder. If `nil`, it is the home folder.
  public var folder: String?
  /// Variables added to the agent's environment, in file order.
  public var environment: [Variable]
  /// How many commands started by this action may run at a time. Further ones are not started, and
  /// the log says so.
  public var atOnce: Int?
  /// How long it may run before it is ended with SIGTERM, and 2 s later with SIGKILL.
  public var time: Time

  public enum Time: Hashable, Sendable {
    /// As ``CommandLimits`` says.
    case standard
    case milliseconds(Int)
    case endless
  }

  public enum Program: Hashable, Sendable {
    /// A program and its arguments, taken literally. The program is looked up in the `PATH`.
    case arguments([String])
    /// Passed to `/bin/sh -c` unchanged. Values of the gesture are only in its environment.
    case shell(String)
  }

  public struct Variable: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(
    _ program: Program, folder: String? = nil, environment: [Variable] = [], atOnce: Int? = nil,
    time: Time = .standard
  ) {
    self.program = program
    self.folder = folder
    self.environment = environment
    self.atOnce = atOnce
    self.time = time
  }
}

/// A line to write for another program.
public struct Emission: Hashable, Sendable {
  /// An existing FIFO or stream socket; `~` and `$XDG_RUNTIME_DIR` stand for their folders.
  public var path: String
  /// The line. If `nil`, the event itself is written as JSON.
  public var line: String?

  public init(path: String, line: String?) {
    self.path = path
    self.line = line
  }
}
