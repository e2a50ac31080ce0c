import Foundation
package import GlissEvents
import GlissSynthesis
import Synchronization
import Testing

/// What a state machine does when its events come at random: each way from one case of its state to
/// another.
///
/// Nothing is written down twice: the states are the cases in the machine's own stored property.
package struct StateDiagram {
  /// Something that happens to a machine, so many ms after what happened before.
  package struct Event<Machine> {
    let name: String
    let after: Double
    let act: (inout Machine, EventTime) throws -> Void

    package init(
      _ name: String, after: Double = 1, _ act: @escaping (inout Machine, EventTime) throws -> Void
    ) {
      (self.name, self.after, self.act) = (name, after, act)
    }
  }

  private struct Way: Hashable {
    var from: Int
    var to: Int
  }

  /// In the order in which they were reached.
  private var states: [String] = []
  private var ways: [Way: Set<Int>] = [:]
  private let names: [String]

  /// - Parameter path: the stored properties that lead to the state.
  package init<Machine>(
    of machine: Machine, at path: [String] = ["state"], _ events: [Event<Machine>]
  ) throws {
    names = events.map(\.name)
    // the same in each run, and long enough to go every way many times
    var random = RandomSource(seed: 1, name: "states", index: 0)
    var machine = machine
    var time = EventTime.zero
    var before = try index(of: machine, path)
    for _ in 0..<20_000 {
      let event = random.integer(0...events.count - 1)
      time = time + .milliseconds(events[event].after)
      try events[event].act(&machine, time)
      let after = try index(of: machine, path)
      if after != before { ways[Way(from: before, to: after), default: []].insert(event) }
      before = after
    }
  }

  private mutating func index(of machine: Any, _ path: [String]) throws -> Int {
    var value = machine
    for name in path {
      value = try #require(
        Mirror(reflecting: value).children.first { $0.label == name }?.value, "no \(name)")
    }
    let name = String("\(value)".prefix { $0 != "(" })
    if let known = states.firstIndex(of: name) { return known }
    states.append(name)
    return states.count - 1
  }

  /// Mermaid's text.
  private var text: String {
    let lines = ways.sorted { ($0.key.from, $0.key.to) < ($1.key.from, $1.key.to) }.map { way, by in
      let label = by.sorted().map { names[$0] }.joined(separator: ", or ")
      return "  \(states[way.from]) --> \(states[way.to]): \(label)"
    }
    return (["```mermaid", "stateDiagram-v2", "  [*] --> \(states.first ?? "")"] + lines + ["```"])
      .joined(separator: "\n")
  }

  private static let page = "Tests/states.md"
  private static let isWriting = Mutex(false)

  /// Compares it with the diagram of that name in the documentation, or writes it there:
  /// UPDATE_GOLDEN=1.
  package func expectDocumented(as name: String) throws {
    try Self.isWriting.withLock { _ in
      let page = try Repository.text(Self.page)
      let start = try #require(page.range(of: "<!-- states: \(name) -->\n"))
      let end = try #require(
        page.range(of: "\n<!-- end -->", range: start.upperBound..<page.endIndex))
      try Repository.expect(
        Self.page,
        is: page.replacingCharacters(in: start.upperBound..<end.lowerBound, with: text))
    }
  }
}
