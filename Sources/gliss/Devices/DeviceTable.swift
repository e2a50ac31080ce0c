import Gliss

/// The devices as a table, a row for each, and below it why some cannot be read.
///
/// A terminal gets the names cut where a row would not fit; a pipe gets them whole.
struct DeviceTable {
  private struct Column {
    var title: String
    var cells: [String]
    var isNumber = false

    var width: Int { max(title.count, cells.map(\.count).max() ?? 0) }

    func cell(_ text: String) -> String {
      (isNumber ? text.aligned(width) : text.padded(width)) + "  "
    }
  }

  private let reports: [DeviceReport]
  private let columns: [Column]
  private let terminal: Terminal

  /// - Parameter hasSeats: they may be of several seats, so that each row says which.
  init(_ reports: [DeviceReport], hasSeats: Bool, on terminal: Terminal) {
    self.reports = reports
    self.terminal = terminal
    var columns = [
      Column(title: "node", cells: reports.map { $0.found.nodeName.printable }),
      Column(title: "what", cells: reports.map(Self.what)),
    ]
    if hasSeats {
      columns.append(Column(title: "seat", cells: reports.map { $0.found.seat.printable }))
    }
    let sizes = reports.map { $0.size.map(Self.words) ?? "" }
    // nobody opened one that has a size: no empty columns
    if sizes.contains(where: { !$0.isEmpty }) {
      let slots = reports.map { $0.slotCount.map { "\($0)" } ?? "" }
      columns.append(Column(title: "size", cells: sizes))
      columns.append(Column(title: "slots", cells: slots, isNumber: true))
    }
    columns.append(
      Column(title: "identity", cells: reports.map { Self.words($0.found.identifier) }))
    columns.append(Column(title: "read", cells: reports.map { $0.refusal == nil ? "yes" : "no" }))
    self.columns = columns
  }

  /// Empty where there are no devices.
  var text: String {
    if reports.isEmpty { return "" }
    let heading = columns.map { $0.cell($0.title) }.joined() + "name"
    var lines = [Style.dim(heading, on: terminal)]
    lines += reports.indices.map(row)
    return (lines + assumption + reasons).map { $0 + "\n" }.joined()
  }

  private func row(_ index: Int) -> String {
    let report = reports[index]
    let cells = columns.map { $0.cell($0.cells[index]) }.joined()
    let name = cut(report.found.name.printable, to: terminal.columns - cells.count)
    let row = cells + (report.isTouchDevice ? Style.bold(name, on: terminal) : name)
    return report.refusal == nil ? row : Style.dim(row, on: terminal)
  }

  private func cut(_ name: String, to width: Int) -> String {
    guard terminal.isThere, name.count > width, width > 3 else { return name }
    return name.prefix(width - 1) + "…"
  }

  private var assumption: [String] {
    guard reports.contains(where: { $0.size?.isAssumed == true }) else { return [] }
    let text =
      "~ It does not say how large it is, so \(DeviceSize(millimetres: DeviceSize.assumed)) is assumed;"
      + " 'gliss doctor' says how to correct that."
    return [""] + text.wrapped(margin: 0, on: terminal)
  }

  /// Each reason once, with the devices that have it.
  private var reasons: [String] {
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
      let advice = refusal.advice?.wrapped(margin: 2, on: terminal) ?? []
      return [""] + title.wrapped(margin: 0, on: terminal) + advice
    }
  }

  private static func what(_ report: DeviceReport) -> String {
    EventSentence.describe(report.classes)
  }

  private static func words(_ identifier: Device.Identifier) -> String {
    "\(identifier.busName) \(identifier.vendorText):\(identifier.productText)"
  }

  private static func words(_ size: DeviceSize) -> String {
    "\(size)" + (size.isAssumed ? " ~" : "")
  }
}
