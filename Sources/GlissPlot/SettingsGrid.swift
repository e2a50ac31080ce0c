import GlissEvents
package import GlissGestures

extension PlottedStroke {
  /// Whether the same was recognized, of whatever size and at whatever time. Almost any setting
  /// changes those a little.
  package func comesOut(as other: PlottedStroke) -> Bool { outcomes == other.outcomes }

  private var outcomes: [GestureEvent] {
    gestures.map(\.latest).map { event in
      var outcome = GestureEvent(
        time: .zero, device: DeviceID(rawValue: 0), kind: event.kind, phase: event.phase,
        fingers: event.fingers)
      (outcome.count, outcome.direction, outcome.edge) = (event.count, event.direction, event.edge)
      // those of other kinds tremble around 1 and 0
      if event.kind == .pinch { outcome.scale = event.scale < 1 ? 0 : 2 }
      if event.kind == .rotate { outcome.rotation = event.rotation < 0 ? -1 : 1 }
      return outcome
    }
  }
}

/// What a recognizer would have made of a recording with other settings, one changed at a time.
package struct SettingsGrid: Sendable {
  /// One setting with another value.
  package struct Variant: Sendable {
    /// The indexes of its row, and of the value in it.
    fileprivate var row: Int
    fileprivate var value: Int
    package var configuration: GestureConfiguration
  }

  /// A setting with the values that were tried.
  package struct Row: Sendable {
    package var setting: GestureConfiguration.Setting
    /// The value the recording was drawn with.
    package var base: Double
    /// In order, with the base.
    package var values: [Double]
    package fileprivate(set) var changes: [Change] = []
  }

  /// A stroke that came out differently.
  package struct Change: Sendable {
    /// The index of the value.
    package var value: Int
    /// The index of the stroke.
    package var stroke: Int
    package var result: PlottedStroke
  }

  package private(set) var rows: [Row] = []

  /// Values for all settings.
  ///
  /// - Parameter limit: The most variants to make. A lower limit first leaves out values of each
  ///   setting, and then settings.
  package init(around base: GestureConfiguration, atMost limit: Int) {
    let settings = Self.ordered
    let perSetting = min(Self.factors.count, max(2, limit / max(1, settings.count)))
    var left = limit
    for setting in settings {
      guard let current = base.value(of: setting.name) else { continue }
      var values = Self.values(of: setting, around: current, atMost: min(perSetting, left))
      left -= values.count
      if values.isEmpty { break }
      values.append(current)
      rows.append(Row(setting: setting, base: current, values: values.sorted()))
    }
  }

  /// The variants, in the order of the rows.
  package func variants(of base: GestureConfiguration) -> [Variant] {
    rows.enumerated().flatMap { index, row in
      row.values.indices.filter { row.values[$0] != row.base }.map { value in
        var configuration = base
        // the values are within the range
        try? configuration.set(row.setting.name, to: row.values[value])
        return Variant(row: index, value: value, configuration: configuration)
      }
    }
  }

  /// Notes how `variant` came out, compared with the recording as it is drawn.
  package mutating func note(
    _ variant: Variant, _ result: PlottedRecording, against base: PlottedRecording
  ) {
    // the same fingers land and lift, whatever is recognized
    for (stroke, (before, after)) in zip(base.strokes, result.strokes).enumerated()
    where before.start == after.start && !before.comesOut(as: after) {
      rows[variant.row].changes.append(
        Change(value: variant.value, stroke: stroke, result: after))
    }
  }

  // MARK: Values

  private static let factors = [0.5, 2, 0.25, 4, 0.75, 1.5]

  /// The settings that people change first come first.
  private static let foremost = [
    "motion.floor", "lead.caution", "lead.patience", "lift.flickTravel", "tap.duration",
    "tap.movement", "tap.landingSpread", "hold.duration", "landing.grace", "late.time",
    "thumb.zone", "palm.zone", "edgeSwipe.zone", "tap.gap",
  ]

  private static var ordered: [GestureConfiguration.Setting] {
    let all = GestureConfiguration.settings
    let first = foremost.compactMap { name in all.first { $0.name == name } }
    return first + all.filter { !foremost.contains($0.name) }
  }

  private static func values(
    of setting: GestureConfiguration.Setting, around base: Double, atMost count: Int
  ) -> [Double] {
    let range = setting.range
    if setting.unit == "0/1" { return count > 0 ? [1 - base] : [] }
    let scale = base == 0 ? range.upperBound / 4 : base
    let values = factors.prefix(max(0, count)).map { factor in
      min(range.upperBound, max(range.lowerBound, (scale * factor * 1000).rounded() / 1000))
    }
    return Array(Set(values).subtracting([base])).sorted()
  }
}
