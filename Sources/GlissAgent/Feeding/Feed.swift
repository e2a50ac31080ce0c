import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// A hotkey in a mode, whichever rules want it.
struct HotkeyRequest: Hashable {
  var hotkey: Hotkey
  var mode: String?
  /// The rest of the desktop does not receive it.
  var consumes: Bool
}

/// The input that rules want, and the rules that want it.
struct InputNeeds {
  /// In file order.
  private(set) var requests: [HotkeyRequest] = []
  /// The rules that want each request.
  private(set) var rules: [HotkeyRequest: [Int]] = [:]
  private(set) var gestureRules: [Int] = []
  /// The gesture rules that depend on keyboard modifiers.
  private(set) var modifierRules: [Int] = []
  /// The rules with an action that presses keys.
  private(set) var pressRules: [Int] = []
  /// Rules for hotkeys of certain keyboards. They cannot work if events do not name the keyboard.
  private(set) var keyboardRules: [Int] = []
  /// Modes without hotkeys. Some can only be left with Escape.
  private(set) var bareModes: [String] = []
  /// Modes that one of their own rules leaves.
  private(set) var modesWithExit: Set<String> = []
  var configuration: Configuration

  /// - Parameter namesKeyboards: whether hotkey events say which keyboard they came from.
  init(_ configuration: Configuration, namesKeyboards: Bool) {
    self.configuration = configuration
    let consumed = Self.consumed(configuration, namesKeyboards)
    for (index, rule) in configuration.rules.enumerated() {
      if rule.pressesKeys { pressRules.append(index) }
      if let mode = rule.mode, rule.leavesItsMode { modesWithExit.insert(mode) }
      switch rule.trigger {
      case .gesture(let condition):
        gestureRules.append(index)
        if condition.modifiers != nil { modifierRules.append(index) }
      case .hotkey(let condition):
        guard namesKeyboards || rule.device == nil else {
          keyboardRules.append(index)
          continue
        }
        let plain = HotkeyRequest(hotkey: condition.hotkey, mode: rule.mode, consumes: false)
        add(consumed[plain] ?? plain, index)
      }
    }
    bareModes = Self.modes(configuration).subtracting(requests.compactMap(\.mode)).sorted()
  }

  /// The modes that rules belong to or enter.
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

  /// Whether any keys are to be kept from the desktop.
  var consumes: Bool { requests.contains(where: \.consumes) }

  /// Requests that at least one rule wants consumed. They are registered once, as consumed.
  private static func consumed(
    _ configuration: Configuration, _ namesKeyboards: Bool
  ) -> [HotkeyRequest: HotkeyRequest] {
    var found: [HotkeyRequest: HotkeyRequest] = [:]
    for rule in configuration.rules where namesKeyboards || rule.device == nil {
      guard case .hotkey(let condition) = rule.trigger, condition.consumes else { continue }
      let plain = HotkeyRequest(hotkey: condition.hotkey, mode: rule.mode, consumes: false)
      var request = plain
      request.consumes = true
      found[plain] = request
    }
    return found
  }

  private mutating func add(_ request: HotkeyRequest, _ rule: Int) {
    if rules[request] == nil { requests.append(request) }
    rules[request, default: []].append(rule)
  }

  /// The rules as the subject of a sentence, abbreviated if there are many.
  func names(_ rules: [Int]) -> String {
    let shown = rules.prefix(3).map { configuration.rules[$0].label }.joined(separator: ", ")
    return rules.count > 3 ? "\(shown) and \(rules.count - 3) more" : shown
  }

  func names(_ request: HotkeyRequest) -> String { names(rules[request] ?? []) }
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

/// What a feed reports.
enum FeedEvent {
  case gesture(GestureEvent, stream: Int, modifiers: Modifiers)
  case hotkey(HotkeyEvent)
  /// Escape has left the mode.
  case modeLeft
  case added(RuleDevice)
  case removed(DeviceID, at: EventTime)
  /// Events of the device with that name were dropped.
  case lost(LossEvent, device: String)
  /// No further events will follow for gestures and presses under way.
  case interrupted(at: EventTime)
}

/// A source of input: the broker, or our own devices.
protocol Feed: AnyObject {
  /// Called synchronously for every event.
  var didReceive: ((FeedEvent) -> Void)? { get set }
  /// Called when ``hotkeys``, ``problems`` or ``isConnected`` have changed.
  var didChange: (() -> Void)? { get set }

  /// The numbers of hotkeys in events.
  var hotkeys: [HotkeyRequest: HotkeyID] { get }
  /// What rules need and lack, and how to fix it.
  var problems: [String] { get }
  /// Whether input arrives at all.
  var isConnected: Bool { get }
  /// Keyboards that this process has grabbed.
  var grabbed: [String] { get }
  /// The route's name in the status.
  var route: String { get }
  /// Whether hotkey events say which keyboard they came from.
  static var namesKeyboards: Bool { get }
  /// Whether recognizer settings of rules and profiles apply. They do if we read the devices
  /// ourselves.
  var appliesSettings: Bool { get }

  /// Delivers what `needs` asks for from now on, and nothing else. Anything requested before and
  /// still wanted continues without a gap.
  func follow(_ needs: InputNeeds)
  /// Enables the hotkeys of `mode` and disables those of other modes.
  func enterMode(_ mode: String?)
  /// Presses keys without blocking; `nil` if another process must be asked.
  var press: PressChords? { get }
  /// The modifiers held on the keyboard, as far as known.
  var modifiers: Modifiers { get }

  var deadline: EventTime? { get }
  func advance(to time: EventTime)
}
