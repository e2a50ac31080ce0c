/// Why the broker cannot serve, or cannot serve a client, with the place and advice.
public struct BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The socket, file, call or option.
  public var place: String
  public var problem: String
  public var advice: String?
  /// The system's error number; 0 if there is none.
  public var code: Int32

  public init(_ place: String, _ problem: String, advice: String? = nil, code: Int32 = 0) {
    self.place = place
    self.problem = problem
    self.advice = advice
    self.code = code
  }

  public var description: String { "\(place): \(problem)" + (advice.map { "; \($0)" } ?? "") }
}
