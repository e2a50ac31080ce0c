/// Places values on an axis, with round numbers as ticks.
struct Scale {
  let values: ClosedRange<Double>
  /// The places of the first and the last value, in pixels; upward axes have the larger one first.
  let places: (from: Double, to: Double)

  init(_ values: ClosedRange<Double>, from: Double, to: Double) {
    let isEmpty = values.upperBound <= values.lowerBound
    self.values = isEmpty ? values.lowerBound...values.lowerBound + 1 : values
    places = (from, to)
  }

  func callAsFunction(_ value: Double) -> Double {
    let share = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
    return places.from + share * (places.to - places.from)
  }

  /// Round values, at most `count` of them, and their decimals.
  func ticks(atMost count: Int) -> (values: [Double], decimals: Int) {
    let least = (values.upperBound - values.lowerBound) / Double(max(1, count))
    var (unit, decimals) = (1.0, 0)
    while unit > least, decimals < 6 { (unit, decimals) = (unit / 10, decimals + 1) }
    while unit * 10 <= least { unit *= 10 }
    let step = [1, 2, 5, 10, 20, 50, 100].map { $0 * unit }.first { $0 >= least } ?? unit
    let first = (values.lowerBound / step).rounded(.up) * step
    return (Array(stride(from: first, through: values.upperBound + step / 1e6, by: step)), decimals)
  }
}
