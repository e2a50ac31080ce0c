package import GlissDevices
import GlissEvents

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
    try tell(
      "org.gliss.Broker.DecideStroke",
      ["time": .integer(verdict.time.microseconds), "keep": .bool(verdict.isKept)])
  }

  private static func list(_ counts: FingerCounts) -> JSON {
    .array(counts.counts.map { .integer(Int64($0)) })
  }
}
