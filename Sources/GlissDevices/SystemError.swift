import Glibc

/// Why something of the system failed: a device, file, socket, process or option, with advice.
///
/// A device that cannot be opened is a ``RefusedDevice`` instead: the others are still read. If
/// nothing can be read at all, ``LiveDevices`` throws, unless ``LiveDevices/didRefuse`` is set.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed: a path, system call or option.
  public var place: String
  /// What is wrong.
  public var problem: String
  /// How to fix it.
  public var advice: String?
  /// The system's error number; 0 if there is none.
  public var code: Int32

  /// A failure at a place, such as a path, with what to do about it.
  public init(_ place: String, _ problem: String, advice: String? = nil, code: Int32 = 0) {
    self.place = place
    self.problem = problem
    self.advice = advice
    self.code = code
  }

  /// A system call that failed with `code`.
  package init(_ place: String, failed code: Int32, advice: String? = nil) {
    self.init(place, String(cString: strerror(code)), advice: advice, code: code)
  }

  public var description: String {
    "\(place): \(problem)" + (advice.map { "; \($0)" } ?? "")
  }
}
