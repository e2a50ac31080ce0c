import ArgumentParser
import Glibc
import Gliss
import GlissConfiguration

/// `gliss doctor`: whether a gesture could be recognized now, and if not, what to do about it.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say whether gestures can be recognized now, and what to do where not.",
    usage: "gliss doctor [<option> ...]",
    discussion: """
      It looks at the kernel, udev, libinput, your login, the devices of one seat,
      the keyboard layout and the broker, as they are for whoever runs it: compare
      it with 'sudo gliss doctor'. To see whether another program keeps a device for
      itself it does so too, for some microseconds, and only on devices that nobody
      touches. It changes nothing else.

      EXAMPLES
        gliss doctor
        gliss doctor --seat seat1 --layout us:intl
        gliss doctor --format json | jq '.findings[] | select(.verdict != "ok")'

      EXIT STATUS
        0  gestures can be recognized on at least one touchpad or touchscreen, or the
           broker shows them to you
        1  neither
      """)

  @Option(help: ArgumentHelp("The seat whose devices matter; without it seat0.", valueName: "name"))
  var seat = "seat0"

  @Option(
    help: ArgumentHelp(
      "The keyboard layout to use, such as de or us:intl; without it the system's.",
      valueName: "name"))
  var layout: String?

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  @OptionGroup var broker: BrokerOptions

  func validate() throws {
    if seat.isEmpty { throw ValidationError("--seat needs a name, such as seat0") }
    guard let layout else { return }
    do {
      _ = try KeyboardLayout(parsing: layout)
    } catch {
      throw ValidationError("\(error)".printable)
    }
  }

  func run() throws {
    var diagnosis = Diagnosis(of: seat, layout: layout)
    let findings = BrokerFindings.gather(path: broker.path)
    diagnosis.findings += findings + CompositorFindings.gather()
    // the broker serves only this seat
    if !diagnosis.isReady, seat == "seat0", BrokerFindings.shows(findings) {
      diagnosis = BrokerFindings.completing(diagnosis)
    }
    switch format {
    case .text:
      let terminal = Terminal(Output.standard.descriptor)
      Output.standard.write(text: DiagnosisText(diagnosis, on: terminal).text)
    case .json: Output.standard.write(DiagnosisObject.bytes(of: diagnosis))
    }
    if !diagnosis.isReady { throw ExitCode(ExitStatus.failed) }
  }
}

/// A diagnosis as one JSON object, with one line per finding.
enum DiagnosisObject {
  static func bytes(of diagnosis: Diagnosis) -> [UInt8] {
    var object = JSONObject()
    object.add("ready", diagnosis.isReady)
    object.add("summary", diagnosis.summary)
    object.add("seat", diagnosis.seat)
    object.add("findings", diagnosis.findings.map(Self.object), oneALine: true)
    return object.bytes + [UInt8(ascii: "\n")]
  }

  private static func object(_ finding: Finding) -> JSONObject {
    var object = JSONObject()
    object.add("subject", finding.subject.rawValue)
    object.add("verdict", finding.verdict.rawValue)
    object.add("text", finding.text)
    object.add("path", finding.path)
    object.add("advice", finding.advice.map(Self.object))
    return object
  }

  private static func object(_ advice: Finding.Advice) -> JSONObject {
    var object = JSONObject()
    object.add("text", advice.text)
    object.add("commands", advice.commands)
    return object
  }
}

/// A diagnosis as text: one line per finding with advice below it, and a summary at the end.
struct DiagnosisText {
  private let diagnosis: Diagnosis
  private let terminal: Terminal

  /// The columns before the text: verdict and subject, each followed by two spaces.
  private static let margin = 20

  init(_ diagnosis: Diagnosis, on terminal: Terminal) {
    self.diagnosis = diagnosis
    self.terminal = terminal
  }

  var text: String {
    let style: Style = diagnosis.isReady ? .green : .red
    let summary = diagnosis.summary.printable.wrapped(margin: 0, on: terminal)
    return (diagnosis.findings.flatMap(lines) + [""] + summary.map { style($0, on: terminal) })
      .map { $0 + "\n" }.joined()
  }

  private func lines(_ finding: Finding) -> [String] {
    let text = finding.text.printable.wrapped(margin: Self.margin, on: terminal)
    let head =
      finding.verdict.style(finding.verdict.rawValue.padded(7), on: terminal) + "  "
      + Style.bold(finding.subject.rawValue.padded(9), on: terminal) + "  "
    let first = head + (text.first ?? "").drop { $0 == " " }
    return [first] + text.dropFirst()
      + finding.advice.flatMap { ProblemText.lines($0, margin: Self.margin + 2, on: terminal) }
  }
}

extension Finding.Verdict {
  fileprivate var style: Style {
    switch self {
    case .ok: .green
    case .note: .yellow
    case .problem: .red
    }
  }
}

/// The doctor's findings about a desktop that acts on gestures too.
enum CompositorFindings {
  static func gather() -> [Finding] {
    guard let compositor = Compositor.running else { return [] }
    return [
      Finding(
        .session, compositor.gestures.isEmpty ? .ok : .note, compositor.summary,
        advice: compositor.remedies.map { Finding.Advice("To turn that off: \($0).") })
    ]
  }
}

extension Compositor {
  /// This session's compositor.
  static var running: Compositor? { Compositor { getenv($0).map { String(cString: $0) } } }
}
