import Foundation
import GlissEvents
import TestSupport
import Testing

@testable import GlissFocus

extension DesktopAction {
  static let all: [DesktopAction] =
    WindowAction.allCases.map { .window($0) } + [
      .workspace(.next), .workspace(.previous), .workspace(.number(3)),
    ]
}

/// The table says the same as the desktops' own code and docs/focus.md.
@Suite struct FocusKindTests {
  @Test(arguments: DesktopAction.all)
  func eachAllowedActionHasACommand(_ action: DesktopAction) {
    func isAllowed(_ kind: FocusKind) -> Bool { kind.refusal(of: action) == nil }
    #expect(isAllowed(.sway) == (SwayAction.command(for: action) != nil))
    #expect(isAllowed(.niri) == (NiriAction.request(for: action) != nil))
    #expect(isAllowed(.kwin) == (KWinAction.text(for: action) != nil))
    #expect(isAllowed(.hyprland))
  }

  @Test func everyDesktopClosesWindows() {
    for kind in FocusKind.allCases {
      #expect(kind.refusal(of: .window(.close)) == nil)
      #expect(kind.refusal(of: .window(.fullscreen)) == nil)
    }
  }

  @Test func theTableIsInThePage() throws {
    let page = "docs/focus.md"
    var text = try Repository.text(page)
    let mark = "<!-- actions -->\n"
    let start = try #require(text.range(of: mark))
    let end = try #require(text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex))
    text.replaceSubrange(start.upperBound..<end.lowerBound, with: Self.table)
    try Repository.expect(page, is: text)
  }

  private static var table: String {
    let kinds = FocusKind.allCases
    var rows = [
      "| | " + kinds.map(\.desktops).joined(separator: " | ") + " |",
      "|---|" + kinds.map { _ in "---|" }.joined(),
    ]
    for action in WindowAction.allCases.map(DesktopAction.window) + [.workspace(.next)] {
      let word = action == .workspace(.next) ? "workspace:" : action.written
      let marks = kinds.map { $0.refusal(of: action) == nil ? " yes |" : " |" }
      rows.append("| `\(word)` |" + marks.joined())
    }
    return rows.map { $0 + "\n" }.joined()
  }
}

extension FocusKind {
  /// The desktops of this kind.
  fileprivate var desktops: String {
    switch self {
    case .niri: "niri"
    case .hyprland: "Hyprland"
    case .sway: "sway, i3"
    case .wayland: "other Wayland"
    case .kwin: "KDE Plasma"
    case .gnome: "GNOME"
    case .x11: "other X11"
    }
  }
}
