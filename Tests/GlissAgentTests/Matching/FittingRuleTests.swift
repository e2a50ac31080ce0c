import GlissAgent
import GlissConfiguration
import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// The rule that `gliss keys` prints for a stroke fits that stroke, and not its opposite.
@Suite struct FittingRuleTests {
  /// Strokes and their opposites.
  private static let pairs: [(Stroke, Stroke)] =
    [2, 3, 4].flatMap { fingers -> [(Stroke, Stroke)] in
      let ways: [(Direction, Direction)] = [
        (.left, .right), (.right, .left), (.up, .down), (.down, .up),
      ]
      let moving = ways.map { way, back -> (Stroke, Stroke) in
        fingers == 2
          ? (Self.drag(way), Self.drag(back))
          : (.swipe(fingers: fingers, direction: way), .swipe(fingers: fingers, direction: back))
      }
      let others: [(Stroke, Stroke)] = [
        (.tap(fingers: fingers), .tap(fingers: fingers == 4 ? 3 : fingers + 1)),
        (.hold(fingers: fingers), .hold(fingers: fingers == 4 ? 3 : fingers + 1)),
      ]
      return moving + others
    } + [
      (.pinch(from: 20, to: 60), .pinch(from: 60, to: 20)),
      (.pinch(from: 60, to: 20), .pinch(from: 20, to: 60)),
      (.rotate(by: 60), .rotate(by: -60)), (.rotate(by: -60), .rotate(by: 60)),
      (.edgeSwipe(.left), .edgeSwipe(.right)), (.edgeSwipe(.right), .edgeSwipe(.left)),
      (.tapAndDrag(by: Vector2(x: 20, y: 0)), .tapAndDrag(by: Vector2(x: -20, y: 0))),
    ]

  private static func drag(_ direction: Direction) -> Stroke {
    switch direction {
    case .left: .drag(by: Vector2(x: -30, y: 0))
    case .right: .drag(by: Vector2(x: 30, y: 0))
    case .up: .drag(by: Vector2(x: 0, y: -30))
    case .down, .downLeft, .downRight, .upLeft, .upRight: .drag(by: Vector2(x: 0, y: 30))
    }
  }

  private func feed(_ stroke: Stroke, _ seed: UInt64, into session: Session) {
    let trace = stroke.trace(on: .medium, seed: seed)
    let id = session.add(trace.device)
    for event in trace.events { session.process(event, from: id) }
    session.finish()
  }

  /// The lines for what becomes of `stroke`.
  private func lines(_ stroke: Stroke, _ seed: UInt64) -> [String] {
    let session = Session()
    var lines: [String] = []
    session.addHandler(matching: .gesture) { event in
      guard case .gesture(let gesture) = event else { return }
      switch gesture.phase {
      case .ended, .recognized: lines.append(GestureCondition(fitting: gesture).line)
      case .began, .changed, .cancelled: break
      }
    }
    feed(stroke, seed, into: session)
    return lines
  }

  private func fires(_ line: String, on stroke: Stroke, _ seed: UInt64) throws -> Bool {
    let text = "gestures:\n  \(line)\n"
    let reading = Configuration.read([ConfigurationText(name: "f", bytes: Array(text.utf8))])
    #expect(reading.mistakes.isEmpty, "\(line): \(reading.mistakes)")
    let rules = DryRun(try #require(reading.configuration, "\(line)"))
    var hasFired = false
    rules.didActivate = { _, _ in hasFired = true }
    feed(stroke, seed, into: rules.session)
    return hasFired
  }

  @Test(arguments: pairs.indices) func itChecksAndFiresAndIsSpecific(_ index: Int) throws {
    let (stroke, opposite) = Self.pairs[index]
    for seed in UInt64(1)...3 {
      let line = try #require(lines(stroke, seed).last, "\(stroke), \(seed)")
      #expect(!line.contains("\n"))
      #expect(try fires(line, on: stroke, seed), "\(line), \(seed)")
      #expect(try !fires(line, on: opposite, seed), "\(line), \(seed)")
    }
  }
}
