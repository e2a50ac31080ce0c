package import GlissDevices
package import GlissEvents
import GlissGate

// Strokes that the desktop does not get.
extension BrokerConnection {
  /// Hides strokes of `now` fingers from the desktop, and prepares the broker for strokes of `ever`
  /// fingers, until this connection ends. ``decide(_:on:)`` keeps a single stroke hidden or gives it
  /// back.
  package func takeStrokes(_ now: FingerCounts, of ever: FingerCounts) throws(ClientError) {
    _ = try call(
      "org.gliss.Broker.TakeStrokes",
      ["fingers": Self.list(ever), "now": Self.list(now)])
  }

  /// Sends the verdict without waiting for an answer: a late verdict is useless.
  ///
  /// - Parameter pad: The touchpad's name, as events have it.
  package func decide(_ verdict: StrokeVerdict, on pad: String?) throws(ClientError) {
    try post(
      "org.gliss.Broker.DecideStroke",
      .members([
        "time": .integer(verdict.time.microseconds), "keep": .bool(verdict.isKept),
        "device": pad.map(JSON.string),
      ]))
  }

  /// Waits for a finger that points, or for the touchpad's button, after a drag or swipe has ended.
  /// This connection becomes readable when that happens.
  package func awaitPointing() throws(ClientError) {
    try follow("org.gliss.Broker.AwaitPointing")
  }

  /// When a finger pointed, after ``awaitPointing()``; `nil` if no answer has come yet.
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
