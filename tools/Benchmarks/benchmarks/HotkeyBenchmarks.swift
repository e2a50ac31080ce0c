import Gliss
import Workload

/// What a key costs that may belong to a hotkey, with few of them and with many.
enum HotkeyBenchmarks {
  private static let runs = 15
  private static let rounds = 2000

  static func run() {
    print("hotkeys: key event → handler, ns an event (median, least, most of \(runs))")
    let few = measure(10)
    let many = measure(10_000)
    print("  10,000 cost \((many / few).text(2)) times what 10 do")
  }

  private static func measure(_ count: Int) -> Double {
    let counter = Counter()
    var route = HotkeyRoute(hotkeys: count) { counter.note($0.time) }
    let timings = Timings(runs: runs) { for _ in 0..<rounds { route.run() } }
    let events = Double(rounds * HotkeyRoute.eventCount)
    let numbers = [timings.median, timings.least, timings.most].map {
      ($0 / events).text(0, width: 6)
    }
    print("  \(route.count) hotkeys:\(numbers.joined()), \(counter.count) told")
    return timings.median / events
  }
}
