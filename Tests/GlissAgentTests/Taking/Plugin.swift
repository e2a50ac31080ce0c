import Foundation
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

/// A stroke, frame by frame, as a pad sends it that keeps its slot and each slot's tool.
struct Played {
  var frames: [[EvdevEvent]] = []
  /// The frame at which Gliss would decide: three fingers or more, and one has gone 1.6 mm.
  var decision: Int?
  /// One of three fingers or more went almost as far as a stroke needs to be hidden.
  var creeps = false

  /// - Parameter decision: The frame at which Gliss decides.
  init(frames: [[EvdevEvent]], decision: Int? = nil) {
    self.frames = frames
    self.decision = decision
  }

  init(_ trace: Trace) {
    let hasTools = trace.device.axes[.toolType] != nil
    var frame = [EvdevEvent.absolute(.slot, 0, at: .zero)]
    for event in trace.events where event.type != .synchronization || event.isReport {
      if event.isReport {
        frames.append(frame)
        frame = []
        continue
      }
      frame.append(event)
      if hasTools, event.isAbsolute(.trackingID), event.value >= 0 {
        frame.append(.absolute(.toolType, 0, at: event.time))
      }
    }
    let scale = Vector2(
      x: 1 / (trace.device.axes[.positionX]?.perMillimetre(69) ?? 1),
      y: 1 / (trace.device.axes[.positionY]?.perMillimetre(50) ?? 1))
    decision = moment(at: 1.6, scale)
    creeps = moment(at: 0.9, scale) != nil
  }

  /// The pad does not report this slot's contact in these frames.
  mutating func lose(_ slot: Int, in lost: Range<Int>) {
    var state = PadState()
    for index in frames.indices {
      let first = Int32(state.slot)
      var frame: [EvdevEvent] = []
      for event in frames[index] {
        state.take(event)
        let isLost = lost.contains(index) && state.slot == slot && !event.isAbsolute(.slot)
        if !isLost { frame.append(event) }
      }
      func change(_ identifier: Int32, back: Int32) -> [EvdevEvent] {
        [
          .absolute(.slot, Int32(slot), at: .zero), .absolute(.trackingID, identifier, at: .zero),
          .absolute(.positionX, state.slots[slot]?.x ?? 0, at: .zero),
          .absolute(.positionY, state.slots[slot]?.y ?? 0, at: .zero),
          .absolute(.slot, back, at: .zero),
        ]
      }
      if index == lost.lowerBound { frame = change(-1, back: first) + frame }
      if index == lost.upperBound { frame += change(999, back: Int32(state.slot)) }
      frames[index] = frame
    }
  }

  /// The first frame at which one of three fingers or more has gone that many millimetres.
  private func moment(at distance: Double, _ scale: Vector2) -> Int? {
    var state = PadState()
    var starts: [Int: PadState.Slot] = [:]
    for (index, frame) in frames.enumerated() {
      let before = state.down.mapValues(\.id)
      for event in frame { state.take(event) }
      // a slot's next contact begins anew, too
      if state.down.mapValues(\.id) != before { starts = state.down }
      guard state.fingers.count >= 3 else { continue }
      let hasMoved = state.down.contains { number, slot in
        guard let start = starts[number] else { return false }
        let way = Vector2(
          x: Double(slot.x - start.x) * scale.x, y: Double(slot.y - start.y) * scale.y)
        return way.length > distance
      }
      if hasMoved { return index }
    }
    return nil
  }
}

extension AxisRange {
  fileprivate func perMillimetre(_ size: Double) -> Double {
    resolution > 0 ? Double(resolution) : Double(maximum - minimum) / size
  }
}

extension EvdevEvent {
  func isAbsolute(_ axis: AbsoluteAxis) -> Bool {
    type == .absolute && code == axis.rawValue
  }
}

/// What a reader of a pad knows.
struct PadState {
  struct Slot: Equatable {
    var id: Int32 = -1
    var x: Int32 = 0
    var y: Int32 = 0
    var tool: Int32 = 0
  }
  struct Place: Hashable {
    var id: Int32
    var x: Int32
    var y: Int32
  }

  private(set) var slot = 0
  private(set) var slots: [Int: Slot] = [:]
  private(set) var keys: Set<UInt16> = []
  /// When it got the last frame, in µs.
  var time = 0
  /// The number of the stroke, and of its frame.
  var stroke = 0
  var frame = 0
  /// The most fingers that the stroke had so far, until the next one.
  private(set) var most = 0
  /// The verdict on the stroke has come, and no finger has landed or lifted since.
  var isDecided = false
  var isSettled = false

  mutating func take(_ event: EvdevEvent) {
    if event.type == .key {
      if event.value == 0 { keys.remove(event.code) } else { keys.insert(event.code) }
    }
    guard event.type == .absolute else { return }
    switch AbsoluteAxis(rawValue: event.code) {
    case .slot: slot = Int(event.value)
    case .trackingID:
      if count == 0 { (most, isDecided) = (0, false) }
      slots[slot, default: Slot()].id = event.value
      isSettled = false
      most = max(most, count)
    case .positionX: slots[slot, default: Slot()].x = event.value
    case .positionY: slots[slot, default: Slot()].y = event.value
    case .toolType: slots[slot, default: Slot()].tool = event.value
    case _: break
    }
  }

  var down: [Int: Slot] { slots.filter { $0.value.id >= 0 } }
  /// Contacts that are not palms.
  var fingers: Set<Int> { Set(down.filter { $0.value.tool != ToolType.palm }.keys) }
  var count: Int { down.count }
  /// Contacts with their tools.
  var contacts: [Int: Slot] { down }
  /// Contacts without them.
  var places: [Int: Place] { down.mapValues { Place(id: $0.id, x: $0.x, y: $0.y) } }
}

/// Codes of `EV_MSC` that the control sends.
enum PluginEvent {
  static let serial: UInt16 = 0
  static let gesture: UInt16 = 2
  static let raw: UInt16 = 3
}

/// gliss.lua in a stand-in for libinput: what goes in is collected, then run at once.
struct Plugin {
  static let control = "Gliss control"
  static let lua = ["/usr/bin/lua5.4", "/usr/local/bin/lua5.4", "/usr/bin/lua"]
    .first { FileManager.default.isExecutableFile(atPath: $0) && is54($0) }
  static let canRun = lua != nil

  private var lines: [String] = []
  private var played: [(time: Int, events: [EvdevEvent], played: Note)] = []
  private var time = 1_000_000
  private var strokes = 0

  private struct Note {
    var stroke: Int
    var frame: Int
    var decides: Bool
  }

  init(_ pad: Pad, counts: Int32) {
    let axes = pad.device.axes.map { axis, range in
      "\(3 << 16 | Int(axis.rawValue)):\(range.minimum):\(range.maximum):\(range.resolution)"
    }
    let product = 0x1000 | counts
    lines = [
      "device pad \(pad.name);1;2;touchpad;\(axes.joined(separator: ","))",
      "device control \(Self.control);\(0x676c);\(product);other;",
    ]
  }

  /// The control says something.
  mutating func say(_ messages: (UInt16, Int32)...) {
    let words = messages.map { "\(4 << 16 | Int($0.0)):\($0.1)" }
    lines.append("frame control \(time) \(words.joined(separator: " "))")
  }

  mutating func say(_ code: UInt16, _ value: Int32) { say((code, value)) }

  mutating func play(
    _ stroke: Played, _ verdict: PluginTests.Verdict = .none, controlGoesAt end: Int? = nil,
    pause: Int = 500_000
  ) {
    for (index, events) in stroke.frames.enumerated() {
      if index == end { lines.append("removed control") }
      time += 8000
      let words = events.map { "\(Int($0.type.rawValue) << 16 | Int($0.code)):\($0.value)" }
      lines.append("frame pad \(time) \(words.joined(separator: " "))")
      let decides = index == stroke.decision
      played.append((time, events, Note(stroke: strokes, frame: index, decides: decides)))
      guard decides, verdict != .none else { continue }
      say((PluginEvent.serial, Int32(time)), (PluginEvent.raw, verdict == .keep ? 1 : 2))
    }
    time += pause
    strokes += 1
  }

  /// Runs the plugin. `check` compares what the pad said with what libinput got, after each frame, and `finally` half a
  /// second after the end of each stroke. Returns what libinput knew after each of its frames.
  @discardableResult
  func run(
    finally: (PadState, PadState, Comment) -> Void = { _, _, _ in },
    _ check: (PadState, PadState, Comment) -> Void
  ) throws -> [PadState] {
    var answers: [(time: Int, events: [EvdevEvent])] = []
    for line in try output().split(separator: "\n") where line.hasPrefix("frame pad ") {
      let words = line.split(separator: " ")
      let events = try words.dropFirst(3).map { word in
        let pair = word.split(separator: ":")
        let usage = try #require(Int(pair[0]))
        return EvdevEvent(
          time: .zero, type: EvdevType(rawValue: UInt16(usage >> 16)),
          code: UInt16(usage & 0xffff), value: try #require(Int32(pair[1])))
      }
      answers.append((try #require(Int(words[2])), events))
    }
    var (before, after) = (PadState(), PadState())
    var rest = answers[...]
    var known: [PadState] = []
    func take(until time: Int) {
      while let answer = rest.first, answer.time <= time {
        for event in answer.events { after.take(event) }
        (after.stroke, after.time) = (before.stroke, answer.time)
        known.append(after)
        rest.removeFirst()
      }
    }
    for (time, events, note) in played {
      if note.frame == 0, note.stroke > 0 {
        take(until: time - 1)
        finally(before, after, "stroke \(note.stroke - 1), at its end, \(Seed.advice)")
      }
      (before.stroke, before.frame) = (note.stroke, note.frame)
      for event in events { before.take(event) }
      take(until: time)
      check(before, after, "stroke \(note.stroke), frame \(note.frame), \(Seed.advice)")
      if note.decides { (before.isDecided, before.isSettled) = (true, true) }
    }
    take(until: .max)
    finally(before, after, "the end, \(Seed.advice)")
    return known
  }

  private func output() throws -> String {
    let folder = Repository.root.appending(path: "Tests/GlissAgentTests/Taking")
    let file = FileManager.default.temporaryDirectory.appending(path: "plugin-\(UUID().uuidString)")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.lua))
    process.arguments = [
      folder.appending(path: "libinput.lua").path,
      Repository.root.appending(path: "Sources/GlissAgent/Taking/gliss.lua").path,
    ]
    let output = Pipe()
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the plugin failed, or changed too much")
    return String(decoding: data, as: UTF8.self)
  }

  private static func is54(_ path: String) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-e", "os.exit(_VERSION == 'Lua 5.4')"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
