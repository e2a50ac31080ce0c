import ArgumentParser
import Foundation
import Scoring

/// What must be reached, one a line: `class share` or `most class ms`; `#` begins a comment.
///
/// A share is in percent; `most` limits the median time from the start of the motion to the decision.
struct Minimum {
  private var shares: [(name: String, share: Double)] = []
  private var times: [(name: String, milliseconds: Double)] = []

  init(path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for line in text.split(separator: "\n") {
      var words = line.prefix { $0 != "#" }.split(separator: " ")
      guard let last = words.popLast() else { continue }
      guard let number = Double(last) else {
        throw ValidationError("\(path): “\(line)” does not end in a number")
      }
      if words.first == "most" {
        times.append((words.dropFirst().joined(separator: " "), number))
      } else {
        shares.append((words.joined(separator: " "), number))
      }
    }
  }

  /// Exits with 1 where a class that was run misses what is asked of it.
  func check(_ tallies: [Tally]) throws {
    var misses: [String] = []
    for (name, share) in shares {
      for tally in tallies where tally.name == name && tally.count > 0 {
        guard tally.share + 1e-9 < share else { continue }
        misses.append("\(name): \(tally.share.shown(2)) % is below \(share.shown(2)) %")
      }
    }
    for (name, limit) in times {
      for tally in tallies where tally.name == name {
        guard let median = tally.fromStart.quantile(0.5), median > limit else { continue }
        misses.append("\(name): a median of \(median.shown(0)) ms is above \(limit.shown(0)) ms")
      }
    }
    guard !misses.isEmpty else { return }
    print("\nmissed:\n" + misses.joined(separator: "\n"))
    throw ExitCode(1)
  }
}
