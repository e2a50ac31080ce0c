import GlissImport
import Testing

/// What InputActions' configuration presses.
@Suite struct InputActionsImportTests {
  private func rules(_ type: String, _ inputs: [String]) throws -> String {
    var lines = ["touchpad:", "  gestures:", "    - type: \(type)", "      fingers: 3"]
    lines += ["      actions:", "        - on: end", "          input:"]
    lines += inputs.map { "            - \($0)" }
    return try ImportedTool.inputActions.imported(lines.joined(separator: "\n") + "\n").text
  }

  /// Lists of inputs, and what the rule presses or holds.
  @Test(
    arguments: [
      ("tap", ["keyboard: [ +leftctrl, v, -leftctrl ]"], "do: {keys: ctrl+v}"),
      ("tap", ["mouse: [ +middle, -middle ]"], "do: {keys: button2}"),
      (
        "swipe", ["keyboard: [ +leftctrl, +leftshift, +t, -t, -leftshift, -leftctrl ]"],
        "do: {keys: ctrl+shift+t}"
      ),
      (
        "swipe", ["keyboard: [ leftctrl+c ]", "keyboard: [ +leftalt, tab, -leftalt ]"],
        "do:\n      - {keys: ctrl+c}\n      - {keys: alt+tab}"
      ),
      (
        "swipe", ["keyboard: [ +leftctrl ]", "mouse: [ left ]", "keyboard: [ -leftctrl ]"],
        "do: {keys: ctrl+button1}"
      ),
      // it stays down
      ("swipe", ["keyboard: [ +leftalt, tab ]"], "hold: alt\n    do: {keys: tab}"),
    ] as [(String, [String], String)])
  func keysThatGoDownAndUpInAListAreChords(
    _ type: String, _ inputs: [String], _ expected: String
  ) throws {
    #expect(try rules(type, inputs).contains(expected))
  }

  @Test func aTapActsAtItsBeginningAndEndOnly() throws {
    let text = """
      touchpad:
        gestures:
          - {type: tap, fingers: 4, actions: [{on: cancel, command: foo}]}

      """
    let imported = try ImportedTool.inputActions.imported(text)
    #expect(imported.rules.isEmpty && imported.remarks.count == 1)
  }
}
