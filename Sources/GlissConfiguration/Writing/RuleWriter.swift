import GlissEvents
import GlissHotkeys

/// Writes rules as in a configuration file.
package enum RuleWriter {
  /// The lines of one rule, as an element of `gestures` or `hotkeys`.
  package static func lines(of rule: Rule) -> [String] { YamlText.map(entries(of: rule)).block }

  private static func entries(of rule: Rule) -> [YamlText.Entry] {
    var entries = Entries()
    entries.add("name", rule.name.map { .text($0) })
    var acts = "do"
    var starts = "begin"
    switch rule.trigger {
    case .gesture(let condition):
      condition.write(into: &entries)
      // the `do` of a hold acts when the hold begins
      if condition.actsAtBegin { (acts, starts) = ("end", "do") }
    case .hotkey(let condition):
      entries.add("hotkey", .text("\(condition.hotkey)"))
      if condition.consumes { entries.add("consume", .word("true")) }
    }
    entries.add("mode", rule.mode.map { .text($0) })
    entries.add("device", rule.device?.written)
    if case .gesture(let condition) = rule.trigger {
      entries.add("settings", Self.settings(condition.settings))
    }
    let reactions = rule.reactions
    entries.add(starts, ActionWriter.value(of: reactions.begin))
    entries.add("change", ActionWriter.value(of: reactions.change))
    if !reactions.steps.isEmpty {
      entries.add("steps", .list(reactions.steps.map { ActionWriter.value(of: $0) }))
    }
    entries.add(acts, ActionWriter.value(of: reactions.end))
    entries.add("cancel", ActionWriter.value(of: reactions.cancel))
    entries.add("release", ActionWriter.value(of: reactions.release))
    return entries.all
  }

  static func settings(_ changes: [SettingChange]) -> YamlText? {
    changes.isEmpty
      ? nil : .map(changes.map { YamlText.Entry(key: $0.name, value: .word($0.value.written)) })
  }
}

/// The entries of a mapping, in the order they are added.
struct Entries {
  private(set) var all: [YamlText.Entry] = []

  mutating func add(_ key: String, _ value: YamlText?) {
    if let value { all.append(YamlText.Entry(key: key, value: value)) }
  }
}

extension GestureCondition {
  fileprivate func write(into entries: inout Entries) {
    entries.add("gesture", .word(kind.name))
    entries.add("fingers", fingers.map { .word($0.written) })
    entries.add("direction", sense.map { .word($0.written) })
    entries.add("edge", edge.map { .word($0.name) })
    entries.add("count", count.map { .word("\($0)") })
    entries.add("afterTap", isAfterTap.map { .word("\($0)") })
    entries.add("travel", travel?.written(unit: " mm"))
    entries.add("scale", scale?.written(unit: ""))
    entries.add("turn", turn?.written(unit: " deg"))
    entries.add("speed", speed?.written(unit: " mm/s"))
    entries.add("duration", duration?.written(unit: " ms"))
    entries.add("rest", rest?.written(unit: " ms"))
    entries.add(
      "modifiers",
      modifiers.map { .word($0.isEmpty ? "none" : $0.names.joined(separator: "+")) })
  }
}

extension GestureCondition.Sense {
  fileprivate var written: String {
    switch self {
    case .towards(let direction): direction.name
    case .inward: "in"
    case .outward: "out"
    case .clockwise: "clockwise"
    case .counterclockwise: "counterclockwise"
    }
  }
}

extension ClosedRange<Int> {
  fileprivate var written: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)..\(upperBound)"
  }
}

extension Bounds {
  /// At least, at most, or both; `nil` if there are no bounds.
  fileprivate func written(unit: String) -> YamlText? {
    switch (minimum, maximum) {
    case (nil, nil): nil
    case (let low?, nil): .word(low.written + (unit.isEmpty ? ".." : unit))
    case (nil, let high?): .word("..\(high.written)\(unit)")
    case (let low?, let high?): .word("\(low.written)..\(high.written)\(unit)")
    }
  }
}

extension DeviceMatch {
  var written: YamlText {
    var entries = Entries()
    entries.add("name", name.map { .text($0) })
    entries.add("id", vendorAndProduct.map { .text($0.written) })
    entries.add("kind", kind.map { .word($0.rawValue) })
    return .map(entries.all)
  }
}

extension DeviceMatch.VendorAndProduct {
  fileprivate var written: String { Self.hex(vendor) + ":" + Self.hex(product) }

  private static func hex(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}

extension GestureCondition {
  /// A rule for it on one line, as an element of `gestures`. Its action is a notification.
  public var line: String {
    var entries = Entries()
    write(into: &entries)
    let words = [kind.name, sense?.written ?? edge?.name].compactMap(\.self)
    let action = YamlText.map([.init(key: "notify", value: .text(words.joined(separator: " ")))])
    entries.add("do", action)
    return "- " + (YamlText.map(entries.all).inline ?? "")
  }
}
