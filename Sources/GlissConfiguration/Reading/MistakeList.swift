/// Mistakes as far as they are told: so many errors, and as many warnings, which take no error's place.
struct MistakeList {
  /// More of a kind are not told.
  static let most = 1000

  private(set) var all: [Mistake] = []
  private var errors = 0

  /// Whether another one of that kind is not told.
  func isFull(_ severity: Mistake.Severity) -> Bool {
    switch severity {
    case .error: errors >= Self.most
    case .warning: all.count - errors >= Self.most
    }
  }

  mutating func append(_ mistake: Mistake) {
    guard !isFull(mistake.severity) else { return }
    if mistake.severity == .error { errors += 1 }
    all.append(mistake)
  }
}
