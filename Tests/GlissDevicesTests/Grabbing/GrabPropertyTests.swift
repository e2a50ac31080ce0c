import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissDevices

/// Any keys, any hand-overs at any time: what the desktop sees is what was pressed, once.
@Suite struct GrabPropertyTests {
  /// A keyboard, a kernel, a desktop that reads the keyboard or its twin, and one that reads late.
  private struct World {
    var machine = GrabMachine()
    var now: Int64 = 1
    var isGrabbed = false
    /// What was not read yet.
    var queue: [EvdevEvent] = []
    var physical: Set<Key> = []
    /// Presses, each by its time: which key, and whether it is one that hotkeys keep.
    var presses: [EventTime: Key] = [:]
    var kept: Set<EventTime> = []
    /// How often the desktop has seen each press.
    var seen: [EventTime: Int] = [:]
    var onKeyboard: Set<Key> = []
    var onTwin: Set<Key> = []
    var faults: [String] = []
    var isRough = false
    private var packet: [EvdevEvent] = []

    var time: EventTime { EventTime(microseconds: now) }

    mutating func tick() { now += 3 }

    // MARK: The keyboard

    mutating func toggle(_ key: Key, keeps: Bool) {
      tick()
      let isDown = physical.contains(key)
      if isDown {
        physical.remove(key)
      } else {
        physical.insert(key)
        presses[time] = key
        if keeps { kept.insert(time) }
      }
      send(key, isDown ? 0 : 1)
    }

    mutating func `repeat`(_ key: Key) {
      tick()
      if physical.contains(key) { send(key, 2) }
    }

    private mutating func send(_ key: Key, _ value: Int32) {
      queue += [
        EvdevEvent(time: time, type: .miscellaneous, code: 4, value: Int32(key.rawValue)),
        .key(key, value, at: time), .report(at: time),
      ]
      guard !isGrabbed else { return }
      if value == 1 {
        onKeyboard.insert(key)
        seen[time, default: 0] += 1
      } else if value == 0 {
        onKeyboard.remove(key)
      }
    }

    // MARK: The desktop's view of the twin

    private mutating func flush() {
      var last = EvdevEvent.report(at: .zero)
      for event in packet {
        last = event
        let key = Key(rawValue: event.code)
        guard event.type == .key else { continue }
        switch event.value {
        case 1:
          if !onTwin.insert(key).inserted { faults.append("\(key.name) went down twice") }
          if presses[event.time] == key {
            seen[event.time, default: 0] += 1
          }
        case 0:
          if onTwin.remove(key) == nil { faults.append("\(key.name) came up twice") }
        case _:
          if !onTwin.contains(key) { faults.append("\(key.name) repeats and is up") }
        }
      }
      if !last.isReport { faults.append("a packet without an end") }
      if onTwin.contains(GrabMachine.mask), !machine.passed.contains(GrabMachine.mask) {
        faults.append("the mask stays down")
      }
      packet.removeAll()
    }

    // MARK: Who reads

    /// Reads so many packets.
    mutating func read(_ count: Int) {
      var left = count * 3
      while left > 0, !queue.isEmpty {
        let event = queue.removeFirst()
        let isPress = event.type == .key && event.value == 1
        let action = machine.process(
          event, keeps: isPress && kept.contains(event.time), masks: true, into: &packet)
        if event.isReport {
          flush()
          perform(action)
        }
        left -= 1
      }
    }

    mutating func perform(_ action: GrabMachine.Action?) {
      switch action {
      case nil: break
      case .grab:
        guard queue.isEmpty else { return }
        if !physical.isEmpty {
          machine.lost(physical, at: time, into: &packet)
          return
        }
        if !onKeyboard.isEmpty { faults.append("grabbed while the desktop has keys down") }
        isGrabbed = true
        machine.took(at: time)
        tick()
      case .giveBack:
        isGrabbed = false
        machine.gaveBack(at: time)
        tick()
        while !queue.isEmpty { read(1) }
        machine.cleared(into: &packet)
        flush()
      }
    }

    mutating func want() { machine.want(from: EventTime(microseconds: now + 20)) }
    mutating func unwant() { perform(machine.unwant(at: time)) }

    mutating func advance() {
      tick()
      let action = machine.advance(to: time, into: &packet)
      flush()
      perform(action)
    }

    /// The panic chord, a stall, the end of the program.
    mutating func leave() {
      isRough = true
      let action = machine.leave(into: &packet)
      flush()
      if action != nil { isGrabbed = false }
    }

    /// More than the kernel keeps.
    mutating func lose() {
      isRough = true
      queue = [
        EvdevEvent(time: time, type: .synchronization, code: 3, value: 0), .report(at: time),
      ]
      let event = queue.removeFirst()
      machine.lost(physical, at: time, into: &packet)
      _ = machine.process(event, into: &packet)
      flush()
      read(1)
    }
  }

  private static let keys: [Key] = [
    .a, .leftShift, .leftSuper, .leftAlt, Key(rawValue: 48), Key(rawValue: 49), GrabMachine.mask,
  ]

  private static func play(_ random: inout RandomSource, steps: Int, rough: Bool) -> World {
    var world = World()
    for _ in 0..<steps {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<55:
        // few at a time, or no hand-over ever comes
        let isRelease = Int.random(in: 0..<3, using: &random) < world.physical.count
        let held = world.physical.sorted().randomElement(using: &random)
        let key = (isRelease ? held : nil) ?? keys.randomElement(using: &random) ?? .a
        world.toggle(key, keeps: Int.random(in: 0..<4, using: &random) == 0)
      case 55..<60: world.repeat(keys.randomElement(using: &random) ?? .a)
      case 60..<85: world.read(Int.random(in: 1...4, using: &random))
      case 85..<90: world.want()
      case 90..<93: world.unwant()
      case 93..<98: world.advance()
      case 98 where rough: world.leave()
      case _: if rough { world.lose() }
      }
    }
    for key in world.physical.sorted() { world.toggle(key, keeps: false) }
    world.read(.max / 3)
    return world
  }

  @Test func everyPressArrivesOnceUnlessItIsKept() {
    var grabs = 0
    for index in 0..<150 {
      var random = Seed.source("Grabs", index)
      let world = Self.play(&random, steps: 300, rough: false)
      #expect(world.faults == [], "\(index), \(Seed.advice)")
      #expect(world.onTwin.isEmpty && world.onKeyboard.isEmpty, "\(index), \(Seed.advice)")
      for (time, key) in world.presses {
        let count = world.seen[time] ?? 0
        // one that is kept counts only while it is ours
        let isRight = world.kept.contains(time) ? count <= 1 : count == 1
        #expect(isRight, "\(key.name) was seen \(count) times; \(index), \(Seed.advice)")
      }
      grabs += world.kept.count { world.seen[$0] == nil }
    }
    #expect(grabs > 50, "hardly anything was ever kept")
  }

  @Test func whateverHappensNothingStaysDownAndNothingIsSeenTwice() {
    for index in 0..<100 {
      var random = Seed.source("RoughGrabs", index)
      let world = Self.play(&random, steps: 400, rough: true)
      #expect(world.faults == [], "\(index), \(Seed.advice)")
      #expect(world.onTwin.isEmpty && world.onKeyboard.isEmpty, "\(index), \(Seed.advice)")
      let twice = world.presses.filter { (world.seen[$0.key] ?? 0) > 1 }
      #expect(twice.isEmpty, "\(index), \(Seed.advice)")
    }
  }

  /// While it is ours: the same events in the same packets, but for the keys that are kept and the mask behind them.
  @Test func allButKeptEventsArePassedOn() {
    for index in 0..<20 {
      var random = Seed.source("Passing", index)
      var machine = GrabMachine()
      machine.want(from: .zero)
      machine.took(at: .zero)
      var (packet, expected, got): ([EvdevEvent], [EvdevEvent], [EvdevEvent]) = ([], [], [])
      var down: [Key: Bool] = [:]
      for step in 1...500 {
        let time = EventTime(microseconds: Int64(step))
        var left: [EvdevEvent] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let key = Self.keys.dropLast().randomElement(using: &random) ?? .a
          let isRepeat = down[key] != nil && Bool.random(using: &random)
          let value: Int32 = isRepeat ? 2 : down[key] == nil ? 1 : 0
          let isKept = down[key] ?? (Int.random(in: 0..<3, using: &random) == 0)
          down[key] = value == 0 ? nil : isKept
          let events = [
            EvdevEvent(time: time, type: .miscellaneous, code: 4, value: Int32(key.rawValue)),
            .key(key, value, at: time),
          ]
          for event in events {
            _ = machine.process(event, keeps: value == 1 && isKept, into: &packet)
          }
          if !isKept { left += events }
        }
        _ = machine.process(.report(at: time), into: &packet)
        if !left.isEmpty { expected += left + [.report(at: time)] }
        got += packet
        packet.removeAll()
      }
      #expect(got == expected, "\(index), \(Seed.advice)")
    }
  }
}
