import GlissDevices
import GlissEvents

/// Writes down which strokes are hidden, in the place of the device that tells the desktop.
final class Hidden: StrokeTaking {
  /// There is no /dev/uinput.
  var isMissing = false
  private var now: FingerCounts = []
  private var ever: FingerCounts = []
  private var verdicts: [StrokeVerdict] = []

  func take(_ now: FingerCounts, of ever: FingerCounts) throws(SystemError) {
    if isMissing, ever != self.ever {
      throw SystemError("/dev/uinput", "Permission denied", advice: "run this as root", code: 13)
    }
    (self.now, self.ever) = (now, ever)
  }

  func decide(_ verdict: StrokeVerdict) { verdicts.append(verdict) }

  /// As in `3 of 3,4: 17 kept`.
  var words: String {
    func list(_ counts: FingerCounts) -> String {
      counts.isEmpty ? "none" : counts.counts.map(String.init).joined(separator: ",")
    }
    let verdicts = verdicts.map { "\($0.time.microseconds) \($0.isKept ? "kept" : "given back")" }
    return "\(list(now)) of \(list(ever)): \(verdicts.joined(separator: ", "))"
  }
}
