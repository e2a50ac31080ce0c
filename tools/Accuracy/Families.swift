public import ArgumentParser
import GlissEvents
public import GlissSynthesis
import StrokeClasses

/// Which classes are run.
enum Families: String, CaseIterable, ExpressibleByArgument {
  case tuning
  case heldOut = "held-out"
  case all

  var classes: [TraceClass] {
    switch self {
    case .tuning: TraceClass.all.filter { $0.half == .tuning }
    case .heldOut: TraceClass.all.filter { $0.half == .heldOut }
    case .all: TraceClass.all
    }
  }
}

extension MotorModel.Profile: ExpressibleByArgument {}

extension TraceClass {
  /// What kind of gesture its strokes are; `nil` for none.
  var kind: GestureKind? { trace(index: 0, seed: 1).truth.expected.first?.kind }

  var isMovingTogether: Bool { kind == .drag || kind == .swipe }
  var isPinchOrRotation: Bool { kind == .pinch || kind == .rotate }
}

/// Strokes whose way to the decision is compared.
enum TravelGroup: String, CaseIterable {
  case plainDrag = "plain drag"
  case slowDrag = "slow drag"
  case pinch
  case rotation
  case stillFinger = "with a finger still"
  case swipe = "swipes"

  /// `nil` for all other classes, such as those whose slots change places: their contacts jump.
  init?(_ name: String) {
    if name.hasPrefix("swapped") || name.hasPrefix("edge") { return nil }
    if name.hasSuffix("anchored") || name.hasPrefix("rest-") || name.hasPrefix("still-finger") {
      self = .stillFinger
    } else if name == "drag-slow" {
      self = .slowDrag
    } else if ["drag-plain", "drag-oblique", "any-pad-drag"].contains(name) {
      self = .plainDrag
    } else if name.contains("pinch") {
      self = .pinch
    } else if name.contains("rotate") {
      self = .rotation
    } else if name.contains("swipe") || name == "flick-3" {
      self = .swipe
    } else {
      return nil
    }
  }
}
