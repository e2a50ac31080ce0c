import GlissEvents

extension EvdevEvent {
  /// A key that went down, up or repeats, as `+KEY_A`, `-KEY_A`, `=KEY_A`; `nil` for anything else.
  var keyText: String? {
    guard type == .key else { return nil }
    let sign = value == 0 ? "-" : value == 1 ? "+" : "="
    return sign + Key(rawValue: code).name
  }

  var isLoss: Bool { type == .synchronization && code == SynchronizationCode.dropped }
}

extension KernelEvents {
  /// The keys of what has come since the last call.
  func keys() throws -> [String] { try (read() ?? []).compactMap(\.keyText) }
}
