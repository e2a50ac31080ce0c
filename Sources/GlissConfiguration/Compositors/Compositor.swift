package import GlissEvents

/// Swipes that a compositor acts on.
package struct CompositorGesture: Hashable, Sendable {
  package var fingers: Int
  package var directions: [Direction]
  /// What it does, worded as the end of a sentence.
  package var effect: String
  /// The first version that does so; `nil` if all versions in use do.
  package var since: String?
  /// Whether the desktop does so only if its configuration says so.
  package var isConfigured = false
  /// How to turn it off, or that this is impossible, in sentences; the last lacks its full stop.
  package var remedy: String

  /// Worded for a table: 3 fingers left, right.
  package var words: String {
    "\(fingers) fingers \(directions.map(\.name).joined(separator: ", "))"
  }
}

extension Compositor {
  /// All are swipes. None of these compositors acts on a touchpad's pinches, rotations, taps or
  /// holds by default.
  package var gestures: [CompositorGesture] {
    func bothAct(_ advice: String) -> String {
      "Both your rule and the desktop act. \(name.prefix { $0 != " " }) has no setting; \(advice)."
        + " consume: true keeps the stroke from it: 'gliss take status' says what that needs"
    }
    func swipe(
      _ fingers: Int, _ directions: [Direction], _ effect: String, since: String? = nil,
      isConfigured: Bool = false, _ remedy: String? = nil
    ) -> CompositorGesture {
      CompositorGesture(
        fingers: fingers, directions: directions, effect: effect, since: since,
        isConfigured: isConfigured, remedy: remedy ?? bothAct("give your rules other gestures"))
    }
    let (across, along): ([Direction], [Direction]) = ([.left, .right], [.up, .down])
    switch self {
    case .gnome:
      let three = bothAct(
        "the extension Disable 3 Finger Gestures (extensions.gnome.org/extension/7403)"
          + " turns these swipes off, but reports say that it does not work well since GNOME 49")
      return [
        swipe(3, across, "switches workspaces", since: "40", three),
        swipe(3, along, "opens and closes the overview", since: "40", three),
        swipe(4, across, "switches workspaces", since: "47"),
        swipe(4, along, "opens and closes the overview", since: "47"),
      ]
    case .kde:
      let desktops = bothAct("with one virtual desktop it does nothing")
      let rows = bothAct("with one row of virtual desktops it does nothing")
      return [
        swipe(3, across, "switches virtual desktops", since: "5.25", desktops),
        swipe(3, along, "switches rows of virtual desktops", since: "5.25", rows),
        swipe(4, across, "switches virtual desktops", desktops),
        swipe(
          4, along, "opens and closes the overview", since: "5.25",
          "To keep it from that: turn off Overview and Present Windows in System Settings, Desktop Effects"
        ),
      ]
    case .hyprland:
      return [
        swipe(
          3, across, "switches workspaces", since: "0.51", isConfigured: true,
          "To keep it from that: take the line gesture = 3, horizontal, workspace out of hyprland.conf; its example has it (before 0.51: workspace_swipe = false)"
        )
      ]
    case .sway: return []
    case .niri:
      return [
        swipe(3, across, "moves the view"), swipe(3, along, "switches workspaces"),
        swipe(4, along, "opens and closes the overview", since: "25.05"),
      ]
    case .cosmic: return [swipe(4, across, "switches workspaces, up and down if they lie so")]
    }
  }

  /// The gestures of a version; all of them if it is unknown.
  package func gestures(in version: DesktopVersion?) -> [CompositorGesture] {
    gestures.filter { gesture in
      gesture.since.map { !(version?.isBefore($0) ?? false) } ?? true
    }
  }

  package func name(in version: DesktopVersion?) -> String {
    version.map { "\(name) \($0)" } ?? name
  }

  /// What `gliss doctor` says about it.
  package func summary(in version: DesktopVersion?) -> String {
    let (gestures, name) = (gestures(in: version), name(in: version))
    if gestures.isEmpty {
      return "\(name) acts on no gesture by itself, only on those of its own configuration"
    }
    let parts = gestures.map { gesture in
      let since = version == nil ? gesture.since.map { " (since \($0))" } ?? "" : ""
      let own = gesture.isConfigured ? " if its configuration says so" : ""
      return "\(gesture.words): \(gesture.effect)\(own)\(since)"
    }
    return "\(name) acts on swipes as well: " + parts.joined(separator: "; ")
  }

  /// The distinct ways to turn its gestures off, each after the swipes that it is for.
  package func remedies(in version: DesktopVersion?) -> [String] {
    var remedies: [(text: String, swipes: [String])] = []
    for gesture in gestures(in: version) {
      if let index = remedies.firstIndex(where: { $0.text == gesture.remedy }) {
        remedies[index].swipes.append(gesture.words)
      } else {
        remedies.append((gesture.remedy, [gesture.words]))
      }
    }
    return remedies.map { "\($0.swipes.joined(separator: "; ")): \($0.text)." }
  }

  // MARK: Rules

  /// A warning for each rule whose gesture the compositor also acts on.
  package func clashes(with rules: [Rule], in version: DesktopVersion?) -> [Mistake] {
    let (gestures, name) = (gestures(in: version), name(in: version))
    return rules.compactMap { rule in
      guard case .gesture(let condition) = rule.trigger,
        let gesture = gestures.first(where: { $0.clashes(with: condition) })
      else { return nil }
      let acts =
        gesture.isConfigured
        ? "may act on this as well, if its configuration says so" : "acts on this as well"
      return Mistake(
        "\(name) \(acts): it \(gesture.effect) on a swipe of \(gesture.words)"
          + "\(version == nil ? gesture.since.map { " (since \($0))" } ?? "" : ""). \(gesture.remedy)",
        at: rule.place, severity: .warning)
    }
  }
}

extension CompositorGesture {
  func clashes(with condition: GestureCondition) -> Bool {
    guard condition.kind == .swipe, condition.fingers?.contains(fingers) ?? true else {
      return false
    }
    // the compositor takes a diagonal for either of the main directions beside it, 45° away
    if case .towards(let direction)? = condition.sense {
      return directions.contains { direction.unit.dot($0.unit) > 0.5 }
    }
    return directions.contains { condition.isMet(by: .towards($0)) }
  }
}

/// A desktop that may act on touchpad gestures itself. Unless a rule consumes
/// the stroke, both act.
package enum Compositor: String, Hashable, Sendable, CaseIterable {
  case gnome, kde, hyprland, sway, niri, cosmic

  /// The running compositor according to the session's environment; `nil` if unknown.
  ///
  /// Variables that compositors set themselves go first. Those of the session may be left over from
  /// a login manager.
  package init?(environment value: (String) -> String?) {
    let own: KeyValuePairs<String, Self> = [
      "NIRI_SOCKET": .niri, "HYPRLAND_INSTANCE_SIGNATURE": .hyprland, "SWAYSOCK": .sway,
    ]
    let names = ["XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "DESKTOP_SESSION"]
    let words = names.flatMap { (value($0) ?? "").split(separator: ":") }
    let found =
      own.first { !(value($0.key) ?? "").isEmpty }?.value
      ?? words.lazy.compactMap { Self.named($0.lowercased()) }.first
    guard let found else { return nil }
    self = found
  }

  /// The names that desktops use for themselves: ubuntu:GNOME, KDE, plasmawayland.
  private static func named(_ word: String) -> Self? {
    switch word {
    case "gnome-classic", "gnome-wayland", "ubuntu", "ubuntu-wayland": .gnome
    case "plasma", "plasmawayland": .kde
    case _: Self(rawValue: word)
    }
  }
}

/// Where a desktop loads libinput plugins from, such as gliss.lua, which hides strokes from it.
package enum PluginSupport: Hashable, Sendable {
  /// From the user's configuration folder, and from `/etc`.
  case ownFolder(since: String)
  case systemFolder(since: String)
  case none
  /// It needs none: it has no gestures of its own.
  case needless
}

extension Compositor {
  package var name: String { traits.name }
  package var program: String { traits.program }
  package var plugins: PluginSupport { traits.plugins }

  private var traits: (name: String, program: String, plugins: PluginSupport) {
    switch self {
    case .gnome: ("GNOME Shell", "gnome-shell", .ownFolder(since: "50"))
    // the first release with plugins is unknown; 6.7 has them
    case .kde: ("KWin (KDE Plasma)", "kwin_wayland", .systemFolder(since: "6.7"))
    // needs aquamarine 0.13
    case .hyprland: ("Hyprland", "Hyprland", .systemFolder(since: "0.56"))
    case .sway: ("sway", "sway", .needless)
    case .niri: ("niri", "niri", .ownFolder(since: "26.04"))
    case .cosmic: ("COSMIC", "cosmic-comp", .none)
    }
  }
}

/// The version of a desktop, of its portal or of Linux, such as 26.04.
package struct DesktopVersion: Hashable, Sendable, CustomStringConvertible {
  private var numbers: [Int]
  package let description: String

  /// - Returns: `nil` if it does not begin with a number.
  package init?(_ text: some StringProtocol) {
    let parts = text.drop { $0 == "v" }.split(separator: ".", omittingEmptySubsequences: false)
    numbers = parts.prefix(3).map { Int($0.prefix { $0.isWholeNumber }) ?? 0 }
    guard let first = parts.first?.first, first.isWholeNumber else { return nil }
    description = String(text)
  }

  /// The first version in what a program says about itself, as in `GNOME Shell 50.1`.
  package init?(in text: String) {
    let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
    guard let found = words.lazy.compactMap({ Self($0) }).first else { return nil }
    self = found
  }

  /// Whether it is older than the version in `text`; false if that has no version.
  package func isBefore(_ text: String) -> Bool {
    Self(text).map { numbers.lexicographicallyPrecedes($0.numbers) } ?? false
  }
}
