public import GlissConfiguration
public import GlissEvents

/// The rules of a configuration, by number, as the ``RuleMachine`` looks them up.
///
/// A gesture's beginning selects the few rules that later events can engage. All rules are compared
/// then, one after the other.
public final class RuleTable: Sendable {
  public let configuration: Configuration
  /// The sets of recognizer settings that rules bring themselves. The first is empty and used for
  /// all other rules. The index of a set is the number of its stream of gestures.
  public let settingSets: [[SettingChange]]
  /// By rule; `nil` for hotkeys.
  let conditions: [GestureCondition?]
  /// By rule: its stream of gestures.
  let streams: [Int]
  /// By rule: whether it applies to every device, even an unknown one.
  let isForEveryDevice: [Bool]

  /// A setting, independent of its place in the file.
  private struct NamedSetting: Hashable {
    var name: String
    var value: Double
  }

  /// - Parameter appliesSettings: gives rules with settings of their own a separate stream of
  ///   gestures (``settingSets``). If settings cannot be applied, these rules use the common
  ///   stream.
  public init(_ configuration: Configuration, appliesSettings: Bool = true) {
    var sets: [[SettingChange]] = [[]]
    var numbers: [[NamedSetting]: Int] = [[]: 0]
    self.configuration = configuration
    conditions = configuration.rules.map { rule in
      guard case .gesture(let condition) = rule.trigger else { return nil }
      return condition
    }
    streams = conditions.map { condition in
      guard appliesSettings, let settings = condition?.settings, !settings.isEmpty else { return 0 }
      let named = settings.map { NamedSetting(name: $0.name, value: $0.value) }
      if let number = numbers[named] { return number }
      numbers[named] = sets.count
      sets.append(settings)
      return sets.count - 1
    }
    isForEveryDevice = configuration.rules.map { $0.device == nil }
    settingSets = sets
  }

  /// By rule: whether it applies to `device`.
  func isFor(_ device: RuleDevice) -> [Bool] {
    configuration.rules.map { $0.device?.fits(device) ?? true }
  }

  /// Whether some rule with a diagonal direction may apply, so that all directions are judged by
  /// sectors of 45°. All streams judge alike.
  func usesEight(_ gesture: MeasuredGesture) -> Bool {
    conditions.indices.contains { rule in
      guard let condition = conditions[rule], condition.kind == gesture.start.kind,
        case .towards(let direction) = condition.sense, direction.isDiagonal
      else { return false }
      return condition.fingers?.contains(gesture.start.fingers) ?? true
        && configuration.rules[rule].mode == gesture.mode
    }
  }

  /// What `gesture` does not meet of everything that is settled when it begins.
  func unmetAtStart(_ rule: Int, _ condition: GestureCondition, by gesture: MeasuredGesture)
    -> Unmet
  {
    var unmet = condition.unmetAtStart(by: gesture)
    if configuration.rules[rule].mode != gesture.mode { unmet.insert(Unmet(.mode)) }
    if !gesture.isForDevice[rule] { unmet.insert(Unmet(.device)) }
    return unmet
  }
}

extension Direction {
  fileprivate var isDiagonal: Bool {
    switch self {
    case .downRight, .downLeft, .upLeft, .upRight: true
    case .right, .down, .left, .up: false
    }
  }
}

/// The properties of a device that rules can match.
public struct RuleDevice: Hashable, Sendable {
  public var id: DeviceID
  public var name: String
  /// `nil` if unknown, as for devices that another process reads. A rule that asks for it then does
  /// not match.
  public var vendorAndProduct: DeviceMatch.VendorAndProduct?
  /// `nil` if the kind is unknown or has no case here.
  public var kind: DeviceMatch.Kind?

  public init(
    id: DeviceID, name: String, vendorAndProduct: DeviceMatch.VendorAndProduct? = nil,
    kind: DeviceMatch.Kind? = nil
  ) {
    self.id = id
    self.name = name
    self.vendorAndProduct = vendorAndProduct
    self.kind = kind
  }

  public init(_ device: Device) {
    let kind: DeviceMatch.Kind? =
      switch device.kind {
      case .touchpad: .touchpad
      case .touchscreen: .touchscreen
      case .keyboard: .keyboard
      case .mouse: .mouse
      case .other: nil
      }
    self.init(
      id: device.id, name: device.name,
      vendorAndProduct: DeviceMatch.VendorAndProduct(
        vendor: device.identifier.vendor, product: device.identifier.product), kind: kind)
  }
}

extension DeviceMatch {
  /// Whether `device` matches.
  public func fits(_ device: RuleDevice) -> Bool {
    if let kind, kind != device.kind { return false }
    if let vendorAndProduct, vendorAndProduct != device.vendorAndProduct { return false }
    guard let name else { return true }
    return Self.fits(pattern: Array(name.lowercased()), Array(device.name.lowercased()))
  }

  /// `*` matches anything and `?` one character.
  private static func fits(pattern: [Character], _ text: [Character]) -> Bool {
    var (p, t) = (0, 0)
    // the position of the last star, and the end of the text it covers so far
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (p, t) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
