import Foundation
package import GlissSynthesis

/// What random tests draw from. Each run draws anew; a failure names its seed, and `GLISS_SEED` repeats it.
package enum Seed {
  package static let value: UInt64 =
    ProcessInfo.processInfo.environment["GLISS_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...UInt64.max)

  /// Numbers of its own for each test.
  package static func source(_ name: String, _ index: Int = 0) -> RandomSource {
    RandomSource(seed: value, name: name, index: index)
  }

  /// Says how to see a failure again.
  package static var advice: String { "GLISS_SEED=\(value)" }
}
