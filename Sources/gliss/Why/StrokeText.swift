import Gliss
import GlissAgent

/// A stroke for reading: what it was taken for, and below it the rules that fired or just missed.
struct StrokeText {
  private let terminal: Terminal

  init(_ terminal: Terminal) { self.terminal = terminal }

  /// - Parameter time: the first column.
  func text(_ stroke: StrokeReport, at time: String) -> String {
    let margin = String(repeating: " ", count: time.count + 4)
    var lines = [time + "  " + Style.bold(stroke.sentence.printable, on: terminal)]
    for fired in stroke.fired {
      lines.append(
        margin + Style.green("fired", on: terminal)
          + "   \(fired.rule.label.printable): \(fired.moments.joined(separator: ", ").printable)")
    }
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
}
