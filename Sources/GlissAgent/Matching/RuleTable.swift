package import GlissConfiguration
package import GlissDevices
package import GlissEvents

/// The rules of a configuration, by number, as the ``RuleMachine`` looks them up.
///
/// When a gesture begins, it is compared with all rules, one after the other. That selects the few
/// that later events can engage.
package final class RuleTable: Sendable {
  package let configuration: Configuration
  /// The sets of recognizer settings that rules bring themselves. The first is empty and used for
  /// all other rules. The index of a set is the number of its stream of gestures.
  package let settingSets: [[SettingChange]]
  /// By rule; `nil` for hotkeys.
  let conditions: [GestureCondition?]
  /// By rule: its stream of gestures.
  let streams: [Int]
  /// The numbers of fingers that rules keep from the desktop, in any mode and application.
  package let everTaken: FingerCounts

  /// - Parameter appliesSettings: gives rules with settings of their own a separate stream of
  ///   gestures (``settingSets``). If settings cannot be applied, these rules use the common
  ///   stream.
  package init(_ configuration: Configuration, appliesSettings: Bool = true) {
    var sets: [[SettingChange]] = [[]]
    self.configuration = configuration
    // a getter in another module would copy each rule as a whole
    conditions = configuration.rules.map { rule in
      if case .gesture(let condition) = rule.trigger { condition } else { nil }
    }
    streams = conditions.map { condition in
      guard appliesSettings, let settings = condition?.settings, !settings.isEmpty else { return 0 }
      if let number = sets.firstIndex(of: settings) { return number }
      sets.append(settings)
      return sets.count - 1
    }
    settingSets = sets
    everTaken = conditions.reduce(into: []) { $0.formUnion($1?.taken ?? []) }
  }

  /// The numbers of fingers that rules, or those of one stream, may keep from the desktop in that
  /// mode and focus.
  func taken(in mode: String?, _ focus: RuleFocus, _ stream: Int? = nil) -> FingerCounts {
    if everTaken.isEmpty { return [] }
    return conditions.indices.reduce(into: []) { counts, rule in
      guard focus.isMet[rule], configuration.rules[rule].mode == mode,
        stream == nil || stream == streams[rule]
      else { return }
      counts.formUnion(conditions[rule]?.taken ?? [])
    }
  }

  /// Whether some rule with a diagonal direction can still apply, so that all directions are judged
  /// by sectors of 45°. All streams judge alike.
  func usesEight(_ gesture: MeasuredGesture) -> Bool {
    conditions.indices.contains { rule in
      guard let condition = conditions[rule], condition.kind == gesture.start.kind,
        case .towards(let direction) = condition.sense, direction.unit.x != 0, direction.unit.y != 0
      else { return false }
      return unmetAtStart(rule, condition, by: gesture).isEmpty
    }
  }

  func focus(
    on windows: [FollowedWindow: RuleFocus.Window], known: Set<FollowedWindow>
  ) -> RuleFocus {
    RuleFocus(
      names: windows.mapValues(\.names), known: known,
      isMet: configuration.rules.map { $0.application?.fits(windows) ?? true })
  }
}

extension Rule {
  /// Whether it applies to `device`; `nil` for an unknown one.
  func isFor(_ device: RuleDevice?) -> Bool {
    self.device.map { match in device.map(match.fits) ?? false } ?? true
  }
}

extension GestureCondition {
  /// The numbers of fingers of strokes that it keeps from the desktop.
  var taken: FingerCounts {
    consumes ? FingerCounts(fingers ?? kind.fingerRange).intersection(.takeable) : []
  }
}

/// The applications that have the focus and the pointer, and the rules that they meet.
package struct RuleFocus: Hashable, Sendable {
  /// A window as rules match it.
  package struct Window: Hashable, Sendable {
    package let names: [String]
    fileprivate let foldedNames: [FoldedText]
    fileprivate let foldedTitle: FoldedText

    package init(names: [String], title: String = "") {
      self.names = names
      foldedNames = names.map(FoldedText.init)
      foldedTitle = FoldedText(title)
    }
  }

  /// The names of each window's application, without its title, which is private. A window that is
  /// missing here does not exist, or is not known.
  let names: [FollowedWindow: [String]]
  /// The windows of which it is known whether they exist.
  let known: Set<FollowedWindow>
  /// By rule: whether it applies. Computed once for each change of the focus, not for each stroke.
  let isMet: [Bool]
}

extension ApplicationMatch {
  /// Whether the window that it looks at is there and matches.
  func fits(_ windows: [FollowedWindow: RuleFocus.Window]) -> Bool {
    windows[window].map { fits(names: $0.foldedNames, title: $0.foldedTitle) } ?? false
  }
}

/// The properties of a device that rules can match.
package struct RuleDevice: Hashable, Sendable {
  package var id: DeviceID
  package var name: String
  /// `nil` if unknown, as for devices that another process reads. A rule that asks for it then does
  /// not match.
  package var vendorAndProduct: DeviceMatch.VendorAndProduct?
  /// `nil` if the kind is unknown or has no case here.
  package var kind: DeviceMatch.Kind?
  /// Its ``GlissEvents/Device/unit``; 1 if another process reads it.
  package var unit = 1
}

extension RuleDevice {
  package init(_ device: Device) {
    self.init(
      id: device.id, name: device.name,
      vendorAndProduct: DeviceMatch.VendorAndProduct(
        vendor: device.identifier.vendor, product: device.identifier.product),
      // rules cannot ask for others
      kind: DeviceMatch.Kind(rawValue: device.kind.rawValue), unit: device.unit)
  }
}

extension DeviceMatch {
  package func fits(_ device: RuleDevice) -> Bool {
    if let kind, kind != device.kind { return false }
    if let vendorAndProduct, vendorAndProduct != device.vendorAndProduct { return false }
    guard let name else { return true }
    return FoldedText(device.name).fits(name)
  }
}
