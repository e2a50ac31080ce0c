package import GlissDevices
package import GlissEvents

// Strokes that the desktop does not get.
extension BrokerConnection {
  /// Hides strokes of `now` fingers from the desktop until ``decide(_:)``, and has the broker ready
  /// for those of `ever` fingers, until this connection ends.
  package func takeStrokes(_ now: FingerCounts, of ever: FingerCounts) throws(ClientError) {
    _ = try call(
      "org.gliss.Broker.TakeStrokes",
      ["fingers": Self.list(ever), "now": Self.list(now)])
  }

  /// Does not wait: a late verdict would be worth nothing.
  package func decide(_ verdict: StrokeVerdict) throws(ClientError) {
    try post(
      "org.gliss.Broker.DecideStroke",
      ["time": .integer(verdict.time.microseconds), "keep": .bool(verdict.isKept)])
  }

  /// Asks when a finger points or presses the touchpad's button, after a drag or swipe has ended. This
  /// connection then becomes readable.
  package func awaitPointing() throws(ClientError) {
    try follow("org.gliss.Broker.AwaitPointing")
  }

  /// When a finger has pointed, after ``awaitPointing()``; `nil` if the answer has not come.
  package func pointing() throws(ClientError) -> EventTime? {
    guard let answer = try next(timeout: .zero) else { return nil }
    return try read(answer) { (reply) throws(ParameterError) in
      EventTime(microseconds: try reply.required("time", try reply.integer("time")))
    }
  }

  private static func list(_ counts: FingerCounts) -> JSON {
    .array(counts.counts.map { .integer(Int64($0)) })
  }
}
