package import GlissEvents

/// Which keys belong to which owner, in any mode: a hotkey has one owner, who may use it in several
/// modes.
///
/// It sits above several tables that receive the same keys, such as one table per program of a
/// user. A claim costs a few lookups, however many there are.
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

  private typealias Node = HotkeyTable.Node
  private typealias Step = HotkeyTable.Step

  /// The hotkeys that end with one step, and those that continue, in other modes of the same owner.
  private struct Place {
    var ends: [Claim] = []
    var next: HotkeyTable.Node?

    var isBare: Bool { ends.isEmpty && next == nil }
  }

  private var places: [HotkeyTable.Step: Place] = [:]
  /// The hotkeys below a node, oldest first.
  private var beyond: [HotkeyTable.Node: [Claim]] = [:]
  private var sides = SideCounts()
  private var lastNode = HotkeyTable.Node.base

  package init() {}

  /// Whether nothing is left of earlier claims; for tests.
  var isBare: Bool { places.isEmpty && beyond.isEmpty && sides.isZero }

  /// Another owner's hotkey that conflicts with `hotkey`, in any mode of either; `nil` if there is
  /// none.
  package func holder(against hotkey: Hotkey, of owner: Owner) -> Claim? {
    let path = HotkeyTable.path(of: hotkey)
    let sided = sides.pairs
    var node = Node.base
    for (index, alternatives) in path.enumerated() {
      var shared: Node?
      for alternative in alternatives {
        for modifiers in alternative.modifiers.overlapping(naming: sided) {
          let step = Step(node: node, modifiers: modifiers, code: alternative.code)
          guard let place = places[step] else { continue }
          if let claim = place.ends.first(where: { $0.owner != owner }) { return claim }
          guard let next = place.next else { continue }
          // Sequences may share their beginning if they start with the same chord.
          if modifiers == alternative.modifiers, index < path.count - 1 {
            shared = next
          } else if let claim = beyond[next]?.first(where: { $0.owner != owner }) {
            return claim
          }
        }
      }
      guard let shared else { return nil }
      node = shared
    }
    return nil
  }

  /// Assigns `hotkey` to its owner; call ``holder(against:of:)`` first.
  package mutating func add(_ hotkey: Hotkey, _ claim: Claim) {
    let path = HotkeyTable.path(of: hotkey)
    var node = Node.base
    for (index, alternatives) in path.enumerated() {
      let steps = alternatives.map { $0.step(from: node) }
      if index == path.count - 1 {
        for step in steps { places[step, default: Place()].ends.append(claim) }
        break
      }
      let next = places[steps[0]]?.next ?? newNode()
      for step in steps { places[step, default: Place()].next = next }
      beyond[next, default: []].append(claim)
      node = next
    }
    sides.count(hotkey, 1)
  }

  /// Frees `hotkey`, which must have been claimed with `claim`.
  package mutating func remove(_ hotkey: Hotkey, _ claim: Claim) {
    let path = HotkeyTable.path(of: hotkey)
    var node = Node.base
    for (index, alternatives) in path.enumerated() {
      let steps = alternatives.map { $0.step(from: node) }
      if index == path.count - 1 {
        for step in steps { change(step) { $0.ends.removeAll { $0 == claim } } }
        break
      }
      guard let next = places[steps[0]]?.next else { return }
      beyond[next]?.removeAll { $0 == claim }
      if beyond[next]?.isEmpty == true {
        beyond[next] = nil
        for step in steps { change(step) { $0.next = nil } }
      }
      node = next
    }
    sides.count(hotkey, -1)
  }

  private mutating func newNode() -> HotkeyTable.Node {
    lastNode = Node(number: lastNode.number + 1)
    return lastNode
  }

  private mutating func change(_ step: HotkeyTable.Step, _ body: (inout Place) -> Void) {
    guard var place = places[step] else { return }
    body(&place)
    places[step] = place.isBare ? nil : place
  }
}
