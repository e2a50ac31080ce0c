import Glibc
package import GlissDevices
import GlissEvents

/// gliss.lua where a desktop loads it from.
package struct PluginFile: Hashable, Sendable {
  /// A file of the same name in the user's folder goes before one in `/etc`.
  static let name = "50-gliss.lua"

  /// The folder it belongs in, which may not exist yet.
  package var folder: String

  package var path: String { "\(folder)/\(Self.name)" }

  package static var own: PluginFile {
    PluginFile(folder: ConfigurationFiles.baseFolder() + "/libinput/plugins")
  }

  /// The system's file, which root writes.
  package static let system = PluginFile(folder: "/etc/libinput/plugins")

  package enum State: Hashable, Sendable {
    case missing
    /// As this version of Gliss has it. `written` is in seconds since 1970.
    case installed(written: Int64)
    case outdated
    /// Not a file of Gliss.
    case foreign
    case unreadable(SystemError)

    var isOurs: Bool {
      switch self {
      case .installed, .outdated: true
      case .missing, .foreign, .unreadable: false
      }
    }
  }

  package var state: State {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else {
        return .unreadable(SystemError(path, failed: code))
      }
      var link = stat()
      // a link that leads nowhere
      return lstat(path, &link) == 0 ? .foreign : .missing
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .foreign
    }
    do throws(SystemError) {
      let bytes = try FileBytes.read(
        descriptor, of: path, size: status.st_size, limit: 1 << 20)
      if bytes == Self.contents {
        return .installed(written: Int64(max(status.st_mtim.tv_sec, status.st_ctim.tv_sec)))
      }
      return bytes.starts(with: Self.mark) ? .outdated : .foreign
    } catch {
      return .unreadable(error)
    }
  }

  package static var contents: [UInt8] { PackageResources.gliss_lua }
  /// How every version begins.
  private static let mark = Array("-- Gliss:".utf8)

  /// Installs it, completely or not at all.
  package func install() throws(SystemError) {
    switch state {
    case .foreign: throw foreign
    case .unreadable(let error): throw error
    case .missing, .installed, .outdated: try Folder.make(folder, mode: 0o755)
    }
    let code = FileBytes.replace(path, with: Self.contents, mode: 0o644)
    guard code == 0 else { throw SystemError(path, failed: code) }
  }

  /// Removes it, and its folder and libinput's if they are empty then.
  ///
  /// - Returns: whether it was there.
  package func remove() throws(SystemError) -> Bool {
    switch state {
    case .missing: return false
    case .foreign: throw foreign
    case .unreadable(let error): throw error
    case .installed, .outdated: break
    }
    guard unlink(path) == 0 else { throw SystemError(path, failed: errno) }
    if rmdir(folder) == 0 { rmdir(folder.folderAndName.folder) }
    return true
  }

  private var foreign: SystemError {
    SystemError(path, "is not a file of Gliss", advice: "move it away first")
  }
}
