/// A name that several programs share (`org.example.suite`). A grant for a group also holds for the
/// groups below it, compared by whole components.
public struct AccessGroup: Hashable, Sendable {
  public let name: String

  /// In bytes: as long as a D-Bus name may be.
  private static let longest = 255

  /// - Throws: ``GateError/Problem/syntax`` if it is not a dotted name of at least two components.
  public init(_ name: String) throws(GateError) {
    let components = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName =
      name.utf8.count <= Self.longest && components.count >= 2
      && components.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isAllowed) }
    guard isName else {
      throw GateError(
        .syntax, "group", "“\(name.boundedLine(60))” is no group's name",
        advice:
          "it has components of letters, digits, _ and -, with dots between: org.example.suite")
    }
    self.name = name
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    case _: false
    }
  }

  /// Whether `other` is this group or below it: `org.foo` contains `org.foo.bar` but not
  /// `org.foobar`.
  public func contains(_ other: AccessGroup) -> Bool {
    other.name == name || other.name.hasPrefix(name + ".")
  }
}
