import GlissConfiguration
import Testing

/// Modes that nothing enters, and modes that nothing leaves.
@Suite struct LooseModeTests {
  private static let escape =
    "and Escape leaves it only if gliss reads keyboards itself: give one of its rules the action mode: none"

  static let cases: [(String, [String])] = [
    (
      "super+t, mode: m",
      ["1:12+7 warning: no rule enters the mode “m”: give one the action mode: m"]
    ),
    (
      "super+t, do: {mode: m}",
      ["1:25+1 warning: no rule applies in the mode “m”: correct its name, or add rules with it"]
    ),
    (
      "super+t, do: {mode: m}|super+a, mode: m",
      ["1:25+1 warning: no rule leaves the mode “m”, \(escape)"]
    ),
    (
      "super+t, do: {mode: m}|super+a, mode: m, do: {mode: n}|super+a, mode: n, do: {mode: none}",
      []
    ),
    // a mode for as long as a key is held
    ("f1, do: {mode: n}, release: {mode: none}|super+a, mode: n", []),
    (
      "f1, do: {mode: n}, release: {mode: none}",
      ["1:20+1 warning: no rule applies in the mode “n”: correct its name, or add rules with it"]
    ),
    (
      "f1, do: {mode: n}, release: {mode: h}|super+a, mode: n|super+a, mode: h",
      [
        "1:20+1 warning: no rules lead from the mode “n” back to none, \(escape)",
        "1:40+1 warning: no rule leaves the mode “h”, \(escape)",
      ]
    ),
    (
      "super+t, do: {mode: a}|super+a, mode: a, do: {mode: b}|super+b, mode: b, do: {mode: a}",
      [
        "1:25+1 warning: no rules lead from the mode “a” back to none, \(escape)",
        "2:34+1 warning: no rules lead from the mode “b” back to none, \(escape)",
      ]
    ),
    (
      "super+t, do: {mode: g}|super+a, mode: g, do: {mode: h}|super+b, mode: h",
      [
        "1:25+1 warning: no rules lead from the mode “g” back to none, \(escape)",
        "2:34+1 warning: no rule leaves the mode “h”, \(escape)",
      ]
    ),
    (
      "super+a, mode: y, do: {mode: z}|super+b, mode: z, do: {mode: y}",
      [
        "1:12+7 warning: the mode “y” is entered only from modes that are never entered themselves: give a rule without a mode the action mode: y"
      ]
    ),
    // the other one is entered as soon as this one is
    (
      "super+a, mode: volume, do: {mode: none}|super+b, mode: sizes, do: {mode: volume}",
      ["2:12+7 warning: no rule enters the mode “sizes”: give one the action mode: sizes"]
    ),
  ]

  @Test(arguments: cases)
  func modesLeadFromNoneAndBack(_ hotkeys: String, _ expected: [String]) {
    #expect(mistakes(ofHotkeys: hotkeys) == expected)
  }

  @Test(arguments: [
    ("esc", true), ("release:esc", true), ("esc ; f1", true), ("super+esc", false), ("f1", false),
  ])
  func escapeDoesNotLeaveAModeWithARuleForIt(_ hotkey: String, _ isKept: Bool) {
    let found = mistakes(ofHotkeys: "super+t, do: {mode: m}|\(hotkey), mode: m")
      .filter { $0.contains("no rule leaves the mode “m”") }
    #expect(found.count == 1)
    let words = "and Escape does not leave it, because it has a rule there: give one of its rules"
    #expect(found.contains { $0.contains(words) } == isKept)
  }

  @Test(arguments: [
    ("tap, do: {mode: m}", 1), ("hold, begin: {mode: m}, end: {mode: none}", 1),
    ("hold, begin: {mode: m}, cancel: {mode: none}", 1),
    ("hold, begin: {mode: m}, end: {mode: none}, cancel: {mode: none}", 0),
    ("hold, begin: {mode: m}, end: {mode: m}, cancel: {mode: none}", 1),
  ])
  func aGestureLeavesItsModeIfAllItsEndsDo(_ gesture: String, _ warnings: Int) {
    let reading = read(
      "gestures: [{gesture: \(gesture)}, {gesture: swipe, mode: m, do: {run: a}}]")
    #expect(reading.mistakes.count == warnings, "\(reading.mistakes.text)")
    #expect(
      reading.mistakes.allSatisfy {
        $0.message.contains("Escape leaves it only if gliss reads keyboards itself")
      })
  }
}
