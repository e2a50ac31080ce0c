// Stands in for FoundationEssentials where `gliss` is linked for release (tools/lib.sh).
//
// swift-argument-parser asks it for two things: whether an error is a `LocalizedError`, and to write its
// `--experimental-dump-help` as JSON. For that the linker would take 6 MB of programs. Compiled under that module's name,
// this has the same symbols: no error of ours is localized, and what writes manual pages is linked without it.
import Glibc

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}

public struct Data {
  let bytes: (UInt64, UInt64) = (0, 0)
}

open class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  /// The one way in: nothing else of this class is ever reached.
  public init() {
    let text = "this program cannot describe itself: build it with 'swift build'\n"
    _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    exit(1)
  }
}

extension String {
  public struct Encoding: Sendable {
    public let rawValue: UInt
    public static let utf8 = Encoding(rawValue: 4)
  }

  public init?(data: __shared Data, encoding: Encoding) { return nil }
}
