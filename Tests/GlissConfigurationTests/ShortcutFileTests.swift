import GlissConfiguration
import Testing

@Suite struct ShortcutFileTests {
  private func read(_ text: String) -> (answers: ShortcutAnswers?, mistakes: [Mistake]) {
    ShortcutFile.read(ConfigurationText(name: "s.yaml", bytes: Array(text.utf8)))
  }

  private let example = """
    # mine
    com.obsproject.Studio:
      record: {description: Start recording, trigger: ctrl+alt+r}
      talk:
        description: Push to talk
        trigger: {gesture: hold, fingers: 3, duration: 300 ms}
      quit: {trigger: none, consume: false}
      shared: {trigger: f9, consume: false}
    "odd: name":
      'a # b': {description: "say \\"hi\\"", trigger: super+k ; w}
    """

  @Test func readsWhatUsersWrite() throws {
    let answers = try #require(read(example).answers)
    #expect(answers.applications.map(\.name) == ["com.obsproject.Studio", "odd: name"])
    let obs = "com.obsproject.Studio"
    #expect(answers[obs, "record"]?.trigger?.text == "ctrl+alt+r")
    #expect(answers[obs, "record"]?.trigger?.consumes == true)
    #expect(answers[obs, "talk"]?.trigger?.text == "{gesture: hold, fingers: 3, duration: 300 ms}")
    #expect(answers[obs, "quit"]?.trigger == nil)
    #expect(answers[obs, "shared"]?.trigger?.consumes == false)
    #expect(answers["odd: name", "a # b"]?.description == "say \"hi\"")
    #expect(answers["odd: name", "nothing"] == nil)
  }

  @Test func writtenAnswersReadBackTheSame() throws {
    let answers = try #require(read(example).answers)
    let text = answers.text(head: "# mine\n")
    #expect(text.hasPrefix("# mine\ncom.obsproject.Studio:\n"))
    #expect(read(text).answers == answers)
    #expect(read(ShortcutAnswers().text(head: "")).answers == ShortcutAnswers())
  }

  @Test(arguments: [
    ("a: [x]", "1:4", "a mapping"), ("a: {b: f5}", "1:8", "a shortcut"),
    ("a: {b: {trigger: ctrl+banana}}", "1:23", "banana"),
    ("a: {b: {trigger: release:f5}}", "1:18", "leave out release:"),
    ("a: {b: {description: x}}", "1:8", "needs trigger"),
    ("a: {b: {trigger: {gesture: swipe, fingers: 2}}}", "1:44", "3 to 5 fingers"),
    ("a: {b: {trigger: {gesture: hold, do: {run: [x]}}}}", "1:34", "unknown key “do”"),
    ("a: {b: {trigger: {gesture: hold}, consume: true}}", "1:35", "leave out consume"),
    ("a: {b: {trigger: f5}, b: {trigger: f6}}", "1:23", "duplicate key"),
    ("a: {b: {trigger: f5, keys: x}}", "1:22", "unknown key “keys”"), ("a: {", "2:1", ""),
    ("a: {b: {trigger: [f5]}}", "1:18", "a hotkey"),
  ]) func mistakesHaveTheirPlace(_ text: String, _ place: String, _ words: String) {
    let reading = read(text)
    #expect(reading.answers == nil)
    let mistake = reading.mistakes.first
    #expect(mistake.map { "\($0.place.line):\($0.place.column)" } == place)
    #expect(mistake?.message.contains(words) == true, "\(mistake?.message ?? "none")")
  }

  @Test func answersAreReplacedAndForgotten() {
    var answers = ShortcutAnswers()
    answers.set(.init(id: "x", description: "1", trigger: nil), of: "a")
    answers.set(.init(id: "y", description: "2", trigger: nil), of: "a")
    answers.set(.init(id: "x", description: "3", trigger: nil), of: "a")
    #expect(answers.applications.first?.answers.map(\.description) == ["3", "2"])
    #expect(answers.forget("a", "z") == 0)
    #expect(answers.forget("b") == 0)
    #expect(answers.forget("a", "x") == 1)
    #expect(answers.forget("a") == 1)
    #expect(answers == ShortcutAnswers())
  }

  @Test func emptyFilesHaveNoAnswers() {
    for text in ["", "# only a comment\n", "a:\n", "---\n"] {
      #expect(read(text).answers?.applications.allSatisfy { $0.answers.isEmpty } == true)
    }
    #expect(read(String(repeating: "#", count: 2 << 20)).answers == nil)
  }
}
