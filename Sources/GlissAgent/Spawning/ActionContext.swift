public import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// The context of an action: the activation of a rule, and what applied then.
public struct ActionContext: Hashable, Sendable {
  public var activation: Activation
  /// What logs call the rule: its name and place.
  public var rule: String
  /// The rule's hotkey as text.
  public var hotkey: String?
  /// The current mode.
  public var mode: String?
  /// The record that the result is recorded for; `nil` if it is not recorded.
  var record: ActionRecord.ID?

  public init(_ activation: Activation, rule: String, hotkey: String? = nil, mode: String? = nil) {
    self.activation = activation
    self.rule = rule
    self.hotkey = hotkey
    self.mode = mode
  }
}

extension Rule {
  /// What logs call the rule: `back (gliss.yaml:12)`, or only its place if it has no name.
  public var label: String {
    let path = place.file.utf8
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) }
    let file = place.file[(name ?? path.startIndex)...]
    return self.name.map { "\($0) (\(file):\(place.line))" } ?? "\(file):\(place.line)"
  }

  /// The hotkey's text; `nil` for a gesture.
  var hotkey: String? {
    switch trigger {
    case .gesture: nil
    case .hotkey(let condition): condition.hotkey.description
    }
  }
}

extension Activation.Moment {
  /// The word in the log and in `GLISS_MOMENT`.
  public var name: String {
    switch self {
    case .begin: "begin"
    case .change: "change"
    case .end: "end"
    case .cancel: "cancel"
    case .release: "release"
    case .forward: "forward"
    case .back: "back"
    }
  }

  /// How many times its actions are done.
  public var times: Int {
    switch self {
    case .begin, .change, .end, .cancel, .release: 1
    case .forward(_, let count), .back(_, let count): max(0, count)
    }
  }
}

extension ActionContext {
  /// The variables that describe the gesture or hotkey to a command: numbers, words of the event
  /// schema, and text from the user's own file. Device names and typed text are never among them.
  var variables: [String] {
    var list = Variables()
    switch activation.cause {
    case .gesture(let gesture): list.add(gesture)
    case .hotkey(let event):
      list.add("HOTKEY", hotkey ?? "")
      list.add("PHASE", event.phase.name)
    }
    list.add("MOMENT", activation.moment.name)
    switch activation.moment {
    case .begin, .change, .end, .cancel, .release: break
    // several steps at once start the command once for each
    case .forward: list.add("STEP", "1")
    case .back: list.add("STEP", "-1")
    }
    if let mode { list.add("MODE", mode) }
    return list.entries
  }
}

private struct Variables {
  var entries: [String] = []

  mutating func add(_ name: StaticString, _ value: String) {
    entries.append("GLISS_\(name)=\(value)")
  }

  mutating func add(_ name: StaticString, _ value: Double, places: Int) {
    add(name, value.fixed(places))
  }

  /// Members that do not apply to the gesture's kind are left out, as in the event schema.
  mutating func add(_ gesture: GestureEvent) {
    add("GESTURE", gesture.kind.name)
    add("PHASE", gesture.phase.name)
    add("FINGERS", "\(gesture.fingers)")
    if let direction = gesture.direction { add("DIRECTION", direction.name) }
    if let direction = gesture.direction8 { add("DIRECTION8", direction.name) }
    if let edge = gesture.edge { add("EDGE", edge.name) }
    switch gesture.kind {
    case .tap: add("COUNT", "\(gesture.count)")
    case .hold: break
    case .drag, .swipe, .edgeSwipe: addMotion(gesture)
    case .pinch, .rotate:
      addMotion(gesture)
      add("SCALE", gesture.scale, places: 4)
      add("ROTATION_DEG", gesture.rotation * 180 / .pi, places: 2)
    }
  }

  private mutating func addMotion(_ gesture: GestureEvent) {
    let way = gesture.translationInMillimetres
    add("TRANSLATION_X_MM", way.x, places: 3)
    add("TRANSLATION_Y_MM", way.y, places: 3)
    add("TRAVEL_MM", way.length, places: 3)
    add("SPEED_MM_S", gesture.velocity.length, places: 3)
  }
}
