import Gliss

/// The devices as a table with one row each, followed by the reasons why some cannot be read.
///
/// On a terminal, names are cut if a row does not fit. In a pipe they are complete.
struct DeviceTable {
  private let reports: [DeviceReport]
  private let table: TextTable
  private let terminal: Terminal

  /// - Parameter hasSeats: Show the seats, because the devices may belong to several.
  init(_ reports: [DeviceReport], hasSeats: Bool, on terminal: Terminal) {
    self.reports = reports
    self.terminal = terminal
    var columns = [
      TextTable.Column("node", reports.map { $0.found.nodeName.printable }),
      TextTable.Column("what", reports.map(Self.what)),
    ]
    if hasSeats {
      columns.append(TextTable.Column("seat", reports.map { $0.found.seat.printable }))
    }
    let sizes = reports.map { $0.size.map(Self.words) ?? "" }
    // no device with a size was opened: leave out the empty columns
    if sizes.contains(where: { !$0.isEmpty }) {
      let slots = reports.map { $0.slotCount.map { "\($0)" } ?? "" }
      columns.append(TextTable.Column("size", sizes))
      columns.append(TextTable.Column("slots", slots, isNumber: true))
    }
    columns.append(TextTable.Column("identity", reports.map { Self.words($0.found.identifier) }))
    columns.append(TextTable.Column("read", reports.map { $0.refusal == nil ? "yes" : "no" }))
    table = TextTable(
      columns, last: TextTable.Column("name", reports.map { $0.found.name.printable }),
      on: terminal)
  }

  /// Empty if there are no devices.
  var text: String {
    if reports.isEmpty { return "" }
    let lines = [table.heading] + reports.indices.map(row)
    return (lines + assumption + reasons).map { $0 + "\n" }.joined()
  }

  private func row(_ index: Int) -> String {
    let report = reports[index]
    let row = table.row(index, report.isTouchDevice ? .bold : nil)
    return report.refusal == nil ? row : Style.dim(row, on: terminal)
  }

  private var assumption: [String] {
    guard reports.contains(where: { $0.size?.isAssumed == true }) else { return [] }
    let text =
      "~ It does not say how large it is, so \(DeviceSize(millimetres: DeviceSize.assumed)) is assumed;"
      + " 'gliss doctor' says how to correct that."
    return [""] + text.wrapped(margin: 0, on: terminal)
  }

  /// Each reason once, with the devices it applies to.
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
