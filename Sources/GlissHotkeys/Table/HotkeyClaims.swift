public import GlissEvents

/// Which keys are whose, in whatever mode: a hotkey has one owner, who may have it in several modes.
///
/// It stands above several tables that are fed the same keys, such as one for each program of a user. A claim costs a few
/// lookups, however many there are.
public struct HotkeyClaims<Owner: Hashable & Sendable>: Sendable {
  /// A hotkey of an owner, by its number in the owner's own table.
  public struct Claim: Hashable, Sendable {
    public let owner: Owner
    public let id: HotkeyID

    public init(owner: Owner, id: HotkeyID) {
      self.owner = owner
      self.id = id
    }
  }

  private typealias Node = HotkeyTable.Node
  private typealias Step = HotkeyTable.Step

  /// What one step leads to: hotkeys that end there, and such that go on, in other modes of the same owner.
  private struct Place {
    var ends: [Claim] = []
    var next: HotkeyTable.Node?

    var isBare: Bool { ends.isEmpty && next == nil }
  }

  private var places: [HotkeyTable.Step: Place] = [:]
  /// The hotkeys that lie beyond a node, oldest first.
  private var beyond: [HotkeyTable.Node: [Claim]] = [:]
  private var sides = SideCounts()
  private var lastNode = HotkeyTable.Node.base

  public init() {}

  /// Nothing is kept of what was claimed; for tests.
  var isBare: Bool { places.isEmpty && beyond.isEmpty && sides.isZero }

  /// Somebody else's hotkey that is in the way of `hotkey`, in whatever mode each of them is; `nil` if there is none.
  public func holder(against hotkey: Hotkey, of owner: Owner) -> Claim? {
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
          // sequences may begin alike, if they begin with the same chord
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

  /// `hotkey` is its owner's from now on; ask ``holder(against:of:)`` first.
  public mutating func add(_ hotkey: Hotkey, _ claim: Claim) {
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

  /// `hotkey`, which was claimed so, is free again.
  public mutating func remove(_ hotkey: Hotkey, _ claim: Claim) {
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
