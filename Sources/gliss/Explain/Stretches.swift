import Gliss

/// From the first finger down to all lifted, on one device.
struct Stretch {
  var device: DeviceID
  var start: EventTime
  /// `nil` while a finger is down.
  var end: EventTime?
  /// The most fingers that were down at once.
  var fingers: Int
  var decisions: [Decision] = []
}

/// Puts decisions beside the stretch of contact they belong to.
struct Stretches {
  /// Taps and holds may be decided after the fingers have left, but not this much later.
  private static let settling = EventInterval(microseconds: 2_000_000)

  private var open: [DeviceID: Int] = [:]
  private var waiting: [Stretch] = []

  /// Follows the contacts; the other events say nothing here.
  mutating func note(_ event: InputEvent) {
    switch event {
    case .touch(let frame):
      let down = frame.touches.count { !$0.phase.isFinal }
      note(down: down, counted: max(down, frame.fingerCount), frame)
    case .gesture, .key, .button, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  private mutating func note(down: Int, counted: Int, _ frame: TouchFrame) {
    if let index = open[frame.device] {
      waiting[index].fingers = max(waiting[index].fingers, counted)
      if down == 0 {
        waiting[index].end = frame.time
        open[frame.device] = nil
      }
    } else if down > 0 {
      open[frame.device] = waiting.count
      waiting.append(Stretch(device: frame.device, start: frame.time, fingers: counted))
    }
  }

  /// Files `decision` under the stretch in which its fingers had landed.
  mutating func note(_ decision: Decision) {
    let index = waiting.lastIndex {
      $0.device == decision.device && $0.start <= decision.landed
    }
    if let index {
      waiting[index].decisions.append(decision)
    } else {
      // a decision on fingers that no frame showed: a stretch of its own rather than silence
      waiting.append(
        Stretch(
          device: decision.device, start: decision.landed, end: decision.time,
          fingers: decision.fingers, decisions: [decision]))
    }
  }

  /// Takes out, in order, what is over and will see no more decisions by `time`; all of it for `nil`.
  mutating func settled(by time: EventTime?) -> [Stretch] {
    var count = 0
    while count < waiting.count {
      if let time {
        guard let end = waiting[count].end, time - end > Self.settling else { break }
      }
      count += 1
    }
    if count == 0 { return [] }
    defer {
      waiting.removeFirst(count)
      for (device, index) in open { open[device] = index >= count ? index - count : nil }
    }
    return Array(waiting.prefix(count))
  }
}
