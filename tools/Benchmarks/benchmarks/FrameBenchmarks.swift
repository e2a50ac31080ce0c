import Gliss
import GlissSynthesis
import Workload

/// What a frame and an event cost once they are decoded.
enum FrameBenchmarks {
  private static let runs = 15
  private static let rounds = 100

  static func run() {
    print("frames: decoded frame → handler, ns a frame (median, least, most of \(runs))")
    for (name, pad) in [("medium pad", Pad.medium), ("large pad", .large)] {
      for workload in [Workload.twoFingers(on: pad), .fiveFingers(on: pad)] {
        frames(workload, on: name)
      }
    }
    print("\nsession: event → handler of gestures")
    for workload in [Workload.twoFingers(on: .medium), .fiveFingers(on: .medium)] {
      session(workload)
    }
  }

  private static func frames(_ workload: Workload, on pad: String) {
    var workload = workload
    let counter = Counter()
    var route = FrameRoute(for: workload.device) { output in
      if case .gesture(let event) = output { counter.note(event.time) }
    }
    let timings = Timings(runs: runs) {
      for _ in 0..<rounds {
        route.run(workload)
        workload.shift()
      }
    }
    let frames = Double(workload.frames.count * rounds)
    let numbers = [timings.median, timings.least, timings.most].map {
      ($0 / frames).text(0, width: 6)
    }
    print("  \(workload.name), \(pad): \(numbers.joined())")
  }

  private static func session(_ workload: Workload) {
    var workload = workload
    let counter = Counter()
    let route = SessionRoute(for: workload.device) { counter.note($0.time) }
    let timings = Timings(runs: runs) {
      for _ in 0..<rounds {
        route.run(workload)
        workload.shift()
      }
    }
    let events = Double(workload.events.count * rounds)
    let perEvent = timings.median / events
    let perFrame = timings.median / Double(workload.frames.count * rounds)
    print(
      "  \(workload.name): \((1000 / perEvent).text(2, width: 6)) million events/s,",
      "\(perEvent.text(0)) ns an event, \(perFrame.text(0)) ns a frame")
  }
}
