/// Decides which binding of a config.yml acts in which case, as fusuma looks it up: property by
/// property, specific entries before general ones.
struct FusumaCases {
  private let reading: FusumaReading
  /// The binding that acts at each location.
  private let actors: [FusumaLocation: Int]
  /// The keys that must be held for some binding, by location without those keys.
  private let held: [FusumaLocation: Set<String>]

  /// Consecutive finger counts for which a binding acts in the same way.
  struct Case: Hashable {
    var fingers: ClosedRange<Int>
    var direction: String?
    /// Another binding acts while certain modifiers are held.
    var hasRivals: Bool
    var threshold: FusumaNumber?
    var interval: FusumaNumber?
    /// The binding that is updated while the fingers move back.
    var back: Int?
    /// The lines of the numbers that apply to this gesture only.
    var lines: [Int]
  }

  init(_ reading: FusumaReading) {
    self.reading = reading
    var actors: [FusumaLocation: Int] = [:]
    var held: [FusumaLocation: Set<String>] = [:]
    for (index, binding) in reading.bindings.enumerated() {
      let known = actors[binding.location]
      if known.map({ binding.executor <= reading.bindings[$0].executor }) ?? true {
        actors[binding.location] = index
      }
      if let keys = binding.location.held {
        var plain = binding.location
        plain.held = nil
        held[plain, default: []].insert(keys)
      }
    }
    self.actors = actors
    self.held = held
  }

  /// The binding at the same location that acts instead of this one; `nil` if this one acts.
  func rival(of index: Int) -> FusumaBinding? {
    guard let actor = actors[reading.bindings[index].location], actor != index else { return nil }
    return reading.bindings[actor]
  }

  /// The cases in which a binding acts. The numbers that apply to them are added to `used`.
  func cases(of index: Int, _ used: inout Set<FusumaNumber>) -> [Case] {
    let location = reading.bindings[index].location
    let isForAll = location.direction == nil && !location.kind.directions.isEmpty
    let directions = isForAll ? location.kind.directions.map { $0 } : [location.direction]
    let found = directions.map { cases(of: index, towards: $0, &used) }
    // if all directions are alike, use one rule without a direction
    let plain = found.map { cases in
      cases.map { one in
        var one = one
        one.direction = nil
        return one
      }
    }
    if isForAll, let first = plain.first, plain.allSatisfy({ $0 == first }) { return first }
    return found.flatMap { $0 }
  }

  private func cases(
    of index: Int, towards direction: String?, _ used: inout Set<FusumaNumber>
  ) -> [Case] {
    let location = reading.bindings[index].location
    let possible = location.fingers.map { $0...$0 } ?? location.kind.possibleFingers
    var cases: [Case] = []
    for fingers in possible {
      var here = location
      here.fingers = fingers
      here.direction = direction
      guard actor(in: here) == index else { continue }
      let threshold = number(.threshold, in: here)
      let interval = number(.interval, in: here)
      var next = Case(
        fingers: fingers...fingers, direction: direction, hasRivals: hasRivals(index, in: here),
        threshold: nil, interval: nil, back: nil, lines: [])
      if location.moment == .update { next.back = actorGoingBack(in: here) }
      if location.moment == .once, location.kind != .tap, let threshold {
        next.threshold = threshold.number
        used.insert(threshold.number)
        if threshold.isBeside { next.lines += threshold.number.lines }
      }
      if location.moment == .update, let interval {
        next.interval = interval.number
        used.insert(interval.number)
        if interval.isBeside { next.lines += interval.number.lines }
      }
      if var last = cases.last, last.fingers.upperBound == fingers - 1 {
        let range = last.fingers.lowerBound...fingers
        last.fingers = next.fingers
        if last == next {
          cases[cases.count - 1].fingers = range
          continue
        }
      }
      cases.append(next)
    }
    return cases
  }

  /// The binding that acts in a fully specified case.
  private func actor(in location: FusumaLocation) -> Int? {
    location.searched.lazy.compactMap { actors[$0] }.first
  }

  /// The binding that acts when the fingers move the opposite way.
  private func actorGoingBack(in location: FusumaLocation) -> Int? {
    guard let opposite = location.direction.flatMap(FusumaLocation.Kind.opposite) else {
      return nil
    }
    var there = location
    there.direction = opposite
    return actor(in: there)
  }

  /// Whether another binding acts there while certain keys are held.
  private func hasRivals(_ index: Int, in location: FusumaLocation) -> Bool {
    guard location.held == nil else { return false }
    let keys = location.searched.reduce(into: Set<String>()) { $0.formUnion(held[$1] ?? []) }
    return keys.contains { keys in
      var here = location
      here.held = keys
      return actor(in: here) != index
    }
  }

  /// The number that applies there, and whether it belongs to the gesture instead of to all
  /// gestures of its kind.
  private func number(
    _ name: FusumaNumber.Name, in location: FusumaLocation
  ) -> (number: FusumaNumber, isBeside: Bool)? {
    for place in location.searched {
      if let found = reading.numbers[place]?.last(where: { $0.name == name }) {
        return (found, true)
      }
    }
    return reading.defaults[location.kind]?.last { $0.name == name }.map { ($0, false) }
  }
}
