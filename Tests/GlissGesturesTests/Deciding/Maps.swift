import GlissEvents
import GlissGestures
import Mapping

/// The strokes over which the tests draw their maps.
enum Maps {
  // No value is round but the ends: what lies on a threshold goes either way, by the last bit.

  /// Closest where one finger is almost still.
  static let shares = ValueRange(
    .share, [1, 0.63, 0.43, 0.31, 0.19, 0.11, 0.05, 0, -0.05, -0.11, -0.19, -0.37, -1])
  static let angles = ValueRange(.angle, [0, 20, 42, 56, 73, 90])
  static let fewShares = ValueRange(.share, [1, 0.63, 0.31, 0.11, 0, -0.11, -0.31, -0.63, -1])
  static let fewAngles = ValueRange(.angle, [0, 28, 42, 56, 90])

  static let lengths: [Double] = [6, 8, 10, 15]
  static let gaps: [Double] = [0, 50, 120, 136, 200, 400, -50, -120, -136, -200, -400]
  private static let separations: [Double] = [15, 25, 40]
  private static let durations: [Double] = [150, 300, 600]

  /// Each gap with each length, and with separations and durations so that any two values of the four meet.
  static func settings(gap: Double) -> [StrokeSetting] {
    let column = gaps.firstIndex(of: gap) ?? 0
    return lengths.enumerated().map { row, length in
      StrokeSetting().with {
        $0.length = length
        $0.gap = gap
        $0.separation = separations[(row + column) % 3]
        $0.duration = durations[(row + 2 * column) % 3]
      }
    }
  }

  /// Drawn once for all tests.
  static let all: [Double: [DecisionMap]] = Dictionary(
    uniqueKeysWithValues: gaps.map { gap in
      (gap, settings(gap: gap).map { DecisionMap(of: $0, rows: shares, columns: angles) })
    })

  private static let manyShares = ValueRange(
    .share,
    [1, 0.7, 0.5, 0.4, 0.33, 0.27, 0.21, 0.16, 0.11, 0.05, 0, -0.05, -0.11, -0.21, -0.4, -0.7, -1])
  private static let manyAngles = ValueRange(.angle, [0, 11, 21, 31, 41, 51, 61, 71, 81, 90])

  /// Fine enough that one cell is not much of it.
  static func many(_ setting: StrokeSetting) -> DecisionMap {
    DecisionMap(of: setting, rows: manyShares, columns: manyAngles)
  }

  static func few(_ setting: StrokeSetting) -> DecisionMap {
    DecisionMap(of: setting, rows: fewShares, columns: fewAngles)
  }

  /// The settings of the small map's cells.
  static func strokes(_ setting: StrokeSetting) -> [StrokeSetting] {
    DecisionMap.settings(setting, fewShares, fewAngles).flatMap { $0 }
  }
}

extension DecisionMap {
  /// For a failed expectation: the stroke, and the map.
  var picture: String {
    let what = setting.text(without: [rows.parameter, columns.parameter])
    let text = MapText(self)
    return ([what] + text.table(text.cells)).joined(separator: "\n")
  }
}

extension [GestureEvent] {
  /// What is wrong with the order in which they begin and end; `nil` if nothing is: one at a time, each ends once.
  var fault: String? {
    var open: GestureKind?
    for gesture in self {
      switch gesture.phase {
      case .began:
        if let open { return "\(gesture.kind.name) began in a \(open.name)" }
        open = gesture.kind
      case .changed, .ended, .cancelled:
        if open != gesture.kind {
          return "\(gesture.kind.name) \(gesture.phase.name) before it began"
        }
        if gesture.phase != .changed { open = nil }
      case .recognized: break
      }
    }
    return open.map { "\($0.name) has no end" }
  }

  /// Kinds and phases without the changes between.
  var story: [String] {
    filter { $0.phase != .changed }.map { "\($0.kind.name) \($0.phase.name)" }
  }
}
