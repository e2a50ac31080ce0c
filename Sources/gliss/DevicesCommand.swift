import ArgumentParser
import Gliss

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List input devices: what they are, how large, and whether they can be read.",
    discussion: """
      It needs no privileges, but the size and the slots of a touch device are known
      only if the device can be opened. No events are read.

      EXAMPLES
        gliss devices
        gliss devices --all
        gliss devices --format json | jq -r '.[] | select(.readable) | .path'

      COLUMNS
        what    its classes in udev
        size    of touch devices; ~ means assumed: the device reports none
        slots   how many fingers a touch device tells apart
        read    whether it can be opened; if not, the reason is below the table
      """)

  @Flag(help: "The devices of every seat.")
  var all = false

  @Option(help: ArgumentHelp("The devices of this seat; by default seat0.", valueName: "name"))
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
      throw Diagnostics.failure("the devices cannot be listed: \(error)")
    }
    if reports.isEmpty {
      let place = all ? "" : " of \(seat ?? "seat0")"
      Diagnostics.say("there are no input devices\(place); 'gliss doctor' says why")
    }
    format.print(lines(reports), .array(reports.map(\.json)))
  }

  private func lines(_ reports: [DeviceReport]) -> [String] {
    if reports.isEmpty { return [] }
    var columns: [TextTable.Column] = [
      .init("node", reports.map { $0.found.nodeName.printable }),
      .init("what", reports.map { EventSentence.describe($0.classes) }),
    ]
    if all { columns.append(.init("seat", reports.map { $0.found.seat.printable })) }
    let sizes = reports.map { $0.size.map { "\($0)" + ($0.isAssumed ? " ~" : "") } ?? "" }
    // no device with a size was opened: leave out the empty columns
    if sizes.contains(where: { !$0.isEmpty }) {
      let slots = reports.map { $0.slotCount.map { "\($0)" } ?? "" }
      columns.append(.init("size", sizes))
      columns.append(.init("slots", slots, isNumber: true))
    }
    let identities = reports.map(\.found.identifier).map {
      "\($0.busName) \($0.vendorText):\($0.productText)"
    }
    columns.append(.init("identity", identities))
    columns.append(.init("read", reports.map { $0.refusal == nil ? "yes" : "no" }))
    let table = TextTable(columns, last: .init("name", reports.map { $0.found.name.printable }))
    let rows = reports.enumerated().map { index, report in
      let row = table.row(index, report.isTouchDevice ? .bold : nil)
      return report.refusal == nil ? row : Style.dim(row)
    }
    return [table.heading] + rows + Self.assumption(reports) + Self.reasons(reports)
  }

  private static func assumption(_ reports: [DeviceReport]) -> [String] {
    guard reports.contains(where: { $0.size?.isAssumed == true }) else { return [] }
    let text =
      "~ It does not say how large it is, so \(DeviceSize(millimetres: DeviceSize.assumed)) is assumed;"
      + " 'gliss doctor' says how to correct that."
    return [""] + text.wrapped(margin: 0)
  }

  /// Each reason once, with the devices it applies to.
  private static func reasons(_ reports: [DeviceReport]) -> [String] {
    var groups: [(refusal: RefusedDevice, nodes: [String])] = []
    for report in reports {
      guard let refusal = report.refusal else { continue }
      if let index = groups.firstIndex(where: { $0.refusal.reason == refusal.reason }) {
        groups[index].nodes.append(report.found.nodeName)
      } else {
        groups.append((refusal, [report.found.nodeName]))
      }
    }
    return groups.flatMap { refusal, nodes in
      let title = "\(nodes.joined(separator: ", ")): \(refusal.problem)".printable
      let advice = refusal.advice?.wrapped(margin: 2) ?? []
      return [""] + title.wrapped(margin: 0) + advice
    }
  }
}

extension DeviceReport {
  fileprivate var json: JSON {
    .members([
      "path": .string(found.path), "name": .string(found.name),
      "classes": .strings(classes.words), "seat": .string(found.seat),
      "bus": .string(found.identifier.busName), "vendor": .string(found.identifier.vendorText),
      "product": .string(found.identifier.productText),
      "size_mm": size.map { [Self.tenths($0.millimetres.x), Self.tenths($0.millimetres.y)] },
      "size_assumed": size.map { .bool($0.isAssumed) },
      "slots": slotCount.map(JSON.whole), "readable": .bool(refusal == nil),
      "problem": refusal.map { .string($0.problem) }, "advice": refusal?.advice.map(JSON.string),
    ])
  }

  private static func tenths(_ value: Double) -> JSON { .decimal((value * 10).rounded() / 10) }
}
