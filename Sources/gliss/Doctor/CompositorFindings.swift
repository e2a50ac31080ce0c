import Glibc
import Gliss
import GlissConfiguration

/// The doctor's findings about a desktop that acts on gestures too.
enum CompositorFindings {
  static func gather() -> [Finding] {
    guard let compositor = Compositor.running else { return [] }
    return [
      Finding(
        .session, compositor.gestures.isEmpty ? .ok : .note, compositor.summary,
        advice: compositor.remedies.map { Finding.Advice("To turn that off: \($0).") })
    ]
  }
}

extension Compositor {
  /// This session's compositor.
  static var running: Compositor? { Compositor { getenv($0).map { String(cString: $0) } } }
}
