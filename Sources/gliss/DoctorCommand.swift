import ArgumentParser
import Glibc
import Gliss
import GlissAgent
import GlissConfiguration

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Report whether gestures can be recognized now, and what to do if not.",
    usage: "gliss doctor [<option> ...]",
    discussion: """
      It examines the kernel, udev, libinput, your login, the devices of one seat,
      the keyboard layout, the broker and what reports the focused application, with
      your own privileges; 'sudo gliss doctor' shows what root can read. To find out
      whether another program has grabbed a device, it grabs the device itself for
      some microseconds, and only while nobody touches it. KWin loads a script
      meanwhile. Nothing else is changed.

      EXAMPLES
        gliss doctor
        gliss doctor --seat seat1 --layout us:intl
        gliss doctor --format json | jq '.findings[] | select(.verdict != "ok")'

      EXIT STATUS
        0  gestures can be recognized on at least one touchpad or touchscreen, or the
           broker provides them to you
        1  otherwise
      """)

  @Option(help: ArgumentHelp("The seat to examine.", valueName: "name"))
  var seat = "seat0"

  @Option(
    help: ArgumentHelp(
      "The keyboard layout to try, such as de or us:intl; by default the system's.",
      valueName: "name"))
  var layout: String?

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  @OptionGroup var broker: BrokerOptions

  func validate() throws {
    if seat.isEmpty { throw ValidationError("--seat needs a name, such as seat0") }
    try Arguments.checkLayout(layout)
  }

  func run() throws {
    var diagnosis = Diagnosis(of: seat, layout: layout)
    let (findings, devices) = BrokerFindings.gather(path: broker.path)
    diagnosis.findings += findings + Compositor.findings() + TakeStatus.findings()
    diagnosis.findings += FocusWatch.findings() + PortalState.findings()
    // The broker serves seat0 only. In a sandbox no device is visible, but the broker names those
    // that it reads.
    if !diagnosis.isReady, diagnosis.hasTouchDevice || (!diagnosis.hasDevice && !devices.isEmpty),
      seat == "seat0",
      findings.contains(BrokerFindings.granted)
    {
      BrokerFindings.complete(&diagnosis)
    }
    format.print(diagnosis.lines, diagnosis.json)
    if !diagnosis.isReady { throw ExitCode.failure }
  }
}

extension Diagnosis {
  fileprivate var lines: [String] {
    let style: Style = isReady ? .green : .red
    return findings.flatMap(\.lines) + [""] + summary.printable.wrapped(margin: 0).map { style($0) }
  }

  fileprivate var json: JSON {
    [
      "ready": .bool(isReady), "summary": .string(summary), "seat": .string(seat),
      "findings": .array(findings.map(\.json)),
    ]
  }
}

extension Finding {
  /// The columns before the text: verdict and subject, each followed by two spaces.
  private static let margin = 20

  fileprivate var lines: [String] {
    let text = text.printable.wrapped(margin: Self.margin)
    let style: Style =
      switch verdict {
      case .ok: .green
      case .note: .yellow
      case .problem: .red
      }
    let head =
      style(verdict.rawValue.padded(7)) + "  "
      + Style.bold(subject.rawValue.padded(9)) + "  "
    let first = head + (text.first ?? "").drop { $0 == " " }
    return [first] + text.dropFirst()
      + advice.flatMap { ProblemText.lines($0, margin: Self.margin + 2) }
  }

  fileprivate var json: JSON {
    let advice = advice.map { advice -> JSON in
      ["text": .string(advice.text), "commands": .strings(advice.commands)]
    }
    return .members([
      "subject": .string(subject.rawValue), "verdict": .string(verdict.rawValue),
      "text": .string(text), "path": path.map(JSON.string), "advice": .array(advice),
    ])
  }
}

extension Compositor {
  /// This session's compositor, if it acts on gestures: on X11 none does by itself.
  static var running: Compositor? {
    environmentVariable("XDG_SESSION_TYPE") == "x11"
      ? nil : Compositor(environment: environmentVariable)
  }

  static func findings() -> [Finding] {
    guard let compositor = running else { return [] }
    let version = compositor.gestures.isEmpty ? nil : DesktopVersion(reportedBy: compositor.program)
    let remedies = compositor.remedies(in: version)
    return [
      Finding(
        .session, remedies.isEmpty ? .ok : .note, compositor.summary(in: version),
        advice: remedies.map { Finding.Advice($0) })
    ]
  }
}

enum BrokerFindings {
  /// Whether the broker runs, the seat's state, and what this program would be shown; and the
  /// devices that the broker reads now.
  static func gather(path: String) -> (findings: [Finding], devices: [String]) {
    do throws(ClientError) {
      let connection = try BrokerConnection(path: path)
      let status = try connection.status()
      let gestures = try connection.preflight(Scope(tier: .gesture, events: .gesture))
      let problems = status.problems.map { problem in
        let problem = ProblemText(problem)
        return Finding(.broker, .problem, problem.finding, advice: problem.advice)
      }
      let findings = [finding(of: status), finding(of: gestures, status.seat.state)]
      return (findings + problems, status.devices)
    } catch {
      return ([finding(of: error)], [])
    }
  }

  /// Adjusts `diagnosis` if the broker shows gestures: then missing access to devices does not
  /// matter.
  static func complete(_ diagnosis: inout Diagnosis) {
    diagnosis.isReady = true
    diagnosis.summary = "Gestures can be recognized now, through the broker."
    for index in diagnosis.findings.indices
    where diagnosis.findings[index].subject == .access
      && diagnosis.findings[index].verdict == .problem
    {
      diagnosis.findings[index].verdict = .note
      diagnosis.findings[index].advice = [
        .init(
          "This is intended: the broker reads it. To read it directly, see docs/access.md.")
      ]
    }
  }

  static let granted = Finding(
    .broker, .ok, "it shows gestures to this program: 'gliss watch'")

  private static func finding(of status: BrokerStatus) -> Finding {
    let peers =
      hasPeerDescriptors(RunningKernel.release)
      ? "it identifies programs by process descriptors (SO_PEERPIDFD)"
      : "it identifies programs by pid and start time: Linux before 6.5 has no SO_PEERPIDFD"
    let state = status.seat.state
    return Finding(
      .broker, state == "active" ? .ok : .note,
      "glissd \(status.version) is running, the session is \(state); \(peers)",
      advice: state == "paused" ? [.init("End the pause.", commands: ["gliss resume"])] : [])
  }

  private static func finding(of permission: Permission, _ state: String) -> Finding {
    switch permission.status {
    case .granted where ["active", "secureInput"].contains(state):
      return granted
    case .granted:
      return Finding(
        .broker, .note, "it would show gestures to this program if it were not \(state)")
    case .notDetermined, .denied, .restricted:
      let reason =
        permission.advice.map(BrokerOptions.addressed)
        ?? "the package grants gestures to /usr/bin/gliss"
      let isOpen = permission.status == .notDetermined
      let cause = isOpen ? ", because nobody has decided yet" : ""
      let problem = ProblemText(
        "it gives this program nothing\(cause); \(reason)")
      var advice = problem.advice
      if isOpen, advice.allSatisfy(\.commands.isEmpty) {
        let program = ClientArgument.ownProgram.quotedForShell
        let command =
          "sudo gliss grants grant \(program) --tier gesture\(BrokerOptions.repeated)"
        advice.append(.init("Grant it.", commands: [command]))
      }
      return Finding(.broker, .note, problem.finding, advice: advice)
    }
  }

  private static func finding(of error: ClientError) -> Finding {
    guard case .noBroker(let path, let code) = error else {
      return Finding(.broker, .problem, error.advised)
    }
    return Finding(
      .broker, .note,
      "no broker at \(path) (\(String(cString: strerror(code)))): only devices are read",
      advice: [
        .init(
          "With glissd, programs need no access to devices. Once it is installed (docs/install.md):",
          commands: ["sudo systemctl enable --now glissd.socket"])
      ])
  }

  static func hasPeerDescriptors(_ release: String) -> Bool {
    DesktopVersion(release).map { !$0.isBefore("6.5") } ?? false
  }
}

/// Splits a one-line problem from the broker or agent, `FINDING; ADVICE: COMMAND && COMMAND`, for
/// reading: the finding, the advice, and each command on its own line.
struct ProblemText {
  private(set) var finding: String
  private(set) var advice: [Finding.Advice] = []

  static let margin = 9
  private static let programs = ["sudo ", "gliss ", "systemctl "]

  init(_ text: String) {
    advice = Self.sentences(of: text)
    finding = advice.first?.text ?? ""
    if advice.first?.commands.isEmpty ?? true {
      advice = Array(advice.dropFirst())
    } else {
      advice[0].text = ""
    }
  }

  /// For `gliss status`: the finding after a word, and the advice below it.
  func lines(_ word: String, on terminal: Terminal = .output) -> [String] {
    let margin = Self.margin
    var lines = finding.printable.wrapped(margin: margin, on: terminal)
    if let first = lines.first { lines[0] = word.padded(margin) + first.dropFirst(margin) }
    return lines.map { Style.red($0, on: terminal) }
      + advice.flatMap { Self.lines($0, margin: margin, on: terminal) }
  }

  /// The lines below a finding. Commands are not wrapped, so that they can be copied.
  static func lines(
    _ advice: Finding.Advice, margin: Int, on terminal: Terminal = .output
  ) -> [String] {
    let space = String(repeating: " ", count: margin + 2)
    return advice.text.printable.wrapped(margin: margin, on: terminal)
      .map { Style.dim($0, on: terminal) } + advice.commands.map { space + $0.printable }
  }

  /// The parts between semicolons, each with the commands at its end.
  private static func sentences(of text: String) -> [Finding.Advice] {
    var found: [Finding.Advice] = []
    var rest = text[...]
    while !rest.isEmpty {
      let start = rest
      let sentence = cut(&rest, at: "; ")
      let command = programs.compactMap { sentence.firstRange(of: ": " + $0)?.lowerBound }.min()
      guard let command else {
        found.append(.init(String(sentence)))
        continue
      }
      // quoted text in a command belongs to it
      rest = start[command...].dropFirst(2)
      var line = cut(&rest, at: "; ", quotes: true)
      var commands: [String] = []
      while !line.isEmpty { commands.append(String(cut(&line, at: " && ", quotes: true))) }
      found.append(.init(String(start[..<command]) + ":", commands: commands))
    }
    return found
  }

  /// Takes the text before the next `separator`. With `quotes`, skips separators in quotes. A
  /// semicolon after a blank separates the chords of a hotkey instead.
  private static func cut(
    _ rest: inout Substring, at separator: String, quotes: Bool = false
  ) -> Substring {
    let text = rest
    var isQuoted = false
    var last: Character?
    let end = text.indices.first { index in
      defer { last = text[index] }
      if quotes, text[index] == "'" { isQuoted.toggle() }
      return !isQuoted && last != " " && text[index...].hasPrefix(separator)
    }
    rest = end.map { text[$0...].dropFirst(separator.count) } ?? ""
    return text[..<(end ?? text.endIndex)]
  }
}
