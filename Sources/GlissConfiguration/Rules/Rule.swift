package import GlissEvents
package import GlissHotkeys

/// A trigger, and what to do when it occurs.
package struct Rule: Hashable, Sendable {
  /// The user's name for it, also used by logs and `gliss why`.
  package var name: String?
  package var trigger: Trigger
  /// The mode in which it applies. If `nil`, it applies while no mode is active.
  package var mode: String?
  package var device: DeviceMatch?
  /// The applications that must have the focus, or be under the pointer; `nil` to apply always.
  package var application: ApplicationMatch?
  package var reactions: Reactions
  package var place: Place

  package enum Trigger: Hashable, Sendable {
    // indirect, because it is large and rules are copied
    indirect case gesture(GestureCondition)
    case hotkey(HotkeyCondition)
  }

  package init(
    name: String? = nil, trigger: Trigger, mode: String? = nil, device: DeviceMatch? = nil,
    application: ApplicationMatch? = nil, reactions: Reactions, place: Place
  ) {
    self.name = name
    self.trigger = trigger
    self.mode = mode
    self.device = device
    self.application = application
    self.reactions = reactions
    self.place = place
  }
}

extension Rule {
  package var isHotkey: Bool { if case .hotkey = trigger { true } else { false } }

  package var gesture: GestureCondition? {
    if case .gesture(let condition) = trigger { condition } else { nil }
  }

  package var consumesStroke: Bool { gesture?.consumes ?? false }
}

package struct HotkeyCondition: Hashable, Sendable {
  package var hotkey: Hotkey
  package var consumes: Bool

  package init(hotkey: Hotkey, consumes: Bool = false) {
    self.hotkey = hotkey
    self.consumes = consumes
  }
}

/// The devices that a rule or profile applies to. All conditions that are set must hold.
package struct DeviceMatch: Hashable, Sendable {
  /// The device's name, in which `*` matches anything and `?` one character, ignoring case.
  package var name: String?
  /// Vendor and product in hex as written by udev and lsusb: `04f3:0676`.
  package var vendorAndProduct: VendorAndProduct?
  package var kind: Kind?

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case touchpad, touchscreen, keyboard, mouse
  }

  package struct VendorAndProduct: Hashable, Sendable {
    package var vendor: UInt16
    package var product: UInt16

    package init(vendor: UInt16, product: UInt16) {
      self.vendor = vendor
      self.product = product
    }
  }

  package init(name: String? = nil, vendorAndProduct: VendorAndProduct? = nil, kind: Kind? = nil) {
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
package struct Reactions: Hashable, Sendable {
  /// Keys and buttons that are held: from `begin` to `end` or `cancel`; for a hotkey, from press to
  /// release.
  package var hold: [Chord]
  /// How long `end` and the held keys wait for the same gesture to begin again, in ms.
  package var linger: Double?
  package var begin: [Action]
  package var change: [Action]
  package var steps: [Step]
  package var end: [Action]
  package var cancel: [Action]
  package var release: [Action]

  package init(
    hold: [Chord] = [], linger: Double? = nil, begin: [Action] = [], change: [Action] = [],
    steps: [Step] = [],
    end: [Action] = [],
    cancel: [Action] = [], release: [Action] = []
  ) {
    self.hold = hold
    self.linger = linger
    self.begin = begin
    self.change = change
    self.steps = steps
    self.end = end
    self.cancel = cancel
    self.release = release
  }

  package var actions: [Action] {
    let moments = [begin, change, end, cancel, release]
    var all = Array(
      (steps.isEmpty ? moments : moments + steps.flatMap { [$0.forward, $0.back] }).joined())
    var next = 0
    while next < all.count {
      if case .turns(let turns) = all[next].verb { all += turns.joined() }
      next += 1
    }
    return all
  }

  package var hasMove: Bool {
    actions.contains { action in
      if case .move = action.verb { true } else { false }
    }
  }
}

/// Actions that are repeated at fixed intervals along a gesture, and others for the way back.
package struct Step: Hashable, Sendable {
  package var interval: Interval
  /// Done once for every interval that the gesture moves in the rule's direction. Without a
  /// direction, right, down, outward and counterclockwise count as forward.
  package var forward: [Action]
  package var back: [Action]
  package var place: Place

  package struct Interval: Hashable, Sendable {
    package var length: Double
    package var unit: Unit

    package enum Unit: String, Hashable, Sendable {
      case millimetres = "mm"
      /// Of the size at the previous step: 10 % gives steps at 1.1, 1.21 … and 1/1.1, 1/1.21 …
      case percent = "%"
      case degrees = "deg"
      /// Repeated by time, while the gesture continues and the rule's conditions hold.
      case milliseconds = "ms"
    }

    package init(_ length: Double, _ unit: Unit) { (self.length, self.unit) = (length, unit) }
  }

  package init(interval: Interval, forward: [Action], back: [Action], place: Place) {
    self.interval = interval
    self.forward = forward
    self.back = back
    self.place = place
  }
}

package struct Action: Hashable, Sendable {
  package var verb: Verb
  package var place: Place

  package enum Verb: Hashable, Sendable {
    case run(Command)
    /// Chords that are pressed and released one after the other.
    case keys([Chord])
    /// Keys of chords go down, and stay down until the same rule releases them.
    case hold([Chord])
    case letGo([Chord])
    /// Moves the pointer with the fingers, this many times as far. Only for changes of a gesture.
    case move(Double)
    /// Enters a mode; `nil` leaves it.
    case mode(String?)
    /// Takes turns: the first element's actions the first time, then the second's, and so on,
    /// starting over after the last.
    case turns([[Action]])
    case notify(summary: String, body: String?)
    case emit(Emission)
    case desktop(DesktopAction)
  }

  package init(_ verb: Verb, place: Place) {
    self.verb = verb
    self.place = place
  }
}

/// A program to start. Nothing waits for it.
package struct Command: Hashable, Sendable {
  package var program: Program
  /// Its working folder; `~` stands for the home folder. If `nil`, it is the home folder.
  package var folder: String?
  /// Variables added to the agent's environment, in file order.
  package var environment: [Variable]
  /// How many commands started by this action may run at a time. Further ones are not started, and
  /// the log says so.
  package var atOnce: Int?
  /// How long it may run before it is ended with SIGTERM, and 2 s later with SIGKILL.
  package var time: Time

  package enum Time: Hashable, Sendable {
    /// As ``CommandLimits`` says.
    case standard
    case milliseconds(Int)
    case endless
  }

  package enum Program: Hashable, Sendable {
    /// A program and its arguments, taken literally. The program is looked up in the `PATH`.
    case arguments([String])
    /// Passed to `/bin/sh -c` unchanged. Values of the gesture are only in its environment.
    case shell(String)
  }

  package struct Variable: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  package init(
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

package struct Emission: Hashable, Sendable {
  /// An existing FIFO or stream socket; `~` and `$XDG_RUNTIME_DIR` stand for their folders.
  package var path: String
  /// The line. If `nil`, the event itself is written as JSON.
  package var line: String?
}

/// The applications that a rule applies to. All conditions that are set must hold.
///
/// Patterns may contain `*` for anything and `?` for one character; case is ignored. A rule with
/// such conditions does not apply while there is no such window.
package struct ApplicationMatch: Hashable, Sendable {
  /// One of these matches one of the application's names; empty for every application.
  package var only: [String]
  package var not: [String]
  /// One of these matches the window's title; empty for every title.
  package var titles: [String]
  package var window: FollowedWindow

  package init(
    only: [String] = [], not: [String] = [], titles: [String] = [],
    window: FollowedWindow = .focused
  ) {
    self.only = only
    self.not = not
    self.titles = titles
    self.window = window
  }

  /// Whether a window matches.
  ///
  /// - Parameter names: the names of its application, such as app id, class and instance.
  package func fits(names: [FoldedText], title: FoldedText) -> Bool {
    func fits(_ patterns: [String], _ texts: [FoldedText]) -> Bool {
      patterns.contains { pattern in texts.contains { $0.fits(pattern) } }
    }
    if !only.isEmpty, !fits(only, names) { return false }
    if fits(not, names) { return false }
    return titles.isEmpty || fits(titles, [title])
  }
}

/// A text without regard to case, to be compared with many patterns.
package struct FoldedText: Hashable, Sendable {
  /// Not characters, which cost more: a title can be as long as a program likes.
  private let text: [Unicode.Scalar]

  package init(_ text: String) { self.text = Array(text.lowercased().unicodeScalars) }

  /// Whether it matches a pattern in which `*` stands for anything and `?` for one character.
  package func fits(_ pattern: String) -> Bool {
    let pattern = FoldedText(pattern).text
    var (p, t) = (0, 0)
    // the position of the last star, and the end of the text it covers so far
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
        (p, t) = (p + 1, t + 1)
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (p, t) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}

/// The combined contents of the configuration files, after checking.
package struct Configuration: Hashable, Sendable {
  /// The rules in the order they are written, file after file.
  package var rules: [Rule]
  package var settings: [SettingChange] = []
  /// Recognizer settings for some devices. Later profiles override earlier ones.
  package var profiles: [DeviceProfile] = []
  package var limits = CommandLimits()

  package init(rules: [Rule] = []) { self.rules = rules }

  /// Whether it changes settings of the recognizer: for all devices, for some, or for a rule.
  package var hasSettings: Bool {
    !settings.isEmpty || !profiles.isEmpty
      || rules.contains { !($0.gesture?.settings.isEmpty ?? true) }
  }
}

/// A value of ``GestureConfiguration`` that differs from its default. Name and value have been
/// checked.
package struct SettingChange: Hashable, Sendable {
  package var name: String
  package var value: Double

  package init(name: String, value: Double) {
    self.name = name
    self.value = value
  }
}

package struct DeviceProfile: Hashable, Sendable {
  package var match: DeviceMatch
  package var application: ApplicationMatch?
  package var settings: [SettingChange]
}

package struct CommandLimits: Hashable, Sendable {
  /// How many commands may run at a time, whatever started them.
  package var running: Int
  /// How long a command may run, in milliseconds; `nil` for no limit.
  package var milliseconds: Int?

  package init(running: Int = 64, milliseconds: Int? = nil) {
    self.running = running
    self.milliseconds = milliseconds
  }
}

/// A place in a file. Lines and columns are counted from 1, columns in characters.
package struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var file: String
  package var line: Int
  package var column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package static func < (a: Place, b: Place) -> Bool {
    (a.file, a.line, a.column) < (b.file, b.line, b.column)
  }

  package var description: String { "\(file):\(line):\(column)" }
}
