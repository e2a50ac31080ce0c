import Foundation
import GlissConfiguration
import GlissEvents
import Testing

@Suite struct CompositorTests {
  @Test(
    arguments: [
      (["XDG_CURRENT_DESKTOP": "ubuntu:GNOME"], .gnome), (["XDG_CURRENT_DESKTOP": "KDE"], .kde),
      (["XDG_SESSION_DESKTOP": "plasmawayland"], .kde), (["XDG_CURRENT_DESKTOP": "XFCE"], nil),
      ([:], nil), (["XDG_CURRENT_DESKTOP": "sway", "SWAYSOCK": "/run/s"], .sway),
      (["XDG_CURRENT_DESKTOP": "GNOME", "HYPRLAND_INSTANCE_SIGNATURE": "a"], .hyprland),
      (["XDG_CURRENT_DESKTOP": "niri"], .niri), (["NIRI_SOCKET": "/run/n"], .niri),
      (["SWAYSOCK": "", "XDG_CURRENT_DESKTOP": "GNOME"], .gnome),
    ] as [([String: String], Compositor?)])
  func theEnvironmentSaysWhichOneRuns(environment: [String: String], found: Compositor?) {
    #expect(Compositor { environment[$0] } == found)
  }

  private func rule(_ condition: GestureCondition, line: Int = 1) -> Rule {
    Rule(
      trigger: .gesture(condition), reactions: Reactions(),
      place: Place(file: "gliss.yaml", line: line, column: 3))
  }

  @Test(
    arguments: [
      (GestureCondition(kind: .swipe, fingers: 3...3, sense: .towards(.left)), .gnome, true),
      (GestureCondition(kind: .swipe, fingers: 3...3, sense: .towards(.upLeft)), .gnome, true),
      (GestureCondition(kind: .swipe, fingers: 3...4), .niri, true),
      (GestureCondition(kind: .swipe), .kde, true),
      (GestureCondition(kind: .swipe, fingers: 5...5), .gnome, false),
      (GestureCondition(kind: .pinch, fingers: 3...3), .gnome, false),
      (GestureCondition(kind: .swipe, fingers: 4...4, sense: .towards(.left)), .niri, false),
      (GestureCondition(kind: .swipe, fingers: 3...3, sense: .towards(.up)), .hyprland, false),
      (GestureCondition(kind: .swipe, fingers: 3...3), .sway, false),
    ] as [(GestureCondition, Compositor, Bool)])
  func rulesThatMeetItsGesturesAreWarnedOf(
    condition: GestureCondition, compositor: Compositor, clashes: Bool
  ) {
    #expect(compositor.clashes(with: [rule(condition)], in: nil).isEmpty == !clashes)
  }

  @Test func theWarningSaysWhatItDoesAndWhatToDo() throws {
    let condition = GestureCondition(kind: .swipe, fingers: 4...4, sense: .towards(.up))
    let warning = try #require(
      Compositor.kde.clashes(with: [rule(condition, line: 7)], in: nil).first)
    #expect(warning.place.line == 7)
    #expect(warning.severity == .warning)
    #expect(
      warning.message
        == "KWin (KDE Plasma) acts on this as well: it opens and closes the overview on a swipe of 4 fingers up, down"
        + " (since 5.25). To keep it from that: turn off Overview and Present Windows in System Settings, Desktop Effects"
    )
  }

  @Test func withoutASettingBothActUnlessARuleConsumes() throws {
    let condition = GestureCondition(kind: .swipe, fingers: 3...3, sense: .towards(.left))
    for compositor in [Compositor.kde, .gnome, .niri] {
      let warning = try #require(compositor.clashes(with: [rule(condition)], in: nil).first)
      #expect(warning.message.contains(". Both your rule and the desktop act. "), "\(warning)")
      #expect(warning.message.contains("consume: true"), "\(warning)")
      #expect(!warning.message.contains("To keep it from that"), "\(warning)")
    }
  }

  @Test func aRemedyNamesItsSwipes() throws {
    let remedies = Compositor.kde.remedies(in: nil)
    #expect(remedies.count == 3)
    #expect(
      remedies.first
        == "3 fingers left, right; 4 fingers left, right: Both your rule and the desktop act. KWin has no setting; with one virtual desktop"
        + " it does nothing. consume: true keeps the stroke from it: 'gliss take status' says what that"
        + " needs.")
    #expect(remedies.last?.hasPrefix("4 fingers up, down: To keep it from that: turn off") == true)
    #expect(Compositor.sway.remedies(in: nil).isEmpty)
  }

  @Test func olderVersionsHaveFewerGestures() throws {
    let four = rule(GestureCondition(kind: .swipe, fingers: 4...4))
    let old = try #require(DesktopVersion(in: "GNOME Shell 43.9"))
    #expect(Compositor.gnome.clashes(with: [four], in: old).isEmpty)
    #expect(Compositor.gnome.gestures(in: old).map(\.fingers) == [3, 3])
    #expect(
      Compositor.gnome.summary(in: old).hasPrefix("GNOME Shell 43.9 acts on swipes as well: 3"))
    let newer = try #require(DesktopVersion("47"))
    let warning = try #require(Compositor.gnome.clashes(with: [four], in: newer).first)
    #expect(warning.message.hasPrefix("GNOME Shell 47 acts") && !warning.message.contains("since"))
  }

  /// The page's table and the program's say the same, row by row.
  @Test func thePageSaysWhatTheProgramSays() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "docs/compositors.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let written = lines.filter { $0.hasPrefix("|") }.dropFirst(2).map(String.init)
    let known = Compositor.allCases.flatMap { compositor in
      compositor.gestures.map { gesture in
        let own = gesture.isConfigured ? ", if its configuration says so" : ""
        return "| \(compositor.name) | \(gesture.words) | \(gesture.effect)\(own) |"
          + (gesture.since.map { " \($0) |" } ?? " |")
      }
    }
    #expect(written == known)
    for compositor in Compositor.allCases {
      #expect(compositor.summary(in: nil).contains(compositor.name))
    }
  }
}
