/// Where a desktop loads libinput plugins from, such as gliss.lua, which hides strokes from it.
package enum PluginSupport: Hashable, Sendable {
  /// From the user's configuration folder, and from `/etc`.
  case ownFolder(since: String)
  /// Only from `/etc`.
  case systemFolder(since: String)
  /// It loads none.
  case none
  /// It needs none: it has no gestures of its own.
  case needless
}

extension Compositor {
  package var name: String { traits.name }
  /// The process name of its program.
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
package struct DesktopVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  private var numbers: [Int]
  /// As it was written.
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

  package static func < (a: Self, b: Self) -> Bool {
    a.numbers.lexicographicallyPrecedes(b.numbers)
  }

  /// Whether it is older than the version in `text`.
  package func isBefore(_ text: String) -> Bool { Self(text).map { self < $0 } ?? false }
}
