import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// A hotkey in a mode, whichever rules want it.
struct HotkeyWish: Hashable {
  var hotkey: Hotkey
  var mode: String?
  /// The rest of the desktop does not get it.
  var consumes: Bool
}

/// What rules want to hear of, and which they are.
struct FeedDemand {
  /// In the order of the file.
  private(set) var wishes: [HotkeyWish] = []
  /// By wish: the rules that want it.
  private(set) var rules: [HotkeyWish: [Int]] = [:]
  private(set) var gestureRules: [Int] = []
  /// Those of them that ask for what is held on the keyboard.
  private(set) var modifierRules: [Int] = []
  /// Those of which some action presses keys.
  private(set) var pressRules: [Int] = []
  /// Hotkeys of some keyboards only, which cannot be had where the keyboard is not told.
  private(set) var keyboardRules: [Int] = []
  /// Modes in which no hotkey holds: only Escape leaves some of them.
  private(set) var bareModes: [String] = []
  /// Modes that some rule of their own leaves.
  private(set) var modesWithExit: Set<String> = []
  var configuration: Configuration

  /// - Parameter tellsKeyboards: a hotkey's event says on which keyboard it was.
  init(_ configuration: Configuration, tellsKeyboards: Bool) {
    self.configuration = configuration
    let consumed = Self.consumed(configuration, tellsKeyboards)
    for (index, rule) in configuration.rules.enumerated() {
      if rule.pressesKeys { pressRules.append(index) }
      if let mode = rule.mode, rule.leavesItsMode { modesWithExit.insert(mode) }
      switch rule.trigger {
      case .gesture(let condition):
        gestureRules.append(index)
        if condition.modifiers != nil { modifierRules.append(index) }
      case .hotkey(let condition):
        guard tellsKeyboards || rule.device == nil else {
          keyboardRules.append(index)
          continue
        }
        let plain = HotkeyWish(hotkey: condition.hotkey, mode: rule.mode, consumes: false)
        add(consumed[plain] ?? plain, index)
      }
    }
    bareModes = Self.modes(configuration).subtracting(wishes.compactMap(\.mode)).sorted()
  }

  /// Those that rules hold in or enter.
  private static func modes(_ configuration: Configuration) -> Set<String> {
    var modes: Set<String> = []
    for rule in configuration.rules {
      if let mode = rule.mode { modes.insert(mode) }
      rule.reactions.forEachAction { action in
        if case .mode(let mode?) = action.verb { modes.insert(mode) }
      }
    }
    return modes
  }

  /// Whether keys are to be kept from the desktop.
  var consumes: Bool { wishes.contains(where: \.consumes) }

  /// Those of which one rule at least wants that the others do not get them: they are registered once.
  private static func consumed(
    _ configuration: Configuration, _ tellsKeyboards: Bool
  ) -> [HotkeyWish: HotkeyWish] {
    var found: [HotkeyWish: HotkeyWish] = [:]
    for rule in configuration.rules where tellsKeyboards || rule.device == nil {
      guard case .hotkey(let condition) = rule.trigger, condition.consumes else { continue }
      let plain = HotkeyWish(hotkey: condition.hotkey, mode: rule.mode, consumes: false)
      var wish = plain
      wish.consumes = true
      found[plain] = wish
    }
    return found
  }

  private mutating func add(_ wish: HotkeyWish, _ rule: Int) {
    if rules[wish] == nil { wishes.append(wish) }
    rules[wish, default: []].append(rule)
  }

  /// The rules, as a sentence begins with them: no more of them than can be read.
  func names(_ rules: [Int]) -> String {
    let shown = rules.prefix(3).map { configuration.rules[$0].label }.joined(separator: ", ")
    return rules.count > 3 ? "\(shown) and \(rules.count - 3) more" : shown
  }

  func names(_ wish: HotkeyWish) -> String { names(rules[wish] ?? []) }
}

extension Rule {
  fileprivate var pressesKeys: Bool {
    var found = false
    reactions.forEachAction { if case .keys = $0.verb { found = true } }
    return found
  }
}

extension Rule {
  fileprivate var leavesItsMode: Bool {
    var found = false
    reactions.forEachAction { if case .mode(let next) = $0.verb, next != mode { found = true } }
    return found
  }
}

/// What a feed tells.
enum FeedEvent {
  case gesture(GestureEvent, stream: Int, modifiers: Modifiers)
  case hotkey(HotkeyEvent)
  /// Escape has left the mode.
  case modeLeft
  case added(RuleDevice)
  case removed(DeviceID, at: EventTime)
  /// Events of the device with that name were dropped.
  case lost(LossEvent, device: String)
  /// Nothing of what is under way will be heard of any more.
  case interrupted(at: EventTime)
}

/// Where input comes from: the broker, or devices of our own.
protocol Feed: AnyObject {
  /// Called for all that happens, inline.
  var didHear: ((FeedEvent) -> Void)? { get set }
  /// Called when ``hotkeys``, ``problems`` or ``isConnected`` have changed.
  var didChange: (() -> Void)? { get set }

  /// The numbers that hotkeys have in events.
  var hotkeys: [HotkeyWish: HotkeyID] { get }
  /// What rules need and do not have, with what to do.
  var problems: [String] { get }
  /// Whether input comes at all.
  var isConnected: Bool { get }
  /// Keyboards that this process has grabbed.
  var grabbed: [String] { get }
  /// The word in the status.
  var route: String { get }
  /// Whether hotkeys come with the keyboard they were pressed on.
  static var tellsKeyboards: Bool { get }
  /// Whether recognizer settings of rules and profiles count: they do where the devices are ours.
  var appliesSettings: Bool { get }

  /// Hears of what `demand` asks for from now on, and of nothing else; what it has asked for before goes on without a
  /// gap.
  func follow(_ demand: FeedDemand)
  /// Lets the hotkeys of `mode` hold, and no others.
  func enterMode(_ mode: String?)
  /// Presses keys without waiting; `nil` where somebody else has to be asked.
  var press: PressChords? { get }
  /// What is held on the keyboard, where that is known.
  var modifiers: Modifiers { get }

  var deadline: EventTime? { get }
  func advance(to time: EventTime)
}
