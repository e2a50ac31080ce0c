import Gliss
import GlissAgent

/// Describes a stroke: what it was recognized as, and which rules fired or just missed. Also
/// describes hotkeys and losses.
struct StrokeText {
  private let terminal: Terminal

  init(_ terminal: Terminal) { self.terminal = terminal }

  /// - Parameter time: The text of the first column.
  func text(_ stroke: StrokeReport, at time: String) -> String {
    let margin = margin(time)
    var lines = [heading(stroke.sentence, time)]
    for fired in stroke.fired { lines += rows(fired).map { margin + $0 } }
    for missed in stroke.missed {
      lines.append(
        margin + Style.yellow("missed", on: terminal)
          + "  \(missed.rule.label.printable): \(missed.reasons.joined(separator: "; ").printable)")
    }
    if stroke.fired.isEmpty, stroke.missed.isEmpty {
      lines.append(margin + Style.dim("no rule is about it", on: terminal))
    }
    return lines.joined(separator: "\n")
  }

  func text(_ hotkey: HotkeyReport, at time: String) -> String {
    let lines = hotkey.fired.flatMap(rows).map { margin(time) + $0 }
    return ([heading("hotkey " + hotkey.hotkey, time)] + lines).joined(separator: "\n")
  }

  func text(_ loss: LossReport, at time: String) -> String {
    time + "  " + Style.red(loss.sentence.printable, on: terminal)
  }

  private func margin(_ time: String) -> String { String(repeating: " ", count: time.count + 4) }

  private func heading(_ text: String, _ time: String) -> String {
    time + "  " + Style.bold(text.printable, on: terminal)
  }

  /// The rule, and the results of its actions below it.
  private func rows(_ fired: StrokeReport.Fired) -> [String] {
    let moments = fired.moments.isEmpty ? "" : ": " + fired.moments.joined(separator: ", ")
    let space = String(repeating: " ", count: 8)
    return [outcome(fired.deeds) + (fired.rule.label + moments).printable]
      + fired.deeds.map { space + $0.sentence.printable }
  }

  /// A rule without actions at that time cannot have fired or failed.
  private func outcome(_ deeds: [Deed]) -> String {
    if deeds.isEmpty { return "engaged " }
    if deeds.allSatisfy({ $0.failed == $0.asked }) {
      return Style.red("failed", on: terminal) + "  "
    }
    return Style.green("fired", on: terminal) + "   "
  }
}
