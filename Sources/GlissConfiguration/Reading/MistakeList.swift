/// The mistakes that are reported: a limited number of errors, and separately of warnings.
struct MistakeList {
  /// The limit for each kind.
  static let most = 1000

  private(set) var all: [Mistake] = []
  private var errors = 0

  /// Whether no more mistakes of that kind are reported.
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
