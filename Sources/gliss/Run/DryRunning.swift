import ArgumentParser
import Gliss
import GlissAgent
import GlissConfiguration

/// `gliss run --dry-run`: what the rules would do on recordings or live input.
struct DryRunning {
  private let command: RunCommand
  private let configuration: Configuration

  /// - Throws: The exit status, if the rules cannot be read or none is for the mode.
  init(_ command: RunCommand) throws(ExitCode) {
    self.command = command
    let reading = command.rules.source.readRules()
    for refused in reading.refused { Diagnostics.badInput(refused) }
    MistakePrinter.print(reading.outcome.mistakes)
    guard let configuration = reading.outcome.configuration, reading.refused.isEmpty else {
      throw ExitCode.badInput
    }
    if let mode = command.mode, !configuration.rules.contains(where: { $0.mode == mode }) {
      Diagnostics.badInput("--mode: no rule is for the mode \(mode.printable)")
      throw ExitCode.badInput
    }
    self.configuration = configuration
  }

  func run() throws {
    if command.recordings.isEmpty { return try runLive() }
    for file in command.recordings { play(file) }
    throw Diagnostics.result
  }

  private func play(_ file: String) {
    let playback = Playback(file: file, axes: nil)
    guard var recording = playback.open() else { return }
    let printer = DryRunPrinter(
      configuration, file: file, origin: recording.origin ?? .zero, command.format)
    let rules = rules(printer)
    // for hotkeys that name a character
    rules.session.keyTranslator = (try? XkbKeyTranslator.find())?.translator
    recording.willAdvance = { time in
      rules.advance(to: time)
      return true
    }
    // finish normally even after an invalid line, because everything before it was played
    _ = playback.run(&recording, into: [rules.session])
    rules.end()
    printer.close(rules.takeIdlePresses())
    playback.reportWarnings(of: recording)
  }

  private func runLive() throws {
    let live = try LiveDevices()
    let isText = command.format == .text
    let printer = DryRunPrinter(
      configuration, file: nil, origin: isText ? InputLoop.now : .zero, command.format)
    let rules = rules(printer)
    let watches = try watchWindows(for: rules, on: live.loop)
    defer { withExtendedLifetime(watches) {} }
    live.didFindNone = {
      Diagnostics.say(
        "no touchpad, touchscreen or keyboard is there yet: 'gliss doctor' says what there is")
    }
    live.didRefuse = { Diagnostics.say("\($0)") }
    live.didHandle = { [unowned live] _ in
      printer.printIdle(rules.takeIdlePresses())
      live.alarm = rules.deadline
    }
    live.didRing = { [unowned live] in
      rules.advance(to: InputLoop.now)
      printer.printIdle(rules.takeIdlePresses())
      live.alarm = rules.deadline
    }
    rules.session.keyRepeat = .standard
    rules.session.keyTranslator = try XkbKeyTranslator.find().translator
    Interruption.redirect(to: live.loop)
    if isText { Diagnostics.say("make your gestures; Ctrl-C ends it") }
    try live.run(into: rules.session)
    throw Interruption.status
  }

  /// Watches the windows that rules ask for, if no application was named.
  private func watchWindows(
    for rules: DryRun, on loop: InputLoop
  ) throws(SystemError) -> [FocusWatch] {
    var watches: [FocusWatch] = []
    for matched in MatchedWindow.allCases
    where command.application == nil && configuration.asks(for: matched) {
      let watch = try FocusWatch(on: loop, following: matched.followed)
      watch.didChange = { window in
        rules.focus(
          on: window.map { RuleFocus.Window(names: $0.names, title: $0.title) }, as: matched)
      }
      watches.append(watch)
    }
    return watches
  }

  private func rules(_ printer: DryRunPrinter) -> DryRun {
    let rules = DryRun(
      configuration, focus: command.application.map { RuleFocus.Window(names: [$0]) },
      modifiers: command.modifiers ?? [])
    rules.didActivate = { printer.print($0) }
    rules.didEndStroke = { printer.note($0) }
    rules.didLeaveMode = { printer.printLeft($0, at: rules.session.lastTime) }
    for problem in rules.problems { Diagnostics.say(problem) }
    if let mode = command.mode { rules.enterMode(mode) }
    return rules
  }
}

/// Prints what rules would do, and which strokes had no effect.
final class DryRunPrinter {
  private let configuration: Configuration
  /// The recording; `nil` for live input.
  private let file: String?
  private let format: EventFormat
  private let origin: EventTime
  private let terminal = Terminal.standard
  private var activationCount = 0
  /// Strokes not printed yet.
  private var strokes: [MatchedGesture] = []

  init(_ configuration: Configuration, file: String?, origin: EventTime, _ format: EventFormat) {
    self.configuration = configuration
    self.file = file
    self.origin = origin
    self.format = format
    if format == .text, let file {
      Output.standard.write(line: Style.bold(file.printable, on: terminal))
    }
  }

  // MARK: Activations

  func print(_ activation: Activation) {
    activationCount += 1
    let actions = configuration.actions(of: activation).map(ActionSentence.describe)
    switch format {
    case .text: Output.standard.write(line: row(activation, actions))
    case .jsonl: Output.standard.write(record: line(activation, actions))
    }
  }

  private func row(_ activation: Activation, _ actions: [String]) -> String {
    let rule = configuration.rules[activation.rule].label.printable.padded(24)
    let parts = [
      time(activation.time), Style.bold(rule, on: terminal), activation.moment.words.padded(11),
      actions.joined(separator: "; ").printable,
    ]
    return parts.joined(separator: "  ")
  }

  private func line(_ activation: Activation, _ actions: [String]) -> JSON {
    let rule = configuration.rules[activation.rule]
    return .members([
      "time": .decimal((activation.time - origin).seconds),
      "file": file.map(JSON.string), "kind": "activation", "rule": rule.name.map(JSON.string),
      "place": .string(rule.place.description), "moment": .string(activation.moment.name),
      "times": .integer(Int64(activation.moment.times)),
      "actions": .strings(actions),
    ])
  }

  private func time(_ time: EventTime) -> String { (time - origin).seconds.fixed(3).aligned(9) }

  // MARK: Strokes

  func note(_ stroke: MatchedGesture) {
    if !stroke.isSuperseded { strokes.append(stroke) }
  }

  /// Prints the strokes and presses that had no effect, while the user still remembers making them.
  func printIdle(_ presses: [IdlePress]) {
    for report in StrokeReport.reports(of: strokes) where !report.hasActed { print(report) }
    strokes = []
    for press in presses {
      switch format {
      case .text:
        Output.standard.write(line: StrokeText(terminal).text(press, at: time(press.time)))
      case .jsonl: Output.standard.write(record: record("press", press.json, press.time))
      }
    }
  }

  /// Escape has left a mode.
  func printLeft(_ mode: String, at time: EventTime) {
    switch format {
    case .text:
      Output.standard.write(line: "\(self.time(time))  Escape leaves the mode \(mode)".printable)
    case .jsonl:
      Output.standard.write(record: record("modeLeft", ["mode": .string(mode)], time))
    }
  }

  private func print(_ report: StrokeReport) {
    switch format {
    case .text:
      Output.standard.write(line: StrokeText(terminal).text(report, at: time(report.time)))
    case .jsonl: Output.standard.write(record: record("stroke", report.json, report.time))
    }
  }

  /// A record of that kind, with times counted from the recording's start.
  private func record(_ kind: String, _ json: JSON, _ time: EventTime) -> JSON {
    let time = JSON.decimal((time - origin).seconds)
    let head: [JSON.Member] =
      [.init("time", time)] + (file.map { [.init("file", .string($0))] } ?? [])
    let rest = (json.object ?? []).filter { $0.name != "time" }
    return .object(head + [.init("kind", .string(kind))] + rest)
  }

  /// The recording has ended.
  func close(_ presses: [IdlePress]) {
    guard format == .text else { return printIdle(presses) }
    Output.standard.write(line: "  " + summary(presses))
    let hints = hints(presses)
    printIdle(presses)
    for hint in hints { Output.standard.write(line: Style.dim("  " + hint, on: terminal)) }
  }

  /// How to try rules that ask for what the recording does not have.
  private func hints(_ presses: [IdlePress]) -> [String] {
    let missed = StrokeReport.reports(of: strokes).filter { !$0.hasActed }.flatMap(\.missed)
    let reasons = (missed + presses.flatMap(\.missed)).flatMap(\.reasons)
    let held = "held: none, rule asks for "
    let modifiers = reasons.first { $0.hasPrefix(held) }?.dropFirst(held.count)
    let asked = configuration.rules.compactMap { $0.application?.only.first }
    let name = asked.first { !$0.contains("*") && !$0.contains("?") }
    let isMissed = reasons.contains { $0.hasPrefix("no application has the focus, ") }
    return [
      modifiers.map { "held: none: to try it, --modifiers \($0)" },
      isMissed
        ? name.map { "no application has the focus: to try it, --application \($0.quotedForShell)" }
        : nil,
    ].compactMap(\.self)
  }

  private func summary(_ presses: [IdlePress]) -> String {
    let reports = StrokeReport.reports(of: strokes)
    let strokes = reports.count { !$0.hasActed }
    let made = "\(counted(activationCount, "activation")), \(counted(reports.count, "stroke"))"
    let keys = presses.isEmpty ? nil : "\(presses.count) press\(presses.count == 1 ? "" : "es")"
    let idle = [strokes == 0 ? nil : keys == nil ? "\(strokes)" : counted(strokes, "stroke"), keys]
      .compactMap(\.self)
    return idle.isEmpty ? made : "\(made); \(idle.joined(separator: " and ")) without effect:"
  }
}

/// Describes an action in a few words.
enum ActionSentence {
  static func describe(_ action: Action) -> String {
    switch action.verb {
    case .run(let command):
      switch command.program {
      case .arguments: return "run " + command.program.spoken
      case .shell: return "shell: " + command.program.spoken
      }
    case .keys(let chords): return "keys " + chords.map(\.description).joined(separator: " ")
    case .hold(let chords): return "hold " + chords.map(\.textToPress).joined(separator: " ")
    case .letGo(let chords):
      return "release " + chords.map(\.textToPress).joined(separator: " ")
    case .move(let factor): return "move the pointer × \(factor.written)"
    case .turns(let turns):
      let texts = turns.map { $0.map(describe).joined(separator: "; ") }
      return "in turn, one a time: " + texts.joined(separator: " | ")
    case .mode(let mode): return mode.map { "mode \($0)" } ?? "mode none"
    case .notify(let summary, _): return "notify “\(summary)”"
    case .desktop(let action): return action.written
    case .emit(let emission): return "emit \(emission.line ?? "the event") to \(emission.path)"
    }
  }
}

extension Activation.Moment {
  /// As in stroke reports.
  var words: String {
    switch self {
    case .forward(_, let count), .back(_, let count): count == 1 ? name : "\(name) × \(count)"
    case .begin, .change, .end, .cancel, .release: name
    }
  }
}
