public import GlissConfiguration
import GlissHotkeys

/// The occasion of an action: the activation of a rule, and what applied then.
public struct Occasion: Hashable, Sendable {
  public var activation: Activation
  /// What logs call the rule: its name and place.
  public var rule: String
  /// The rule's hotkey as text.
  public var hotkey: String?
  /// The current mode.
  public var mode: String?
  /// The deed that the result is recorded for; `nil` if it is not recorded.
  var deed: Deed.ID?

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
