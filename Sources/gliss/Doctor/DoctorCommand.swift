import ArgumentParser
import Gliss

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
