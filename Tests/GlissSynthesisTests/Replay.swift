import GlissEvents
import GlissSynthesis

/// The plainest reader of multitouch events: what each slot holds after every report.
struct Replay {
  struct Contact: Equatable {
    var trackingID: Int32
    var x: Int32 = 0
    var y: Int32 = 0
  }

  struct Frame {
    var time: EventTime
    /// By slot.
    var contacts: [Int: Contact]
    var pressed: Set<UInt16>
  }

  private(set) var frames: [Frame] = []
  private(set) var mistakes: [String] = []

  init(_ events: [EvdevEvent], slots: Int) {
    var slot = 0
    var positions = [(x: Int32, y: Int32)](repeating: (0, 0), count: slots)
    var held: [Int: Int32] = [:]
    var pressed: Set<UInt16> = []
    var last = EventTime.zero
    var isOpen = false
    for event in events {
      if event.time < last { mistakes.append("time goes back at \(event.time.microseconds)") }
      if isOpen && event.time != last { mistakes.append("a frame has two times") }
      last = event.time
      isOpen = true
      switch (event.type, event.code) {
      case (.synchronization, _):
        isOpen = false
        let contacts = held.reduce(into: [Int: Contact]()) { result, pair in
          let place = positions[pair.key]
          result[pair.key] = Contact(trackingID: pair.value, x: place.x, y: place.y)
        }
        frames.append(Frame(time: event.time, contacts: contacts, pressed: pressed))
      case (.key, let code):
        if event.value == 1 { pressed.insert(code) } else { pressed.remove(code) }
      case (.absolute, AbsoluteAxis.slot.rawValue):
        slot = Int(event.value)
        if slot < 0 || slot >= slots { mistakes.append("slot \(slot) of \(slots)") }
        slot = max(0, min(slots - 1, slot))
      case (.absolute, AbsoluteAxis.trackingID.rawValue):
        if event.value < 0 && held[slot] == nil { mistakes.append("slot \(slot) ends twice") }
        if event.value >= 0 && held[slot] != nil { mistakes.append("slot \(slot) begins twice") }
        held[slot] = event.value < 0 ? nil : event.value
      case (.absolute, AbsoluteAxis.positionX.rawValue): positions[slot].x = event.value
      case (.absolute, AbsoluteAxis.positionY.rawValue): positions[slot].y = event.value
      case _: break
      }
    }
    if isOpen { mistakes.append("the last frame is open") }
    if !held.isEmpty { mistakes.append("\(held.count) contacts never end") }
    if !pressed.isEmpty { mistakes.append("keys \(pressed) stay down") }
  }
}

extension Pad {
  /// A contact's place in mm from the top left corner.
  func millimetres(_ contact: Replay.Contact) -> Vector2 {
    Vector2(
      x: Double(contact.x - minimumX) / unitsPerMillimetre.x,
      y: Double(contact.y - minimumY) / unitsPerMillimetre.y)
  }
}
