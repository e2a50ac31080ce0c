import GlissEvents

extension GestureConfiguration {
  /// All settings, in the order in which they affect a stroke.
  public static let settings: [Setting] = [
    Setting(
      "landing.grace", \.landing.grace, 50, "ms", 0...200,
      "How long nothing is decided after the last finger has landed, as more may come.",
      source: "people land the fingers of a swipe up to 40 ms apart; "
        + "libinput 1.31 waits 100 ms after a change of count"),
    Setting(
      "landing.settle", \.landing.settle, 35, "ms", 0...100,
      "How long a finger may settle after landing before its motion counts.",
      source: "contacts move up to 1 mm while they flatten, 15 to 30 ms"),
    Setting(
      "lift.grace", \.lift.grace, 80, "ms", 0...500,
      "How long the remaining fingers decide nothing after one has lifted.",
      source: "fingers of one hand leave up to 60 ms apart; libinput 1.31: 100 ms"),
    Setting(
      "lift.flickTravel", \.lift.flickTravel, 2.5, "mm", 0.5...20,
      "How far fingers that leave before a decision must have moved to make a flick.",
      source: "two-finger taps of real recordings slide up to 2.1 mm"),
    Setting(
      "motion.floor", \.motion.floor, 0.3, "mm", 0.1...5,
      "Travel below which nothing is decided, however still the fingers lay before.",
      source: "real pads tremble by 0.012 to 0.025 mm a frame (95th percentile 0.1); "
        + "libinput 1.31: 1 to 1.5 mm"),
    Setting(
      "motion.jitterFactor", \.motion.jitterFactor, 3, "×", 0...20,
      "Added to the floor for each mm of finger tremor (standard deviation).",
      source: "three standard deviations: one false step in 370"),
    Setting(
      "motion.driftTime", \.motion.driftTime, 250, "ms", 10...5000,
      "Time constant for forgetting a still finger's drift.",
      source: "slower than the beginning of a stroke, faster than a hand that sways"),
    Setting(
      "motion.jump", \.motion.jump, 20, "mm", 5...100,
      "A contact that suddenly jumps this far within 12.5 ms belongs to another finger.",
      source: "pads that merge or swap fingers; libinput 1.31: 20 mm"),
    Setting(
      "lead.caution", \.lead.caution, 0.4, "mm", 0...5,
      "What slow pinches and rotations need beyond the floor; if one finger lies still, a "
        + "drag needs twice this.",
      source: "a finger that lags looks like one for 20 ms; "
        + "before a click a hand drifts by 2.4 mm"),
    Setting(
      "lead.share", \.lead.share, 0.1, "×", 0...1,
      "The extra lead the cheapest meaning needs for each mm it leaves unexplained itself.",
      source: "nothing explains a bad fit well; measured on synthetic hands"),
    Setting(
      "lead.patience", \.lead.patience, 10, "mm", 1...50,
      "Travel after which the cheapest meaning wins, however close the others are; pinches and "
        + "rotations of two may wait longer (late.longest).",
      source: "Chromium is certain of a pinch after 8 mm"),
    Setting(
      "late.time", \.late.time, 30, "ms", 0...75,
      "How late a finger often starts to move with the others.",
      source: "two thirds of the fingers of one stroke start within it in real drags"),
    Setting(
      "late.longest", \.late.longest, 60, "ms", 0...75,
      "The latest a finger may start. Until then fingers do not pinch or rotate if a late finger "
        + "explains their motion better.",
      source: "fingers of one stroke start up to 75 ms apart in real drags, "
        + "half of them within 20"),
    Setting(
      "late.charge", \.late.charge, 0.4, "×", 0...1,
      "The cost of lateness, as a share of the travel it explains.",
      source: "between a finger that is surely late and one that surely lies still"),
    Setting(
      "anchor.turns", \.anchor.turns, 0, "0/1", 0...1,
      "1: motion around a still finger, across the line between the two, is a rotation "
        + "instead of a drag.",
      source: "a finger that rests is more often there by chance"),
    Setting(
      "thumb.zone", \.thumb.zone, 10.8, "mm", 0...50,
      "How far above the lower edge a thumb may lie.",
      source: "thumbs of real recordings lie up to 7 mm high, "
        + "fingers that rest on purpose 9.5 mm and more"),
    Setting(
      "thumb.clearance", \.thumb.clearance, 18, "mm", 0...50,
      "How far below the other fingers a thumb lies.",
      source: "a hand's thumb lies 20 to 40 mm below its fingers, "
        + "two fingers of a drag lie side by side"),
    Setting(
      "thumb.headStart", \.thumb.headStart, 48, "ms", 0...2000,
      "How long before the other fingers a thumb lands.",
      source: "fingers of one hand land within 40 ms"),
    Setting(
      "thumb.wakeShare", \.thumb.wakeShare, 0.47, "×", 0.1...1,
      "A resting finger that moves at least this share of the others' travel takes part again.",
      source: "a thumb that rolls beside a drag moves a tenth of it; a hand's edge, up to a third"),
    Setting(
      "thumb.wakeTravel", \.thumb.wakeTravel, 1.2, "mm", 0.1...10,
      "How far a resting finger must move at least to take part again.",
      source: "thumbs roll by up to 1 mm"),
    Setting(
      "palm.size", \.palm.size, 24, "mm", 10...100,
      "The diameter from which a contact is a palm.",
      source: "thumbs lying flat measure up to 20 mm"),
    Setting(
      "palm.zone", \.palm.zone, 5, "mm", 0...50,
      "How near to a side edge a still contact counts as the edge of the hand.",
      source: "half of the hand's edge lies beyond the pad's"),
    Setting(
      "typing.disables", \.typing.disables, 1, "0/1", 0...1,
      "1: touches that begin during typing are palms; 0: they are fingers.",
      source: "libinput and every desktop have it on"),
    Setting(
      "typing.afterKey", \.typing.afterKey, 200, "ms", 0...2000,
      "How long after a single key new touches are palms.",
      source: "libinput 1.31: 200 ms"),
    Setting(
      "typing.afterKeys", \.typing.afterKeys, 500, "ms", 0...5000,
      "How long after a key that followed another new touches are palms.",
      source: "libinput 1.31: 500 ms"),
    Setting(
      "click.grace", \.click.grace, 100, "ms", 0...1000,
      "How long the fingers decide nothing after the button changes.",
      source: "the pad tilts and shifts every contact"),
    Setting(
      "click.travel", \.click.travel, 3, "mm", 0.5...20,
      "How far fingers must move after a click to make a gesture.",
      source: "pressing the pad moves a finger by up to 2.3 mm in real recordings"),
    Setting(
      "tap.duration", \.tap.duration, 250, "ms", 50...1000,
      "The longest time from the first finger down to the last one up; longer by as much as the last "
        + "finger lands after 90 ms.",
      source: "libinput 1.31: 180 ms, touchegg 150, Hammer.js 250"),
    Setting(
      "tap.movement", \.tap.movement, 5, "mm", 0.2...10,
      "How far a finger may slide.",
      source: "real taps slide up to 4 mm; libinput 1.31: 1.3 mm, "
        + "which loses one sliding tap in eight"),
    Setting(
      "tap.slide", \.tap.slide, 3, "mm", 0.2...10,
      "While fingers may still tap, motion counts only if it is predicted to go this far.",
      source: "pads' contacts jump by up to 2 mm as fingers land"),
    Setting(
      "tap.foresight", \.tap.foresight, 40, "ms", 0...200,
      "How far ahead a stroke is predicted while fingers may still tap.",
      source: "real taps that slide slow down within it; with 45 ms the first of them is a drag"),
    Setting(
      "tap.landingSpread", \.tap.landingSpread, 180, "ms", 10...500,
      "All fingers of one tap land within this time, after 90 ms only if they lie still.",
      source: "libinput 1.31: 180 ms; tap.overlap tells drumming fingers apart"),
    Setting(
      "tap.overlap", \.tap.overlap, 0.35, "×", 0...1,
      "The fingers of one tap share at least this part of their time on the pad.",
      source: "fingers that drum share a tenth to a third"),
    Setting(
      "tap.gap", \.tap.gap, 300, "ms", 50...1000,
      "The next tap of a double tap begins within this time of the end of the last one.",
      source: "Hammer.js and Android: 300 ms"),
    Setting(
      "tap.distance", \.tap.distance, 15, "mm", 2...100,
      "The next tap of a double tap lies within this distance of the last one.",
      source: "Android: 100 dp, about 16 mm"),
    Setting(
      "tap.manyDistance", \.tap.manyDistance, 45, "mm", 2...200,
      "How far apart taps of three or more fingers may lie.",
      source: "a pad that shows two of five fingers shows others the next time"),
    Setting(
      "tap.quiet", \.tap.quiet, 100, "ms", 0...500,
      "A contact within this time after a gesture is a bounce, not a tap.",
      source: "51 ms in real recordings"),
    Setting(
      "tapDrag.window", \.tapDrag.window, 200, "ms", 50...1000,
      "How soon after a tap a finger must return to drag.",
      source: "libinput 1.31: 180 ms for one finger"),
    Setting(
      "tapDrag.travel", \.tapDrag.travel, 3, "mm", 0.5...20,
      "How far a finger that returned after a tap must move to drag.",
      source: "more than the second of two taps slides"),
    Setting(
      "hold.duration", \.hold.duration, 600, "ms", 40...5000,
      "How long they must lie still.",
      source: "long press elsewhere: 400 to 500 ms; fusuma: 700; libinput 1.31: 40 and 180 ms"),
    Setting(
      "hold.singleDuration", \.hold.singleDuration, 900, "ms", 40...5000,
      "The same for a single finger.",
      source: "fingers and thumbs that wait for others lie still for 130 to 870 ms in real "
        + "recordings"),
    Setting(
      "hold.movement", \.hold.movement, 2, "mm", 0.1...10,
      "How far a finger may stray.",
      source: "resting fingers of real recordings stray by 0.4 to 0.8 mm, "
        + "and contacts shift by 1 mm"),
    Setting(
      "edgeSwipe.zone", \.edgeSwipe.zone, 1.5, "mm", 0...20,
      "How near to the edge every finger must land.",
      source: "contacts are placed to about a millimetre as they land"),
    Setting(
      "edgeSwipe.travel", \.edgeSwipe.travel, 6, "mm", 1...30,
      "How far a single finger must move after it landed.",
      source: "farther than a tap slides"),
    Setting(
      "edgeSwipe.speed", \.edgeSwipe.speed, 30, "mm/s", 0...500,
      "The minimum inward speed of an edge swipe since landing.",
      source: "slower fingers land on the edge and then move"),
    Setting(
      "edgeSwipe.frame", \.edgeSwipe.frame, 20, "ms", 0...100,
      "A finger must have been outside at most this long before it landed.",
      source: "a frame of the slowest pads (60 Hz), and a fifth for fingers that speed up"),
    Setting(
      "edgeSwipe.longestStep", \.edgeSwipe.longestStep, 10, "mm", 0...50,
      "A finger that lands this far beyond the zone did not cross the edge, however fast it is.",
      source: "a frame at 500 mm/s; chosen on synthetic edge swipes"),
    Setting(
      "edgeSwipe.duration", \.edgeSwipe.duration, 200, "ms", 50...2000,
      "How soon after landing a finger must have crossed the edge.",
      source: "a finger that crosses the edge moves already"),
    Setting(
      "correction.window", \.correction.window, 150, "ms", 0...1000,
      "How long a decision may be corrected.",
      source: "libinput 1.31: 300 ms, one way only"),
    Setting(
      "correction.travel", \.correction.travel, 20, "mm", 1...50,
      "A decision is not corrected once the fingers have moved this far.",
      source: "a fast finger is 20 mm ahead of one that starts 100 ms later"),
    Setting(
      "correction.lead", \.correction.lead, 0.6, "mm", 0...10,
      "The lead another kind needs over the decided one to correct it.",
      source: "twice the floor"),
    Setting(
      "correction.share", \.correction.share, 0.4, "×", 0...1,
      "Added to the lead for a correction for each mm the farthest finger has moved.",
      source: "more than any decision needs"),
    Setting(
      "drag.gain", \.drag.gain, 1, "×", 0.01...100,
      "Points of translation for each point the fingers move.",
      source: "1: content follows the fingers"),
    Setting(
      "drag.velocityWindow", \.drag.velocityWindow, 40, "ms", 5...200,
      "The time over which velocity is measured.",
      source: "three to five frames of an ordinary pad"),
  ]
}

extension GestureConfiguration {
  /// One number of the configuration: its name, default, unit, range and source.
  public struct Setting: Sendable {
    /// As in `--set name=value`: group and field separated by a dot.
    public let name: String
    /// The value in an unchanged configuration.
    public let defaultValue: Double
    /// mm, ms, °, × (a factor) or 0/1 (a switch).
    public let unit: String
    /// The range of valid values.
    public let range: ClosedRange<Double>
    /// What it does, in one sentence.
    public let summary: String
    /// The reason for the default.
    public let source: String

    let keyPath: any WritableKeyPath<GestureConfiguration, Double> & Sendable

    init(
      _ name: String, _ keyPath: any WritableKeyPath<GestureConfiguration, Double> & Sendable,
      _ defaultValue: Double, _ unit: String, _ range: ClosedRange<Double>, _ summary: String,
      source: String
    ) {
      self.name = name
      self.keyPath = keyPath
      self.defaultValue = defaultValue
      self.unit = unit
      self.range = range
      self.summary = summary
      self.source = source
    }
  }

  /// The value of the setting called `name`, or `nil` if there is no such setting.
  public func value(of name: String) -> Double? {
    Self.settings.first { $0.name == name }.map { self[keyPath: $0.keyPath] }
  }

  /// Changes one setting by name.
  ///
  /// - Throws: ``ConfigurationError`` for a name that does not exist or a value outside its range.
  public mutating func set(_ name: String, to value: Double) throws(ConfigurationError) {
    let setting = try Self.setting(called: name)
    guard setting.range.contains(value), setting.unit != "0/1" || value == 0 || value == 1 else {
      throw .outOfRange(name, value: value, range: setting.range, unit: setting.unit)
    }
    self[keyPath: setting.keyPath] = value
  }

  /// - Throws: ``ConfigurationError/outOfRange(_:value:range:unit:)`` with the first setting that is.
  public func check() throws(ConfigurationError) {
    var checked = self
    for setting in Self.settings {
      try checked.set(setting.name, to: self[keyPath: setting.keyPath])
    }
  }

  /// Changes one setting by name to what `text` states: a number, with or without the setting's
  /// unit, or true or false.
  ///
  /// - Throws: ``ConfigurationError``
  package mutating func set(_ name: String, to text: String) throws(ConfigurationError) {
    let setting = try Self.setting(called: name)
    if setting.unit == "0/1", let value = Self.switches[text] { return try set(name, to: value) }
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard unit.isEmpty || unit == setting.unit, let number = Double(digits) else {
      throw .notAValue(name, text: text, example: setting.defaultValue, unit: setting.unit)
    }
    try set(name, to: number)
  }

  private static let switches = ["true": 1.0, "on": 1, "false": 0, "off": 0]

  /// - Throws: ``ConfigurationError/unknownSetting(_:similar:)`` with up to three names of
  ///   which at most half the letters differ.
  private static func setting(called name: String) throws(ConfigurationError) -> Setting {
    if let setting = settings.first(where: { $0.name == name }) { return setting }
    let limit = max(3, name.utf8.count / 2)
    throw .unknownSetting(
      name, similar: Spelling.similar(to: name, among: settings.map(\.name), within: limit))
  }
}

/// Why a setting was rejected.
public enum ConfigurationError: Error, Hashable, CustomStringConvertible {
  /// No setting has this name. Has the names that are similar.
  case unknownSetting(String, similar: [String])
  /// The value is not in the setting's range. Has both, in the setting's unit.
  case outOfRange(String, value: Double, range: ClosedRange<Double>, unit: String)
  /// The text is not a number in the setting's unit, or true or false. Has a value that is.
  case notAValue(String, text: String, example: Double, unit: String)

  public var description: String {
    switch self {
    case .unknownSetting(let name, let similar):
      let advice =
        similar.isEmpty
        ? "gliss thresholds lists them all" : "did you mean \(similar.joined(separator: " or "))?"
      return "unknown setting “\(name)”; \(advice)"
    case .outOfRange(let name, let value, _, "0/1"):
      return "\(name) cannot be \(value.shortest): it is true or false"
    case .outOfRange(let name, let value, let range, let unit):
      let bounds = "from \(range.lowerBound.shortest) to \(range.upperBound.shortest)"
      let words = unit == "×" ? "" : " \(unit)"
      return "\(name) cannot be \(value.shortest): it is \(bounds)\(words)"
    case .notAValue(let name, let text, _, "0/1"):
      return "\(name) cannot be “\(text)”: it is true or false"
    case .notAValue(let name, let text, let example, "×"):
      return "\(name) cannot be “\(text)”: it is a number, such as \(example.shortest)"
    case .notAValue(let name, let text, let example, let unit):
      return
        "\(name) cannot be “\(text)”: it is a number in \(unit), such as \(example.shortest) \(unit)"
    }
  }
}
