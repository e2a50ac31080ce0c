import Glibc
import GlissAgent
package import GlissConfiguration
import GlissDevices
import GlissEvents

/// The file with the user's answers, which the user may also edit.
package struct ShortcutStore: Sendable {
  package let path: String

  package static var standardPath: String { ConfigurationFiles().userFolder + "/shortcuts.yaml" }

  package init(path: String = Self.standardPath) { self.path = path }

  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var description: String
    /// What is wrong in the file, with its places.
    package var mistakes: [Mistake] = []
  }

  package func read() throws(Failure) -> ShortcutAnswers { try answers(in: text()) }

  private func text() throws(Failure) -> ConfigurationText? {
    var files = ConfigurationFiles()
    files.only = path
    // in this file "include" is an unknown key like any other
    files.followsIncludes = false
    let found = files.read()
    if let error = found.errors.first, error.reason != .missing {
      throw Failure(description: error.description)
    }
    return found.texts.first
  }

  private func answers(in text: ConfigurationText?) throws(Failure) -> ShortcutAnswers {
    guard let text else { return ShortcutAnswers() }
    let reading = ShortcutFile.read(text)
    if let answers = reading.answers { return answers }
    let first = reading.mistakes.first
    let place = first.map { "\($0.place): \($0.message)" } ?? "\(path): it cannot be read"
    throw Failure(description: place, mistakes: reading.mistakes)
  }

  /// Changes the answers in the file. The file is replaced completely or stays as it is.
  package func update(_ change: (inout ShortcutAnswers) -> Void) throws(Failure) {
    let folder = try Self.makeFolder(of: path)
    // lock the file, because the portal and the command may both change it
    let lock = open("\(folder)/.shortcuts.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Self.failure(path, errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 { if errno != EINTR { throw Self.failure(path, errno) } }
    let text = try text()
    let before = try answers(in: text)
    var answers = before
    change(&answers)
    guard answers != before else { return }
    let head = text.map(Self.head) ?? Self.standardHead
    let code = Self.replace(path, with: answers.text(head: head))
    if code != 0 { throw Self.failure(path, code) }
  }

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    Failure(description: "\(path): \(String(cString: strerror(code)))")
  }

  /// The path with links resolved; `nil` for a dangling link.
  private static func target(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else {
      var status = stat()
      return lstat(path, &status) == 0 ? nil : path
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static let standardHead = """
    # Global shortcuts of applications, and your answers: 'gliss shortcuts' lists and changes them.
    # A trigger is a hotkey, a gesture as in gliss.yaml, or none. Comments further down are not kept.

    """

  /// The comment at the beginning, which the user may have changed.
  private static func head(of text: ConfigurationText) -> String {
    var lines = String(decoding: text.bytes, as: UTF8.self).lines
    if lines.last == "" { lines.removeLast() }
    return lines.prefix { $0.hasPrefix("#") || $0.isEmpty }.map { $0 + "\n" }.joined()
  }

  @discardableResult
  package static func makeFolder(of path: String) throws(Failure) -> String {
    let folder = path.folderAndName.folder
    do throws(SystemError) {
      try Folder.make(folder, mode: 0o700)
    } catch {
      throw failure(error.place, error.code)
    }
    return folder
  }

  /// Replaces a file, or a link's target, completely, or leaves it as it is. The file keeps its
  /// mode; a new one gets `mode`. Returns 0 once the file is on disk, or the error number.
  package static func replace(
    _ path: String, with text: String, mode: UInt32 = 0o600
  ) -> Int32 {
    guard let path = target(of: path) else { return ENOENT }
    var status = stat()
    let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : mode
    return FileBytes.replace(path, with: Array(text.utf8), mode: mode)
  }
}
