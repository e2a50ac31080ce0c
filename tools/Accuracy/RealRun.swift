import GlissGestures
import Scoring

/// Replays the real recordings of a corpus and prints what became of them.
struct RealRun {
  /// Where wrong ones are drawn; `nil` for nowhere.
  private let report: HTMLReport?
  private let recordings: [Recorded]
  private let leftOut: [(path: String, why: String)]

  private let configuration: GestureConfiguration

  /// `nil` if the folder has neither an INDEX.tsv nor recordings with labels.
  init?(
    folder: String, filter: String?, _ configuration: GestureConfiguration, report: HTMLReport?
  ) {
    self.report = report
    self.configuration = configuration
    let isWanted = { (label: String) in
      RealScore.group(of: label) != nil && (filter.map { label.hasPrefix($0) } ?? true)
    }
    if let corpus = Corpus(folder: folder) {
      (recordings, leftOut) = corpus.recordings(where: isWanted)
    } else if let labelled = LabelledFolder.recordings(in: folder, where: isWanted) {
      (recordings, leftOut) = labelled
    } else {
      return nil
    }
  }

  /// Prints the tables and the wrong recordings; the tallies are those of the groups, as `real NAME`.
  func run() throws -> [Tally] {
    var byLabel: [String: Tally] = [:]
    var byGroup: [String: Tally] = [:]
    var wrong: [String] = []
    var notes: [String] = []
    for recording in recordings {
      let score = RealScore(recording)
      guard let group = RealScore.group(of: recording.label) else { continue }
      let found = outcomes(
        of: recording.events, on: recording.device, configuration: configuration)
      var tally = Tally(recording.label)
      let what = found.isEmpty ? "none" : found.map(\.description).joined(separator: "; ")
      let verdict = score.verdict(found)
      if case .wrong(let fault) = verdict {
        try draw(recording, fault.isEmpty ? what : "\(fault): \(what)")
      } else if case .clean = verdict {
        try draw(recording, nil)
      }
      switch verdict {
      case .clean: (tally.count, tally.clean) = (1, 1)
      case .wrong(let fault):
        tally.count = 1
        let words = fault.isEmpty ? found.map(\.word).joined(separator: "+") : fault
        tally.wrong[words.count > 40 ? words.prefix(40) + "…" : words] = 1
        wrong.append(
          "\(recording.label)  \(recording.path)\n    \(fault.isEmpty ? "" : fault + ": ")\(what)")
      case .undecidable(let why):
        notes.append("\(recording.label)  \(recording.path)\n    not counted, \(why): \(what)")
      }
      let own = score.ignoresOwnTaps ? score.withoutOwnTapsAndHolds(found).own : []
      if !own.isEmpty {
        let words = own.map(\.description).joined(separator: "; ")
        notes.append(
          "\(recording.label)  \(recording.path)\n    holds by itself, not counted: \(words)")
      }
      if group == "taps", let contradiction = score.contradiction {
        notes.append(
          "\(recording.label)  \(recording.path)\n    label contradicted, \(contradiction)")
      }
      byLabel[recording.label, default: Tally(recording.label)].add(tally)
      byGroup[group, default: Tally("real " + group)].add(tally)
    }
    report(byLabel, byGroup, wrong, notes + leftOut.map { "\($0.path)\n    left out: \($0.why)" })
    return byGroup.values.sorted { $0.name < $1.name }
  }

  private func draw(_ recording: Recorded, _ fault: String?) throws {
    try report?.add(
      recording.label, recording.path, fault: fault, recording.events, on: recording.device,
      configuration)
  }

  private func report(
    _ byLabel: [String: Tally], _ byGroup: [String: Tally], _ wrong: [String], _ notes: [String]
  ) {
    let header = ["label", "clean of", "n", "share", "wrong"]
    func row(_ tally: Tally) -> [String] {
      let share = tally.count == 0 ? "–" : tally.share.shown(1) + " %"
      return [tally.name, "\(tally.clean) of", "\(tally.count)", share, tally.wrongs]
    }
    printTable(header, byLabel.values.sorted { $0.name < $1.name }.map(row))
    print("")
    printTable(header, byGroup.values.sorted { $0.name < $1.name }.map(row))
    if !wrong.isEmpty { print("\nwrong:\n" + wrong.joined(separator: "\n")) }
    if !notes.isEmpty { print("\nnotes:\n" + notes.joined(separator: "\n")) }
  }
}
