import ArgumentParser
import Mapping

/// The stroke's numbers that are neither rows nor columns.
struct StrokeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: "The second finger's share of the way, -1 to 1. (default: -1)")
  var share: Double?

  @Option(help: "Between motion and the line between the fingers, in degrees. (default: 0)")
  var angle: Double?

  @Option(help: "How far the first finger goes, in mm. (default: 10)")
  var length: Double?

  @Option(help: "How long the motion lasts, in ms. (default: 300)")
  var duration: Double?

  @Option(help: "From one finger to the other, in mm. (default: 25)")
  var separation: Double?

  @Option(
    parsing: .unconditional,
    help: "How much later the second finger lands, in ms; negative: earlier. (default: 0)")
  var gap: Double?

  @Option(help: "From the last landing to the motion, in ms. (default: 60)")
  var wait: Double?

  @Option(help: "Fingers: 2, or 3 of which the third does what the first does.")
  var fingers = 2

  @Option(help: "Frames a second.")
  var rate = 125.0

  @Option(help: "Standard deviation of each coordinate, in mm; the same in each run.")
  var tremor = 0.0

  @Flag(help: "The other hand: left and right are exchanged.")
  var mirror = false

  @Option(parsing: .unconditional, help: "By how many degrees the hand is turned, clockwise.")
  var turn = 0.0

  private func given(_ parameter: Parameter) -> Double? {
    switch parameter {
    case .share: share
    case .angle: angle
    case .length: length
    case .duration: duration
    case .separation: separation
    case .gap: gap
    case .wait: wait
    }
  }

  var setting: StrokeSetting {
    var setting = StrokeSetting()
    for parameter in Parameter.allCases {
      if let value = given(parameter) { setting[keyPath: parameter.path] = value }
    }
    setting.fingers = fingers
    setting.rate = rate
    setting.tremor = tremor
    setting.isMirrored = mirror
    setting.turn = turn
    return setting
  }

  /// `varied` are rows and columns.
  func check(apart varied: [Parameter]) throws {
    for parameter in Parameter.allCases {
      guard let value = given(parameter) else { continue }
      if varied.contains(parameter) {
        throw ValidationError(
          "\(parameter.rawValue) makes rows or columns: --values \(parameter.rawValue)=… says which"
        )
      }
      guard parameter.limits.contains(value) else {
        throw ValidationError("--\(parameter.limitText)")
      }
    }
    guard (2...3).contains(fingers) else { throw ValidationError("--fingers must be 2 or 3") }
    guard (10...1000).contains(rate) else {
      throw ValidationError("--rate must be from 10 to 1000 Hz")
    }
    guard (0...5).contains(tremor) else {
      throw ValidationError("--tremor must be from 0 to 5 mm")
    }
    guard (-360...360).contains(turn) else {
      throw ValidationError("--turn must be from -360 to 360 degrees")
    }
  }
}
