import GlissBroker
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissHotkeys

/// A hotkey in a mode, whichever rules want it.
struct HotkeyRequest: Hashable {
  var hotkey: Hotkey
  var mode: String?
  var consumes: Bool
}

/// The input that rules want, and the rules that want it.
struct InputNeeds {
  /// In file order.
  private(set) var requests: [HotkeyRequest] = []
  private(set) var rules: [HotkeyRequest: [Int]] = [:]
  private(set) var gestureRules: [Int] = []
  /// Whether a rule waits for its gesture to go on.
  private(set) var lingers = false
  private(set) var modifierRules: [Int] = []
  private(set) var pressRules: [Int] = []
  /// Rules for hotkeys of certain keyboards. They cannot work if events do not name the keyboard.
  private(set) var keyboardRules: [Int] = []
  /// Modes without hotkeys. Some can only be left with Escape.
  private(set) var bareModes: [String] = []
  /// Modes from which rules lead back to no mode.
  private(set) var modesWithExit: Set<String> = []
  var configuration: Configuration
  /// Events to read even if no rule waits for them: rules that come later make reading start over
  /// only for other events, and that releases what is held.
  var kinds: EventMask = []

  /// - Parameters:
  ///   - namesKeyboards: whether hotkey events say which keyboard they came from.
  ///   - focus: what has the focus. A hotkey that is to be consumed in some applications only is
  ///     left to all others.
  init(_ configuration: Configuration, namesKeyboards: Bool, focus: RuleFocus? = nil) {
    self.configuration = configuration
    // by hotkey and mode: the index in `requests`
    var places: [HotkeyRequest: Int] = [:]
    var lists: [[Int]] = []
    var modes: Set<String> = []
    var changes: [ModeChange] = []
    for (index, rule) in configuration.rules.enumerated() {
      if let mode = rule.mode { modes.insert(mode) }
      if !rule.reactions.hold.isEmpty { pressRules.append(index) }
      if rule.reactions.linger != nil { lingers = true }
      var hasMode = false
      for action in rule.reactions.actions {
        switch action.verb {
        case .keys, .hold, .letGo, .move: if pressRules.last != index { pressRules.append(index) }
        case .mode(let next):
          if let next { modes.insert(next) }
          hasMode = true
        case .run, .turns, .notify, .emit, .desktop: break
        }
      }
      if hasMode { changes += rule.modeChanges }
      switch rule.trigger {
      case .gesture(let condition):
        gestureRules.append(index)
        if condition.modifiers != nil { modifierRules.append(index) }
      case .hotkey(let condition):
        guard namesKeyboards || rule.device == nil else {
          keyboardRules.append(index)
          continue
        }
        if condition.consumes, let focus, !focus.isMet[index] { continue }
        let hotkey = HotkeyRequest(hotkey: condition.hotkey, mode: rule.mode, consumes: false)
        let place = places[hotkey] ?? requests.count
        if place == requests.count {
          places[hotkey] = place
          requests.append(hotkey)
          lists.append([])
        }
        lists[place].append(index)
        // if one rule wants a hotkey consumed, it is registered once, as consumed
        if condition.consumes { requests[place].consumes = true }
      }
    }
    for (request, list) in zip(requests, lists) { rules[request] = list }
    bareModes = modes.subtracting(requests.compactMap(\.mode)).sorted()
    modesWithExit = changes.modesWithExit
  }

  var consumes: Bool { requests.contains(where: \.consumes) }

  func rules(of hotkeys: [HotkeyRequest: HotkeyID]) -> [HotkeyID: [Int]] {
    Dictionary(uniqueKeysWithValues: hotkeys.map { ($1, rules[$0] ?? []) })
  }

  /// The rules as the subject of a sentence, abbreviated if there are many.
  func names(_ rules: [Int]) -> String {
    let shown = rules.prefix(3).map { configuration.rules[$0].label }.joined(separator: ", ")
    return rules.count > 3 ? "\(shown) and \(rules.count - 3) more" : shown
  }

  /// The message that the desktop gets the strokes too, for this reason.
  func fault(ofTaking reason: String) -> String {
    let takers = gestureRules.filter { configuration.rules[$0].consumesStroke }
    return "\(names(takers)): acts, but \(Self.strokesArrive): \(reason)"
  }

  static let strokesArrive = "the desktop gets the strokes, too"

  func names(_ request: HotkeyRequest) -> String { names(rules[request] ?? []) }
}

enum FeedEvent {
  case gesture(GestureEvent, stream: Int, modifiers: Modifiers)
  case hotkey(HotkeyEvent)
  /// A finger points, or presses the touchpad's button.
  case pointed(at: EventTime)
  case modeLeft
  case added(RuleDevice)
  case removed(DeviceID, at: EventTime)
  /// Events of the device with that name were dropped.
  case lost(LossEvent, device: String)
  /// No further events will follow for gestures and presses under way.
  case interrupted(at: EventTime)
}

enum FeedOccasion {
  /// Another window has the focus. What was refused is not requested again.
  case focus
  case rules
  /// The user has asked for it: more may be granted now, or the problem that made them press the
  /// panic chord may be solved.
  case user
}

/// A source of input: the broker, or our own devices. It also has the agent's loop, and its alarm.
protocol Feed: BrokerHost {
  /// Called synchronously for every event.
  var didReceive: ((FeedEvent) -> Void)? { get set }
  /// Called when ``hotkeys``, ``problems`` or ``isConnected`` have changed.
  var didChange: (() -> Void)? { get set }

  /// The numbers of hotkeys in events.
  var hotkeys: [HotkeyRequest: HotkeyID] { get }
  /// What rules need and lack, and how to fix it.
  var problems: [String] { get }
  var isConnected: Bool { get }
  var grabbed: [String] { get }
  /// Whether this process reads the devices itself. Then hotkey events say which keyboard they came
  /// from, and recognizer settings of rules and profiles apply.
  var readsDevices: Bool { get }

  /// Delivers what `needs` asks for from now on, and nothing else. Anything requested before and
  /// still wanted continues without a gap.
  func follow(_ needs: InputNeeds, because occasion: FeedOccasion)
  /// Enables the hotkeys of `mode` and disables those of other modes.
  func enterMode(_ mode: String?)
  /// Recognizes strokes with the settings for this window's application, if the feed applies any.
  func focus(on window: RuleFocus.Window?, as matched: FollowedWindow)
  /// Hides strokes of `now` fingers from the desktop until ``decide(_:)``, and is ready for those
  /// of `ever` fingers.
  func take(_ now: FingerCounts, of ever: FingerCounts)
  func decide(_ verdict: StrokeVerdict)
  /// Reports once when a finger points; `false` cancels that.
  func watchPointing(_ isWanted: Bool)
  /// Presses keys without blocking; `nil` if another process must be asked.
  var press: PressKeys? { get }

  var deadline: EventTime? { get }
  func advance(to time: EventTime)

  /// Runs the loop.
  func turn() throws(SystemError)
  /// Makes ``turn()`` return.
  func stop()
}

extension Feed {
  var route: String { readsDevices ? "devices" : "broker" }
}
