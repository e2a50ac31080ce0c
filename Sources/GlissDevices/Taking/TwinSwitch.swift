import Glibc

/// Whether strokes are hidden by twins of touchpads: root's decision for the machine.
///
/// It is a file, which `glissd` looks for when it starts and at a reload.
package struct TwinSwitch: Hashable, Sendable {
  /// The folder, which may not exist yet and is removed with the file if it is empty then.
  package var folder: String

  package static let system = TwinSwitch(folder: "/etc/gliss")

  package init(folder: String) { self.folder = folder }

  package var path: String { "\(folder)/twin" }

  /// Whether the file exists, belongs to root or this user, and only its owner can write it.
  package var isOn: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && (status.st_uid == 0 || status.st_uid == geteuid()) && status.st_mode & 0o022 == 0
  }

  private static let contents =
    "# Touchpads have twins, which hide strokes from the desktop: 'gliss take on --twin', 'gliss take off'.\n"
  /// In a line of its own.
  private static let resting = "resting"

  /// Whether the desktop sees resting contacts as palms while there are twins.
  package var hidesResting: Bool {
    guard isOn else { return false }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    return bytes.split(separator: UInt8(ascii: "\n"))
      .contains { $0.elementsEqual(Self.resting.utf8) }
  }

  package func turnOn(hidesResting: Bool = false) throws(SystemError) {
    try Folder.make(folder, mode: 0o755)
    let contents = Self.contents + (hidesResting ? "\(Self.resting)\n" : "")
    let code = FileBytes.replace(path, with: Array(contents.utf8), mode: 0o644)
    guard code == 0 else { throw SystemError(path, failed: code) }
  }

  /// - Returns: whether it was on.
  package func turnOff() throws(SystemError) -> Bool {
    guard unlink(path) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw SystemError(path, failed: errno)
    }
    rmdir(folder)
    return true
  }
}

/// Hides strokes the way that root has chosen: by the control for plugins, or by twins.
package final class StrokeChoice: StrokeTaking {
  private let control: any StrokeTaking
  private let twins: any StrokeTaking
  private var now: FingerCounts = []
  private var ever: FingerCounts = []
  private var isTwin = false

  package init(control: any StrokeTaking, twins: any StrokeTaking) {
    (self.control, self.twins) = (control, twins)
  }

  private var chosen: any StrokeTaking { isTwin ? twins : control }

  package func choose(twins isTwin: Bool) throws(SystemError) {
    try take(now, of: ever, twins: isTwin)
  }

  package func take(_ now: FingerCounts, of ever: FingerCounts) throws(SystemError) {
    try take(now, of: ever, twins: isTwin)
  }

  /// Only one way is used at a time: otherwise one would hide a stroke again that the other has
  /// given back.
  package func take(
    _ now: FingerCounts, of ever: FingerCounts, twins isTwin: Bool
  ) throws(SystemError) {
    let before = chosen
    let hasChanged = isTwin != self.isTwin
    (self.now, self.ever, self.isTwin) = (now, ever, isTwin)
    if hasChanged { try before.take([], of: []) }
    // also if nothing has changed, because the last attempt may have failed
    try chosen.take(now, of: ever)
  }

  package func decide(_ verdict: StrokeVerdict) { chosen.decide(verdict) }
}

extension DeviceFinder {
  /// All devices; none if they cannot be looked for.
  package static var all: [FoundDevice] { (try? DeviceFinder().devices()) ?? [] }

  /// Whether any touchpad has a twin.
  package static var hasTwin: Bool { all.contains { $0.isOwn && $0.classes.contains(.touchpad) } }
}
