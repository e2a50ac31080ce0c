import GlissEvents
import Testing

@testable import GlissConfiguration
@testable import GlissPortal

private func question(
  _ wishes: [(id: String, description: String, trigger: String?)], of application: String = "app"
) -> ConsentQuestion {
  var machine = PortalMachine(ShortcutAnswers())
  _ = machine.createSession(1, "/s", of: application)
  let actions = machine.bind(
    2, request: "/r", session: "/s",
    wishes.map {
      RequestedShortcut(id: $0.id, description: $0.description, preferred: $0.trigger ?? "")
    })
  guard case .ask(let question)? = actions.first else {
    Issue.record("nothing is asked")
    return ConsentQuestion(number: 0, application: "", isChange: false, rows: [])
  }
  return question
}

private let usual = question([
  ("talk", "Push to talk", "CTRL+ALT+p"), ("mute", "<b>Mute & more</b>", nil),
  ("type", "--extra-button", "a"),
])

private func texts(_ answer: ConsentAnswer) -> [String?]? {
  guard case .answers(let answers) = answer else { return nil }
  return answers.map { $0.trigger?.text }
}

@Suite struct ConsentFormTests {
  @Test func typeableAndEmptyShortcutsAreNotAllowed() {
    var form = ConsentForm(usual, OtherTriggers())
    #expect(form.allowed == [0])
    #expect(form.remarks(on: 1) == ["choose its keys"])
    #expect(form.remarks(on: 2).first?.contains("could be typed") == true)
    form.allow(true, 1)
    form.allow(true, 2)
    #expect(form.allowed == [0])
    #expect(texts(form.agreement) == ["ctrl+alt+'p'", nil, nil])
    #expect(texts(form.denial) == [nil, nil, nil])
  }

  /// What a user may type, and what it means.
  @Test(arguments: [
    ("ctrl+alt+p", "ctrl+alt+p"), ("<Control><Alt>p", "ctrl+alt+'p'"), ("CTRL+ALT+p", "ctrl+alt+p"),
    ("hold 3", "{gesture: hold, fingers: 3}"), ("hold with three fingers", nil),
    ("swipe left with 4 fingers", "{gesture: swipe, fingers: 4, direction: left}"),
    ("3-finger hold", "{gesture: hold, fingers: 3}"),
    ("3 finger hold", "{gesture: hold, fingers: 3}"),
    ("{gesture: hold, fingers: 3}", "{gesture: hold, fingers: 3}"), ("tap:super", "tap:super"),
    ("a", nil), ("", nil), ("none", nil), ("release:ctrl+a", nil),
    ("{gesture: swipe, fingers: 9}", nil),
    ("{gesture: hold, do: {run: [x]}}", nil), ("f9", "f9"), ("ctrl+banana", nil),
    ("swipe left hold", nil),
  ]) func chosenByText(_ text: String, _ expected: String?) {
    let trigger = try? ConsentForm.trigger(text)
    #expect(trigger?.text == expected)
  }

  /// Words that name a gesture are not taken for keys.
  @Test(arguments: [
    ("swipe 2 left", "a swipe has 3 to 5 fingers"), ("swipe 3 lft", "“lft”"),
    ("hold three", "“three”"), ("hold 9", "9"),
  ]) func aMistakeInAGestureIsNamed(_ text: String, _ words: String) {
    let refusal = #expect(throws: ConsentForm.Refusal.self) { try ConsentForm.trigger(text) }
    #expect(refusal?.message.contains(words) == true, "\(refusal?.message ?? "")")
    #expect(refusal?.message.contains("unknown key") == false)
  }

  @Test func conflictsAreNamed() throws {
    let rules = """
      hotkeys:
        - {name: paste, hotkey: ctrl+alt+p, do: {run: [x]}}
      gestures:
        - {gesture: hold, fingers: 3, do: {run: [x]}}
        - {gesture: tap, fingers: 3, count: 2, do: {run: [x]}}
        - {gesture: swipe, fingers: 4, direction: horizontal, do: {run: [x]}}
      """
    let read = Configuration.read([ConfigurationText(name: "mine.yaml", bytes: Array(rules.utf8))])
    let others = ShortcutAnswers([
      .init(
        name: "obs",
        answers: [.init(id: "r", description: "Record", trigger: try .init(text: "lctrl+alt+p"))])
    ])
    var form = ConsentForm(
      usual,
      OtherTriggers(rules: try #require(read.configuration).rules, answers: others))
    #expect(
      form.remarks(on: 0) == [
        "your own rule “paste” has these keys: only one of the two works",
        "obs has it for “Record”",
      ])
    try form.choose("hold 3", for: 1)
    #expect(form.remarks(on: 1) == ["your own rule in mine.yaml:4:5 acts on it too"])
    try form.choose("{gesture: tap, fingers: 3}", for: 1)
    #expect(form.remarks(on: 1) == ["your own rule in mine.yaml:5:5 acts on it too"])
    try form.choose("{gesture: tap, fingers: 3, count: 1}", for: 1)
    #expect(form.remarks(on: 1) == [])
    try form.choose("{gesture: swipe, fingers: 4, direction: horizontal}", for: 1)
    #expect(form.remarks(on: 1) == ["your own rule in mine.yaml:6:5 acts on it too"])
    try form.choose("hold 4", for: 1)
    #expect(form.remarks(on: 1) == [])
    try form.choose("hold 4", for: 0)
    #expect(form.remarks(on: 0) == ["the same as “<b>Mute & more</b>”"])
  }

  @Test func theDialogSaysWhenKeysAreNotKept() {
    let form = ConsentForm(usual, OtherTriggers(consuming: "not granted"))
    #expect(form.notes.contains("The window that has the focus gets these keys too: not granted"))
  }

  @Test func questionAndAnswerSurviveThePipe() throws {
    #expect(ConsentQuestion(try JSON(parsing: usual.json.encoded)) == usual)
    var form = ConsentForm(usual, OtherTriggers())
    try form.choose("{gesture: hold, fingers: 3}", for: 1)
    #expect(ConsentAnswer(try JSON(parsing: form.agreement.json.encoded)) == form.agreement)
    #expect(ConsentAnswer(try JSON(parsing: ConsentAnswer.later.json.encoded)) == .later)
    // what is not a trigger is left out, never taken for something else
    let odd: JSON = [
      "answers": [
        ["id": "talk", "trigger": "ctrl+banana"], ["trigger": "f5"], ["id": "x", "trigger": 5], 7,
      ]
    ]
    #expect(ConsentAnswer(odd) == .answers([]))
    #expect(ConsentAnswer(["answers": "yes"]) == .later)
  }

  @Test func recordedKeysAndStrokes() {
    let key = #"{"time":1.0,"kind":"hotkey","text":"ctrl+alt+p"}"# + "\n"
    #expect(RecordedTrigger.text(Array(key.utf8)) == "ctrl+alt+p")
    let rule = "- {gesture: hold, fingers: 3, do: {notify: hold}}"
    let stroke = #"{"time":1.0,"kind":"gesture","text":"\#(rule)"}"#
    #expect(RecordedTrigger.text(Array(stroke.utf8)) == "{gesture: hold, fingers: 3}")
    #expect(RecordedTrigger.text([]) == nil)
    #expect(RecordedTrigger.text(Array("junk".utf8)) == nil)
  }
}

/// Plays a user at a program: what each call of it ends with.
private final class PlayedPrograms: DialogPrograms {
  var results: [DialogResult]
  var recorded: [String?]
  private(set) var calls: [[String]] = []
  private(set) var inputs: [String] = []

  init(_ results: [(Int32, String)], recorded: [String?] = []) {
    self.results = results.map { DialogResult(status: $0.0, output: $0.1) }
    self.recorded = recorded
  }

  func run(_ arguments: [String], input: String) -> DialogResult? {
    calls.append(arguments)
    inputs.append(input)
    return results.isEmpty ? nil : results.removeFirst()
  }

  func record(showing arguments: [String]?) -> String? {
    if let arguments { calls.append(arguments) }
    return recorded.isEmpty ? nil : recorded.removeFirst()
  }
}

@Suite struct DialogTests {
  private let form = ConsentForm(usual, OtherTriggers())

  @Test func zenityAllowsWhatIsMarked() {
    let programs = PlayedPrograms([(0, "0\n")])
    #expect(
      texts(ConsentDialog.ask(form, with: ZenityDialog(programs))) == ["ctrl+alt+'p'", nil, nil])
    // what an application says is data, not markup and not an option
    #expect(programs.calls[0].count { $0 == "--extra-button" } == 1)
    let cells = programs.inputs[0].split(separator: "\n", omittingEmptySubsequences: false)
    #expect(cells.count == 3 * 5 + 1)
    #expect(cells[12] == "--extra-button")
  }

  @Test(arguments: [(4, false), (1, true), (5, true), (8, true), (255, true)])
  func zenityEndsWithoutAYes(_ status: Int32, isLater: Bool) {
    let answer = ConsentDialog.ask(form, with: ZenityDialog(PlayedPrograms([(status, "")])))
    #expect(isLater ? answer == .later : answer == form.denial)
  }

  /// zenity reads the escapes of C and then markup in its texts.
  @Test func zenityShowsTextAsItIs() {
    let programs = PlayedPrograms([(5, "")])
    var question = usual
    question.application = #"a\n<b>\042&"#
    _ = ConsentDialog.ask(
      ConsentForm(question, OtherTriggers()), with: ZenityDialog(programs))
    let text = programs.calls[0].first { $0.contains("asks for") } ?? ""
    #expect(text.hasPrefix(#"a\\n&lt;b&gt;\\042&amp; asks for"#))
    // with a combining mark it is another character, and still a sign
    #expect(ZenityDialog.text("<\u{301}\\\u{301}") == "&lt;\u{301}\\\\\u{301}")
    #expect(ZenityDialog.entryText(#"a_b\n&"#) == #"a__b\\n&"#)
  }

  /// An application asks to have its shortcuts changed when it likes: Enter must allow nothing new.
  @Test func nothingNewIsMarkedAmongWhatIsToBeChanged() {
    var question = usual
    #expect(ConsentForm(question, OtherTriggers()).allowed == [0])
    question.isChange = true
    #expect(question.rows[0].isNew)
    #expect(ConsentForm(question, OtherTriggers()).allowed.isEmpty)
    // and it may be asked about later
    #expect(texts(ConsentForm(question, OtherTriggers()).agreement) == [])
    question.rows[0].isNew = false
    #expect(ConsentForm(question, OtherTriggers()).allowed == [0])
    #expect(texts(ConsentForm(question, OtherTriggers()).agreement) == ["ctrl+alt+'p'"])
  }

  @Test func zenityThatIsGoneDecidesNothing() {
    #expect(ConsentDialog.ask(form, with: ZenityDialog(PlayedPrograms([]))) == .later)
  }

  @Test func zenityChangesKeysByPressing() {
    let programs = PlayedPrograms(
      [(6, ""), (0, "1\n"), (0, "0,1\n")], recorded: ["ctrl+alt+m"])
    let answer = ConsentDialog.ask(form, with: ZenityDialog(programs))
    #expect(texts(answer) == ["ctrl+alt+'p'", "ctrl+alt+m", nil])
  }

  @Test func zenityChangesKeysByTypingUntilTheyMayBe() {
    let programs = PlayedPrograms(
      [(1, "Change keys…\n"), (0, "1\n"), (0, "b\n"), (0, "hold 3\n"), (0, "1\n")])
    let answer = ConsentDialog.ask(form, with: ZenityDialog(programs))
    #expect(texts(answer) == [nil, "{gesture: hold, fingers: 3}", nil])
    #expect(
      programs.calls.last { $0.contains("--entry") }?.contains { $0.contains("could be typed") }
        == true)
  }

  @Test func aMarkWithoutKeysIsAskedAbout() {
    let programs = PlayedPrograms([(0, "0,2\n"), (5, "")])
    #expect(ConsentDialog.ask(form, with: ZenityDialog(programs)) == .later)
    #expect(programs.calls[1].contains { $0.contains("could be typed") })
  }

  @Test func kdialogHasAMenu() {
    let programs = PlayedPrograms(
      [(0, "1\n"), (0, "keys\n"), (0, "f9\n"), (0, "0\n"), (0, "mark\n"), (0, "allow\n")])
    let answer = ConsentDialog.ask(form, with: KDialogDialog(programs))
    #expect(texts(answer) == [nil, "f9", nil])
    #expect(
      ConsentDialog.ask(form, with: KDialogDialog(PlayedPrograms([(0, "deny\n")]))) == form.denial)
    #expect(ConsentDialog.ask(form, with: KDialogDialog(PlayedPrograms([(1, "")]))) == .later)
  }

  /// Qt reads tags, and kdialog a backslash.
  @Test func anApplicationWritesNoneOfKdialogsOwnWords() {
    let name = #"Talk<br>Keys: F9, free.\nPress Allow<!--"#
    let row = ConsentQuestion.Row(
      shortcut: RequestedShortcut(id: "talk", description: name, preferred: "<b>F9"), isNew: true,
      trigger: nil)
    let form = ConsentForm(
      ConsentQuestion(number: 1, application: "<i>app", isChange: false, rows: [row]),
      OtherTriggers())
    let programs = PlayedPrograms([(0, "0\n"), (0, "keys\n"), (0, "f9\n"), (0, "allow\n")])
    _ = ConsentDialog.ask(form, with: KDialogDialog(programs))
    #expect(programs.calls.count >= 4)
    for argument in programs.calls.joined() {
      #expect(!argument.contains("<") && !argument.contains("\\"), "\(argument)")
    }
  }

  /// Lines typed at a terminal, and the triggers that come of it.
  @Test(
    arguments: [
      (["a"], ["ctrl+alt+'p'", nil, nil]), (["d"], [nil, nil, nil]), (["q"], []), ([], []),
      (
        ["?", "9", "0", "\(Int.min)", "2", "hold 3", "-1", "a"],
        [nil, "{gesture: hold, fingers: 3}", nil]
      ),
      (["1", "", "a"], ["ctrl+alt+'p'", nil, nil]), (["1", "x", "f5", "a"], ["f5", nil, nil]),
    ] as [([String], [String?])])
  func terminal(_ lines: [String], _ expected: [String?]) {
    var left = lines
    var shown: [String] = []
    let tool = TerminalDialog(
      PlayedPrograms([]), write: { shown.append($0) },
      read: { left.isEmpty ? nil : left.removeFirst() })
    let answer = ConsentDialog.ask(form, with: tool)
    #expect((texts(answer) ?? []) == expected)
    #expect(shown.contains { $0.contains("app asks for 3 global shortcuts") })
  }
}
