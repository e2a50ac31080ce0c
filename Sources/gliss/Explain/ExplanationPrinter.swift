import Gliss

/// Prints explanations in the requested format.
final class ExplanationPrinter {
  private let file: String
  private let format: EventFormat
  private let explanation: Explanation
  private var lines = TextBuffer()
  private var headed: DeviceID?

  /// - Parameter settings: The second session's settings as typed; `nil` without one.
  init(file: String, origin: EventTime, format: EventFormat, settings: String?) {
    self.file = file
    self.format = format
    explanation = Explanation(
      terminal: Terminal(Output.standard.descriptor), origin: origin, settings: settings ?? "")
  }

  /// - Parameter changed: The second session's decisions on the same contact; `nil` without one.
  func print(_ stretch: Stretch, from device: Device?, with changed: [Decision]?) {
    switch format {
    case .text:
      var text = ""
      if headed != stretch.device { text = explanation.heading(file, device) }
      headed = stretch.device
      Output.standard.write(text: (text + explanation.describe(stretch, with: changed)))
    case .jsonl:
      append(stretch.decisions, of: stretch, device, settings: nil)
      if let changed { append(changed, of: stretch, device, settings: explanation.settings) }
      Output.standard.write(lines)
      lines.removeAll()
    }
  }

  /// Says so if nothing touched the device at all.
  func close() {
    switch format {
    case .text:
      if headed == nil { Output.standard.write(line: "\(file.printable): no finger touched") }
    case .jsonl: break
    }
  }

  private func append(
    _ decisions: [Decision], of stretch: Stretch, _ device: Device?, settings: String?
  ) {
    for decision in decisions {
      DecisionLine.append(
        decision, of: stretch, file: file, device: device?.name ?? "", origin: explanation.origin,
        settings: settings, to: &lines)
    }
  }
}
