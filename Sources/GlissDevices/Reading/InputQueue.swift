import GlissEvents
import GlissSession

/// Events that were read and wait to be delivered. There is one queue per touchpad and one for all
/// that libinput reads.
///
/// If several queues have events, these are delivered in order of time, packet by packet, as in a
/// replay.
protocol InputQueue: AnyObject {
  /// Reads the waiting events.
  func read() -> EvdevReader.Reading

  /// The time of the next event; `nil` if there is none.
  var nextTime: EventTime? { get }

  /// Delivers the next packet to the session.
  ///
  /// - Returns: The packet's time, if it came from the kernel.
  func deliver(into session: Session) -> EventTime?
}
