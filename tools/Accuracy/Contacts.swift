import GlissEvents

/// Follows the contacts in a device's events. Simple, and deliberately independent of the library.
struct Contacts {
  /// One finger from landing to lifting.
  struct Touch {
    var slot: Int
    var landed: EventTime
    var lifted: EventTime
    /// Where it was after each report, in mm.
    var path: [(time: EventTime, place: Vector2)] = []

    /// The furthest it came from where it was first seen, in mm.
    var travel: Double {
      guard let first = path.first?.place else { return 0 }
      return path.map { ($0.place - first).length }.max() ?? 0
    }

    /// The furthest it had come by that time, in mm.
    func travel(by time: EventTime) -> Double? {
      guard let first = path.first?.place else { return nil }
      return path.lazy.filter { $0.time <= time }.map { ($0.place - first).length }.max()
    }

    /// Where it was at that time: the last place reported by then.
    func place(at time: EventTime) -> Vector2? {
      path.last { $0.time <= time }?.place ?? path.first?.place
    }
  }

  private(set) var touches: [Touch] = []
  /// How many reports have more than one finger in them.
  private(set) var framesTogether = 0
  /// How many fingers the device counted, and from when.
  private(set) var counts: [(time: EventTime, fingers: Int)] = []
  /// When a button of the pad went down.
  private(set) var clicks: [EventTime] = []
  private var open: [Int: Touch] = [:]
  private var places: [Int: Vector2] = [:]
  private var slot = 0
  private var fingersNow = 0

  /// - Parameter millimetres: mm per unit, horizontally and vertically
  init(_ events: [EvdevEvent], millimetres: Vector2) {
    let hasSlots = events.contains {
      $0.type == .absolute && $0.code == AbsoluteAxis.trackingID.rawValue
    }
    for event in hasSlots ? events : events.map(Self.asSlot) {
      switch (event.type, event.code) {
      case (.synchronization, SynchronizationCode.report):
        if max(open.count, fingersNow) > 1 { framesTogether += 1 }
        for slot in open.keys {
          guard let place = places[slot] else { continue }
          open[slot]?.path.append((event.time, place))
        }
      case (.key, Key.leftButton.rawValue), (.key, Key.rightButton.rawValue):
        if event.value == 1 { clicks.append(event.time) }
      case (.key, let code) where event.value == 1:
        if let fingers = Self.fingers[Key(rawValue: code)] {
          counts.append((event.time, fingers))
          fingersNow = fingers
        }
      case (.key, Key.touch.rawValue): fingersNow = 0
      case (.absolute, let code): take(AbsoluteAxis(rawValue: code), event, millimetres)
      case _: break
      }
    }
    for slot in open.keys.sorted() { close(slot, at: events.last?.time ?? .zero) }
    touches.sort { ($0.landed, $0.slot) < ($1.landed, $1.slot) }
  }

  private mutating func take(_ axis: AbsoluteAxis, _ event: EvdevEvent, _ millimetres: Vector2) {
    switch axis {
    case .slot: slot = Int(event.value)
    case .trackingID:
      close(slot, at: event.time)
      if event.value >= 0 { open[slot] = Touch(slot: slot, landed: event.time, lifted: event.time) }
    case .positionX: places[slot, default: .zero].x = Double(event.value) * millimetres.x
    case .positionY: places[slot, default: .zero].y = Double(event.value) * millimetres.y
    case _: break
    }
  }

  private mutating func close(_ slot: Int, at time: EventTime) {
    guard var touch = open.removeValue(forKey: slot) else { return }
    touch.lifted = time
    touches.append(touch)
  }

  /// A single-touch device's event as that of a slot 0.
  private static func asSlot(_ event: EvdevEvent) -> EvdevEvent {
    var event = event
    switch (event.type, event.code) {
    case (.key, Key.touch.rawValue):
      event.type = .absolute
      event.code = AbsoluteAxis.trackingID.rawValue
      event.value = event.value == 1 ? 1 : -1
    case (.absolute, AbsoluteAxis.x.rawValue): event.code = AbsoluteAxis.positionX.rawValue
    case (.absolute, AbsoluteAxis.y.rawValue): event.code = AbsoluteAxis.positionY.rawValue
    case _: break
    }
    return event
  }

  private static let fingers: [Key: Int] = [
    .toolFinger: 1, .toolDoubleTap: 2, .toolTripleTap: 3, .toolQuadTap: 4, .toolQuintTap: 5,
  ]

  /// How many fingers a group has: its touches, or the device's count if that is higher.
  func fingers(of group: [Touch]) -> Int {
    guard let landed = group.map(\.landed).min(), let lifted = group.map(\.lifted).max() else {
      return 0
    }
    let counted = counts.filter { $0.time >= landed && $0.time < lifted }.map(\.fingers).max()
    return max(group.count, counted ?? 0)
  }

  /// The touches of each stretch from an empty pad to an empty pad.
  var groups: [[Touch]] {
    var groups: [[Touch]] = []
    var end = EventTime(microseconds: .min)
    for touch in touches {
      if groups.isEmpty || touch.landed >= end {
        groups.append([touch])
      } else {
        groups[groups.count - 1].append(touch)
      }
      end = max(end, touch.lifted)
    }
    return groups
  }

  /// How far each finger that touches at `time` has come since the last of them landed, in mm.
  func travels(at time: EventTime) -> [Double] {
    let here = touches.filter { $0.landed <= time && time <= $0.lifted }
    guard let baseline = here.map(\.landed).max() else { return [] }
    return here.compactMap { touch -> Double? in
      guard let from = touch.place(at: baseline), let to = touch.place(at: time) else { return nil }
      return (to - from).length
    }
  }
}
