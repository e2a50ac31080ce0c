import GlissEvents
import GlissSession

/// The raw events of one touchpad.
final class TouchpadQueue: InputQueue {
  let reader: EvdevReader
  let identifier: DeviceID

  init(_ reader: EvdevReader, _ identifier: DeviceID) {
    self.reader = reader
    self.identifier = identifier
  }

  func read() -> EvdevReader.Reading { reader.read() }

  var nextTime: EventTime? { reader.nextTime }

  func deliver(into session: Session) -> EventTime? {
    var time: EventTime?
    while let event = reader.next() {
      session.process(event, from: identifier)
      time = event.time
      if event.isReport { break }
    }
    return time
  }
}

/// The queues that have events to deliver.
struct ReadyQueues {
  private(set) var queues: [any InputQueue] = []

  var isEmpty: Bool { queues.isEmpty }

  /// Adds a queue that has, or may have, events.
  mutating func add(_ queue: any InputQueue) {
    if !queues.contains(where: { $0 === queue }) { queues.append(queue) }
  }

  /// Removes a queue that is gone.
  mutating func remove(_ queue: any InputQueue) { queues.removeAll { $0 === queue } }

  /// Removes the queues without events.
  mutating func removeEmpty() { queues.removeAll { $0.nextTime == nil } }

  /// The queue with the oldest packet; `nil` if all are empty.
  var earliest: (any InputQueue)? {
    var best: (queue: any InputQueue, time: EventTime)?
    for queue in queues {
      guard let time = queue.nextTime else { continue }
      if let best, best.time <= time { continue }
      best = (queue, time)
    }
    return best?.queue
  }
}

/// Events that were read and wait to be delivered. There is one queue per touchpad and one for all
/// that libinput reads.
///
/// If several queues have events, these are delivered in order of time, packet by packet, as in a
/// replay.
protocol InputQueue: AnyObject {
  /// Reads the waiting events.
  func read() -> EvdevReader.Reading

  /// The time of the next event; `nil` without one.
  var nextTime: EventTime? { get }

  /// Delivers the next packet to the session.
  ///
  /// - Returns: The packet's time, if it came from the kernel.
  func deliver(into session: Session) -> EventTime?
}
