import CAllocationCounter
import Glibc
import Gliss
import GlissSynthesis
import Workload

/// Counts heap allocations on the way of a frame and of an event, and fails if there is any.
@main enum Allocations {
  static func main() {
    guard selfCheck() else { return fail("the counter does not count: nothing can be said") }
    var isClean = true
    for (name, pad) in Pad.named {
      for workload in [Workload.twoFingers(on: pad), .fiveFingers(on: pad), .taps(on: pad)] {
        for result in measure(workload) {
          let place = "\(result.route), \(workload.name) on \(name)"
          print("\(result.perFrame) allocations per frame: \(place), \(result.delivered) delivered")
          if result.allocations != 0 { isClean = false }
          if result.delivered == 0 {
            print("  nothing reached the handler")
            isClean = false
          }
        }
      }
    }
    let keys = keys()
    print("\(keys.allocations) allocations for \(keys.events) keys, \(keys.told) hotkeys told")
    if keys.allocations != 0 || keys.told == 0 { isClean = false }
    if !isClean { fail("the way of a frame must not allocate") }
  }

  /// Keys beside hotkeys; the first round may allocate what is kept.
  private static func keys() -> (allocations: UInt, events: Int, told: Int) {
    let counter = Counter()
    let rounds = 100
    var route = HotkeyRoute(hotkeys: 1000) { counter.note($0.time) }
    route.run()
    counter.reset()
    let allocations = counted { for _ in 0..<rounds { route.run() } }
    return (allocations, rounds * HotkeyRoute.eventCount, counter.count)
  }

  private static func fail(_ problem: String) {
    print("allocations: \(problem)")
    exit(1)
  }

  /// The counter must see what does allocate, once each, and nothing where nothing does.
  private static func selfCheck() -> Bool {
    let nothing = counted {}
    let pointer = counted {
      UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8).deallocate()
    }
    // the first one also allocates what the language keeps of the type
    var list = [nothing, pointer]
    let copy = counted { list.append(pointer) }
    print("self-check: nothing \(nothing), a pointer \(pointer), a list that grows \(copy)")
    return nothing == 0 && pointer == 1 && copy == 1 && list.count == 3
  }

  private static func counted(_ body: () -> Void) -> UInt {
    allocation_counter_start()
    body()
    return allocation_counter_stop()
  }

  private struct Result {
    var route: String
    var allocations: UInt
    var frames: Int
    var delivered: Int
    var perFrame: Double { Double(allocations) / Double(max(1, frames)) }
  }

  /// The first round may allocate what is kept; the rounds after it are counted.
  private static func measure(_ workload: Workload) -> [Result] {
    let rounds = 3
    let frames = workload.frames.count * rounds
    let counter = Counter()
    var results: [Result] = []

    var later = workload
    var route = FrameRoute(for: workload.device) { output in
      if case .gesture(let event) = output { counter.note(event.time) }
    }
    let allocations = count(&later, rounds, counter) { route.run($0) }
    results.append(
      Result(
        route: "decoded frame to handler", allocations: allocations, frames: frames,
        delivered: counter.count))

    let routes: [(name: String, mask: EventMask, isMonitored: Bool)] = [
      ("event to handler of gestures", .gesture, false), ("event to handler of all", .all, false),
      ("event by a monitor to handler of all", .all, true),
    ]
    for (name, mask, isMonitored) in routes {
      var later = workload
      let route = SessionRoute(
        for: workload.device, matching: mask, isMonitored: isMonitored
      ) { counter.note($0.time) }
      let allocations = count(&later, rounds, counter) { route.run($0) }
      results.append(
        Result(route: name, allocations: allocations, frames: frames, delivered: counter.count))
    }
    return results
  }

  private static func count(
    _ workload: inout Workload, _ rounds: Int, _ counter: Counter, _ run: (Workload) -> Void
  ) -> UInt {
    run(workload)
    counter.reset()
    workload.shift()
    allocation_counter_start()
    for _ in 0..<rounds {
      run(workload)
      workload.shift()
    }
    return allocation_counter_stop()
  }
}
