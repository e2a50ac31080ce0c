import GlissEvents
import GlissSession

/// Events that have been read and wait for their turn: one for each touchpad, one for all that libinput reads.
///
/// Where several have something, it is handed over in order of time, a packet at a time, as a replay would.
protocol InputQueue: AnyObject {
  /// Reads what there is.
  func read() -> EvdevReader.Reading

  /// The time of what comes next; `nil` where nothing waits.
  var nextTime: EventTime? { get }

  /// Hands the next packet to the session.
  ///
  /// - Returns: its time, where it came from the kernel.
  func deliver(into session: Session) -> EventTime?
}
