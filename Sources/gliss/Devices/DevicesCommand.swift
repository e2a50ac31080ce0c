import ArgumentParser
import Gliss

/// `gliss devices`: the devices, and which of them can be read.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List input devices: what they are, how large, and whether they can be read.",
    discussion: """
      It needs no rights, but the size and the slots of a touch device are known
      only where it can be opened. No events are read.

      EXAMPLES
        gliss devices
        gliss devices --all
        gliss devices --format json | jq -r '.[] | select(.readable) | .path'

      COLUMNS
        what    by udev's classes
        size    of touch devices; with ~ the device does not say, and this is assumed
        slots   how many fingers a touch device tells apart
        read    whether it can be opened; why not is said below the table
      """)

  @Flag(help: "The devices of every seat.")
  var all = false

  @Option(help: ArgumentHelp("The devices of this seat; without it seat0.", valueName: "name"))
  var seat: String?

  @Option(help: "text: a table; json: one array, an object a line.")
  var format = AnswerFormat.text

  func validate() throws {
    if all && seat != nil { throw ValidationError("--all and --seat do not go together") }
    if seat == "" { throw ValidationError("--seat needs a name, such as seat0") }
  }

  func run() throws {
    let reports: [DeviceReport]
    do {
      reports = try DeviceFinder().reports(seat: all ? nil : seat ?? "seat0")
    } catch {
      Diagnostics.say("the devices cannot be listed: \(error)".printable)
      throw ExitCode(ExitStatus.failed)
    }
    if reports.isEmpty {
      let place = all ? "" : " of \(seat ?? "seat0")"
      Diagnostics.say("there are no input devices\(place); 'gliss doctor' says why".printable)
    }
    switch format {
    case .text:
      let terminal = Terminal(Output.standard.descriptor)
      Output.standard.write(text: DeviceTable(reports, hasSeats: all, on: terminal).text)
    case .json: Output.standard.write(DeviceArray.bytes(of: reports))
    }
  }
}
