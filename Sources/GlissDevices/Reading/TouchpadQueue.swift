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
