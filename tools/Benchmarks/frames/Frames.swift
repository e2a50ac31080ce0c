import Gliss
import GlissSynthesis
import Workload

/// Plays a workload so many times and prints how many frames that were: something for callgrind to count.
///
///     frames 2|5 frames|session ROUNDS
///     frames HOTKEYS hotkeys ROUNDS
///
/// With hotkeys each key event counts as a frame.
@main enum Frames {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let rounds = Int(arguments[3]) else {
      return print("usage: frames 2|5 frames|session ROUNDS, or frames HOTKEYS hotkeys ROUNDS")
    }
    if arguments[2] == "hotkeys", let count = Int(arguments[1]) {
      return type(beside: count, rounds)
    }
    var workload =
      arguments[1] == "5"
      ? Workload.fiveFingers(on: .medium) : Workload.twoFingers(on: .medium)
    let counter = Counter()
    if arguments[2] == "session" {
      let route = SessionRoute(for: workload.device) { event in counter.note(event.time) }
      for _ in 0..<rounds {
        route.run(workload)
        workload.shift()
      }
    } else {
      var route = FrameRoute(for: workload.device) { output in
        if case .gesture(let event) = output { counter.note(event.time) }
      }
      for _ in 0..<rounds {
        route.run(workload)
        workload.shift()
      }
    }
    let (frames, events) = (workload.frames.count * rounds, workload.events.count * rounds)
    print("\(frames) frames, \(events) events, \(counter.count) delivered")
  }

  /// Types beside so many hotkeys.
  private static func type(beside hotkeys: Int, _ rounds: Int) {
    let counter = Counter()
    var route = HotkeyRoute(hotkeys: hotkeys) { counter.note($0.time) }
    for _ in 0..<rounds { route.run() }
    let events = rounds * HotkeyRoute.eventCount
    print("\(events) frames, \(route.count) hotkeys, \(counter.count) delivered")
  }
}
