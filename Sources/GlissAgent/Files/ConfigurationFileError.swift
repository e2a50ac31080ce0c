import Glibc

/// Why a configuration file was not read, and what to do about it.
public struct ConfigurationFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder concerned.
  public var path: String
  public var reason: Reason

  public enum Reason: Hashable, Sendable {
    /// The system refused it with this error number.
    case unreadable(Int32)
    /// The named file, or the only possible one, does not exist.
    case missing
    /// It belongs to neither the reading user nor root.
    case foreign(owner: UInt32)
    /// The group or others can write it.
    case writable(mode: UInt32)
    /// A folder, a device or the like stands where a file must be.
    case notAFile
    /// It is larger than ``Configuration/largestFile``.
    case tooLarge
  }

  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  public var description: String {
    switch reason {
    case .unreadable(let code): "\(path): \(String(cString: strerror(code)))"
    case .missing:
      "\(path): there is no such file; '\(makingFolder)gliss config example > \(path)' makes one to"
        + " begin with"
    case .foreign(let owner):
      "\(path): belongs to user \(owner), who could have rules run as you: make it yours with"
        + " 'chown', or remove it"
    case .writable(let mode):
      "\(path): others than its owner can write it (mode \(String(mode & 0o7777, radix: 8))), and"
        + " could have rules run as you: 'chmod go-w' it"
    case .notAFile: "\(path): this is no file"
    case .tooLarge: "\(path): the file is too large to be a configuration"
    }
  }

  /// A command that creates its folder.
  private var makingFolder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return ""
    }
    return "mkdir -p \(path[..<slash]) && "
  }
}
