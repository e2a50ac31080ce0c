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
  private(set) var labels: [String] = []
  var configuration: Configuration

  init(_ configuration: Configuration) {
    self.configuration = configuration
    labels = configuration.rules.map(\.label)
    let consumed = Self.consumed(configuration)
    for (index, rule) in configuration.rules.enumerated() {
      switch rule.trigger {
      case .gesture(let condition):
        gestureRules.append(index)
        if condition.modifiers != nil { modifierRules.append(index) }
      case .hotkey(let condition):
        let plain = HotkeyWish(hotkey: condition.hotkey, mode: rule.mode, consumes: false)
        add(consumed[plain] ?? plain, index)
      }
    }
  }

  /// Those of which one rule at least wants that the others do not get them: they are registered once.
  private static func consumed(_ configuration: Configuration) -> [HotkeyWish: HotkeyWish] {
    var found: [HotkeyWish: HotkeyWish] = [:]
    for rule in configuration.rules {
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
    let shown = rules.prefix(3).map { labels[$0] }.joined(separator: ", ")
    return rules.count > 3 ? "\(shown) and \(rules.count - 3) more" : shown
  }

  func names(_ wish: HotkeyWish) -> String { names(rules[wish] ?? []) }
}

/// What a feed tells.
enum FeedEvent {
  case gesture(GestureEvent, stream: Int, modifiers: Modifiers)
  case hotkey(HotkeyEvent)
  case added(RuleDevice)
  case removed(DeviceID, at: EventTime)
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
  /// The word in the status.
  var route: String { get }
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
