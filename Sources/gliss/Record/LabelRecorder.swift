import ArgumentParser
import Glibc
import Gliss

struct LabelledStroke {
  var label: String
  /// What to do, as an imperative.
  var words: String

  static let all = [
    LabelledStroke(label: "tap1x1", words: "tap with one finger"),
    LabelledStroke(label: "tap2x1", words: "tap with two fingers"),
    LabelledStroke(label: "tap3x1", words: "tap with three fingers"),
    LabelledStroke(label: "drag2-up", words: "drag two fingers up"),
    LabelledStroke(label: "drag2-down", words: "drag two fingers down"),
    LabelledStroke(label: "drag2-left", words: "drag two fingers to the left"),
    LabelledStroke(label: "drag2-right", words: "drag two fingers to the right"),
    LabelledStroke(label: "swipe3-left", words: "swipe three fingers to the left"),
    LabelledStroke(label: "swipe3-right", words: "swipe three fingers to the right"),
    LabelledStroke(label: "swipe3-up", words: "swipe three fingers up"),
    LabelledStroke(label: "swipe3-down", words: "swipe three fingers down"),
    LabelledStroke(label: "swipe4-left", words: "swipe four fingers to the left"),
    LabelledStroke(label: "swipe4-right", words: "swipe four fingers to the right"),
    LabelledStroke(label: "pinch-in", words: "pinch: two fingers towards each other"),
    LabelledStroke(label: "pinch-out", words: "spread: two fingers away from each other"),
    LabelledStroke(label: "rotate-left", words: "turn two fingers to the left"),
    LabelledStroke(label: "rotate-right", words: "turn two fingers to the right"),
    LabelledStroke(label: "thumb+drag2-down", words: "rest the thumb, and drag two fingers down"),
    LabelledStroke(label: "rest1+move1", words: "rest one finger, and point with another"),
  ]
}

/// Asks for strokes, one after the other, and writes each to a recording of its own with its label.
final class LabelRecorder {
  private let raw: RawDevices
  private let folder: String
  private let wanted: [LabelledStroke]
  private let times: Int
  private let device: RecordedDevice
  private var machine = LabelMachine()
  private var count = 0
  /// The file of the last stroke, until it is discarded.
  private var last: String?
  private var failure: SystemError?

  /// - Parameter raw: one device.
  init(_ raw: RawDevices, folder: String, _ wanted: [LabelledStroke], times: Int) throws {
    guard let member = raw.members.first else { throw Diagnostics.refusal("there is no device") }
    self.raw = raw
    self.folder = folder
    self.wanted = wanted
    self.times = times
    device = RecordedDevice(member.device, node: member.found.path, otherCodes: member.otherCodes)
    Interruption.redirect(to: raw.loop)
    raw.didRead = { [unowned self] event, _ in
      machine.take(event.redacted)
    }
    raw.didLose = { [unowned raw] _, refused in
      let reason = refused.map { ": \($0.problem)" } ?? ""
      Diagnostics.say("gone: \(member.device.name)\(reason)")
      raw.loop.stop()
    }
    if isatty(STDIN_FILENO) == 1 {
      try raw.loop.watch(STDIN_FILENO) { [unowned self] in takeLine() }
    }
  }

  func run() throws(SystemError) -> ExitCode {
    Diagnostics.say(
      "\(wanted.count * times) strokes go to \(folder); Enter discards the last one, Ctrl-C ends")
    ask()
    while !raw.loop.isStopping, !raw.isEmpty, count < wanted.count * times, failure == nil {
      if let stroke = machine.advance(to: InputLoop.now) {
        keep(stroke)
      } else {
        try raw.turn(until: machine.deadline)
      }
    }
    if let failure { throw failure }
    Diagnostics.say("\(count) strokes are in \(folder)")
    return Interruption.status
  }

  private var current: LabelledStroke { wanted[min(count / times, wanted.count - 1)] }

  private func ask() {
    guard count < wanted.count * times else { return }
    Diagnostics.say("\(count % times + 1) of \(times): \(current.words)  [\(current.label)]")
  }

  private func keep(_ stroke: [EvdevEvent]) {
    let bytes = RecordingWriter.bytes(of: device, stroke, label: current.label)
    let path = freePath
    do {
      try WholeFile.write(bytes, to: path)
      last = path
      count += 1
      ask()
    } catch {
      failure = error
    }
  }

  /// A name that no file has yet: an earlier session is continued, not overwritten.
  private var freePath: String {
    var number = 1
    while true {
      let digits = number < 10 ? "0\(number)" : "\(number)"
      let path = "\(folder)/\(current.label)-\(digits).yml"
      if access(path, F_OK) != 0 { return path }
      number += 1
    }
  }

  private func takeLine() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let length = read(STDIN_FILENO, &bytes, bytes.count)
    guard length > 0 else { return raw.loop.unwatch(STDIN_FILENO) }
    guard let path = last else { return Diagnostics.say("there is nothing to discard") }
    guard unlink(path) == 0 else {
      return Diagnostics.say("\(SystemError(path, failed: errno))")
    }
    last = nil
    count -= 1
    Diagnostics.say("discarded \(path)")
    ask()
  }
}

/// Cuts a device's events into strokes: from the first finger down until all have been up for a while.
struct LabelMachine {
  /// How long all fingers are up before a stroke is over, because a second tap may follow.
  static let pause = EventInterval.milliseconds(700)

  private var isInStroke = false
  /// When ``advance(to:)`` must be called if nothing comes first: all fingers are up, and the stroke
  /// is over then.
  private(set) var deadline: EventTime?
  private var stroke: [EvdevEvent] = []
  /// The events since the last report. They belong to a stroke if a finger lands among them.
  private var packet: [EvdevEvent] = []
  private var known = KnownState()

  mutating func take(_ event: EvdevEvent) {
    packet.append(event)
    if event.type == .key, event.code == Key.touch.rawValue {
      if event.value == 1 {
        if !isInStroke { stroke = known.events(at: event.time) }
        (isInStroke, deadline) = (true, nil)
      }
      if event.value == 0, isInStroke { deadline = event.time + Self.pause }
    }
    guard event.type == .synchronization else { return }
    if isInStroke { stroke += packet }
    for event in packet { known.take(event) }
    packet.removeAll()
  }

  /// - Returns: A stroke that is over, with times since its first event.
  mutating func advance(to time: EventTime) -> [EvdevEvent]? {
    guard let due = deadline, due <= time else { return nil }
    (isInStroke, deadline) = (false, nil)
    defer { stroke = [] }
    let origin = stroke.first?.time ?? .zero
    return stroke.map { event in
      var event = event
      event.time = .zero + (event.time - origin)
      return event
    }
  }
}

/// What a device has reported. The kernel reports only changes, so a stroke that is recorded by
/// itself begins with the state before it: a finger that lands where another one was has no position
/// of its own.
private struct KnownState {
  private var slot: Int32 = 0
  /// The last event of each axis by slot; in -1 those of axes and keys that are of no finger.
  private var last: [Int32: [UInt16: EvdevEvent]] = [:]

  mutating func take(_ event: EvdevEvent) {
    let isAxis = event.type == .absolute
    if isAxis, event.code == AbsoluteAxis.slot.rawValue {
      slot = event.value
    } else if isAxis || (event.type == .key && Key(rawValue: event.code).isContact) {
      let isInSlot = isAxis && event.code > AbsoluteAxis.slot.rawValue
      last[isInSlot ? slot : -1, default: [:]][event.code] = event
    }
  }

  func events(at time: EventTime) -> [EvdevEvent] {
    var events: [EvdevEvent] = []
    for (slot, values) in last.sorted(by: { $0.key < $1.key }) {
      if slot >= 0 { events.append(.absolute(.slot, slot, at: time)) }
      // a key that is up is as at the beginning of a recording
      let known = values.values.filter { $0.type == .absolute || $0.value != 0 }
      events += known.sorted { $0.code < $1.code }
    }
    if last.keys.contains(where: { $0 >= 0 }) { events.append(.absolute(.slot, slot, at: time)) }
    for index in events.indices { events[index].time = time }
    return events
  }
}
