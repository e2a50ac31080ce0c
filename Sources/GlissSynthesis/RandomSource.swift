package import GlissEvents

/// Random numbers with the same bits on every processor: xoshiro256**, seeded through SplitMix64.
///
/// Its doubles use only sums, products, quotients, square roots and ``Elementary``, all of which
/// IEEE 754 defines to the bit.
package struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  package init(seed: UInt64) {
    var mixer = SplitMix64(state: seed)
    state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
  }

  /// A separate source for each combination of `name` and `index`.
  package init(seed: UInt64, name: String, index: Int = 0) {
    // FNV-1a over the name
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var mixer = SplitMix64(state: seed &+ hash)
    let first = mixer.next()
    mixer = SplitMix64(state: first &+ UInt64(truncatingIfNeeded: index))
    self.init(seed: mixer.next())
  }

  package mutating func next() -> UInt64 {
    let result = Self.turned(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = Self.turned(state.3, by: 45)
    return result
  }

  /// Uniform from 0 up to, but not including, 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform in the range.
  package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  /// Log-uniform in the range: each doubling is equally likely. Bounds must be above 0.
  package mutating func logUniform(_ range: ClosedRange<Double>) -> Double {
    let (low, high) = (Elementary.log(range.lowerBound), Elementary.log(range.upperBound))
    return Elementary.exp(low + (high - low) * unit())
  }

  /// Gaussian with mean 0 and standard deviation 1.
  package mutating func normal() -> Double {
    // Marsaglia's polar method; the second number of a pair is dropped to keep the source a plain
    // value.
    while true {
      let (u, v) = (2 * unit() - 1, 2 * unit() - 1)
      let square = u * u + v * v
      if square > 0 && square < 1 { return u * (-2 * Elementary.log(square) / square).squareRoot() }
    }
  }

  /// Gaussian with mean 0, cut at `limit` on both sides.
  package mutating func normal(deviation: Double, limit: Double) -> Double {
    max(-limit, min(limit, normal() * deviation))
  }

  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// -1 or 1.
  package mutating func sign() -> Double { chance(0.5) ? 1 : -1 }

  /// An integer in the range.
  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    let span = Double(range.upperBound - range.lowerBound + 1)
    return min(range.upperBound, range.lowerBound + Int(unit() * span))
  }

  /// One of the elements, which must not be empty.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[integer(0...elements.count - 1)]
  }

  /// A vector of that length in a random direction.
  package mutating func vector(length: Double) -> Vector2 {
    Vector2(angle: uniform(-.pi ... .pi)) * length
  }

  private static func turned(_ value: UInt64, by bits: UInt64) -> UInt64 {
    (value << bits) | (value >> (64 - bits))
  }
}

/// Expands a seed into as many words as needed.
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

extension Vector2 {
  /// The unit vector at `angle` radians from the x axis, clockwise as the user sees it.
  package init(angle: Double) {
    let (sine, cosine) = Elementary.sineCosine(angle)
    self.init(x: cosine, y: sine)
  }

  /// The vector turned by `angle` radians around the origin, clockwise as the user sees it.
  package func turned(by angle: Double) -> Vector2 {
    let (sine, cosine) = Elementary.sineCosine(angle)
    return Vector2(x: x * cosine - y * sine, y: x * sine + y * cosine)
  }
}

extension Double {
  /// This many degrees in radians.
  package var radians: Double { self * .pi / 180 }
}
