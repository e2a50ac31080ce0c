/// Devices by name, or all present and future devices.
enum DeviceSet: Hashable {
  case all
  case named(Set<String>)

  init(_ names: Set<String>?) { self = names.map(DeviceSet.named) ?? .all }

  /// The form used in a scope.
  var names: Set<String>? {
    switch self {
    case .all: nil
    case .named(let names): names
    }
  }

  var isEmpty: Bool { self == .named([]) }

  func intersection(_ other: DeviceSet) -> DeviceSet {
    switch (self, other) {
    case (.all, _): other
    case (_, .all): self
    case (.named(let mine), .named(let theirs)): .named(mine.intersection(theirs))
    }
  }

  func union(_ other: DeviceSet) -> DeviceSet {
    switch (self, other) {
    case (.all, _), (_, .all): .all
    case (.named(let mine), .named(let theirs)): .named(mine.union(theirs))
    }
  }

  /// The devices that `other` does not contain. Empty if that is all devices except some, which no
  /// scope can express.
  func removing(_ other: DeviceSet) -> DeviceSet {
    switch (self, other) {
    case (_, .all): .named([])
    case (.all, .named(let theirs)): theirs.isEmpty ? .all : .named([])
    case (.named(let mine), .named(let theirs)): .named(mine.subtracting(theirs))
    }
  }

  func isSubset(of other: DeviceSet) -> Bool {
    switch (self, other) {
    case (_, .all): true
    case (.all, .named): false
    case (.named(let mine), .named(let theirs)): mine.isSubset(of: theirs)
    }
  }
}
