import Glibc
import Gliss
import GlissConfiguration

/// What the doctor says of the desktop that acts on gestures as well.
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
  /// The one of this session.
  static var running: Compositor? { Compositor { getenv($0).map { String(cString: $0) } } }
}
