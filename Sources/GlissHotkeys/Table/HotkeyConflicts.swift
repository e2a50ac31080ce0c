/// Hotkeys by the keys of their first step, to find those that conflict: the same keys could press
/// both, or begin both.
///
/// The broker has one above the tables of a user's programs, which receive the same keys.
package struct HotkeyConflicts<Value: Equatable & Sendable>: Sendable {
  private var values: [HotkeyTable.Code: [(path: HotkeyTable.Path, value: Value)]] = [:]

  package init() {}

  /// Whether nothing is left of earlier hotkeys.
  var isEmpty: Bool { values.isEmpty }

  package mutating func add(_ hotkey: Hotkey, _ value: Value) {
    let path = HotkeyTable.path(of: hotkey)
    for first in path[0] { values[first.code, default: []].append((path, value)) }
  }

  /// Frees `hotkey`, which must have been added with `value`.
  package mutating func remove(_ hotkey: Hotkey, _ value: Value) {
    for first in HotkeyTable.path(of: hotkey)[0] {
      values[first.code]?.removeAll { $0.value == value }
      if values[first.code]?.isEmpty == true { values[first.code] = nil }
    }
  }

  /// Those that conflict with `hotkey`, in any mode, oldest first for each key.
  package func all(with hotkey: Hotkey) -> [Value] {
    let path = HotkeyTable.path(of: hotkey)
    return path[0].flatMap { values[$0.code] ?? [] }
      .filter { HotkeyTable.conflict($0.path, path) }.map(\.value)
  }
}

extension HotkeyTable {
  fileprivate static func conflict(_ one: Path, _ other: Path) -> Bool {
    // sequences may share their beginning if they start with the same chord
    for (step, another) in zip(one, other) where step != another {
      return step[0].modifiers.overlaps(another[0].modifiers)
        && step.contains { mine in another.contains { $0.code == mine.code } }
    }
    return true
  }
}

extension Hotkey {
  /// Whether the same keys could press both, or begin both.
  package func conflicts(with other: Hotkey) -> Bool {
    HotkeyTable.conflict(HotkeyTable.path(of: self), HotkeyTable.path(of: other))
  }
}
