import Gliss

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
