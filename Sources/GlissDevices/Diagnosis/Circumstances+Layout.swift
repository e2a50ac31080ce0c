import GlissEvents
import GlissSession

extension Circumstances.Layout {
  /// What is known about the keyboard layout, and what cannot be known.
  var finding: Finding {
    switch self {
    case .found(let layout, let source, let groups):
      let limit =
        groups.count > 1
        ? "the first counts, for which one the desktop has switched to cannot be read"
        : "whether the desktop has another cannot be read"
      let origin = source == .standard ? "\(source)" : "\(layout) by \(source)"
      return Finding(
        .layout, groups.count > 1 ? .note : .ok,
        "\(listed(groups)) (\(origin)); \(limit). \(Self.repeating)")
    case .unusable(let source, let error):
      let origin = source.map { ", by \($0)" } ?? ""
      return Finding(
        .layout, .problem, "\(error.place)\(origin): \(error.problem)",
        advice: error.advice.map { [.init($0 + ".")] } ?? [])
    }
  }

  /// The repeat of libinput and the kernel is not used, and the desktop does not publish its own.
  private static var repeating: String {
    let standard = KeyRepeat.standard
    let rate = 1_000_000 / max(1, standard.interval.microseconds)
    let delay = standard.delay.microseconds / 1000
    return
      "A held key repeats after \(delay) ms, \(rate) times a second, whatever the desktop has set"
  }
}
