/// What a rule can ask of the desktop.
package enum DesktopAction: Hashable, Sendable {
  case window(WindowAction)
  case workspace(WorkspaceTarget)

  /// As in the file: `window: close`.
  package var written: String {
    switch self {
    case .window(let action): "window: \(action.rawValue)"
    case .workspace(let target): "workspace: \(target.word)"
    }
  }
}

/// What is done with the focused window. The raw value is its word in the file.
package enum WindowAction: String, Hashable, Sendable, CaseIterable {
  case close, minimize, maximize, fullscreen, float
  case tileLeft = "tile-left"
  case tileRight = "tile-right"
}

/// The workspace that is shown next.
package enum WorkspaceTarget: Hashable, Sendable {
  case next, previous
  /// Counted from 1.
  case number(Int)

  /// The valid numbers: no gesture leads to a workspace beyond these.
  package static let numbers = 1...100

  /// - Parameter word: as in the file.
  package init?(word: String) {
    switch word {
    case "next": self = .next
    case "previous": self = .previous
    case _:
      guard let number = Int(word), "\(number)" == word, Self.numbers.contains(number) else {
        return nil
      }
      self = .number(number)
    }
  }

  /// The word in the file.
  package var word: String {
    switch self {
    case .next: "next"
    case .previous: "previous"
    case .number(let number): "\(number)"
    }
  }
}

/// The window that is followed, or that a rule with `application` looks at. The raw value is its
/// word in the file.
package enum FollowedWindow: String, Hashable, Sendable, CaseIterable {
  /// The one that has the keyboard focus.
  case focused
  case underPointer
}
