package import GlissEvents

/// Which keys belong to which owner, in any mode: a hotkey has one owner, who may use it in several
/// modes.
///
/// It sits above several tables that receive the same keys, such as one table per program of a
/// user.
package struct HotkeyClaims<Owner: Hashable & Sendable>: Sendable {
  /// An owner's hotkey, by its number in the owner's own table.
  package struct Claim: Hashable, Sendable {
    package let owner: Owner
    package let id: HotkeyID

    package init(owner: Owner, id: HotkeyID) {
      self.owner = owner
      self.id = id
    }
  }

  private var conflicts = HotkeyConflicts<Claim>()

  package init() {}

  /// Whether nothing is left of earlier claims; for tests.
  var isBare: Bool { conflicts.isEmpty }

  /// Another owner's hotkey that conflicts with `hotkey`, in any mode of either; `nil` if there is
  /// none.
  package func holder(against hotkey: Hotkey, of owner: Owner) -> Claim? {
    conflicts.all(with: HotkeyTable.path(of: hotkey)).first { $0.owner != owner }
  }

  /// Assigns `hotkey` to its owner; call ``holder(against:of:)`` first.
  package mutating func add(_ hotkey: Hotkey, _ claim: Claim) {
    conflicts.add(HotkeyTable.path(of: hotkey), claim)
  }

  /// Frees `hotkey`, which must have been claimed with `claim`.
  package mutating func remove(_ hotkey: Hotkey, _ claim: Claim) {
    conflicts.remove(HotkeyTable.path(of: hotkey), claim)
  }
}

/// Hotkeys by the keys of their first step, to find those that conflict: the same keys could press
/// both, or begin both.
struct HotkeyConflicts<Value: Equatable & Sendable>: Sendable {
  typealias Path = [[HotkeyTable.Alternative]]

  private var values: [HotkeyTable.Code: [(path: Path, value: Value)]] = [:]

  var isEmpty: Bool { values.isEmpty }

  mutating func add(_ path: Path, _ value: Value) {
    for first in path[0] { values[first.code, default: []].append((path, value)) }
  }

  mutating func remove(_ path: Path, _ value: Value) {
    for first in path[0] {
      values[first.code]?.removeAll { $0.value == value }
      if values[first.code]?.isEmpty == true { values[first.code] = nil }
    }
  }

  /// Those that conflict with `path`, oldest first for each key.
  func all(with path: Path) -> [Value] {
    path[0].flatMap { values[$0.code] ?? [] }.filter { Self.conflict($0.path, path) }.map(\.value)
  }

  private static func conflict(_ one: Path, _ other: Path) -> Bool {
    // sequences may share their beginning if they start with the same chord
    for (step, another) in zip(one, other) where step != another {
      return step[0].modifiers.overlaps(another[0].modifiers)
        && step.contains { mine in another.contains { $0.code == mine.code } }
    }
    return true
  }
}
