import Glibc
import GlissDevices

/// The script that runs in KWin and reports a window: its text, and its file.
///
/// KWin keeps a script when the process that loaded it has gone. The file names that process, so the next
/// one can unload it.
struct KWinScript {
  /// KWin's name on the bus.
  static let service = "org.kde.KWin"
  static let path = "/org/gliss/Focus"
  static let interface = "org.gliss.Focus"
  private static let prefix = "gliss-focus-"
  private static let suffix = ".js"

  /// What KWin calls it. KWin does not load a name again that it has unloaded, so each is new.
  let name: String
  let file: String

  init(in folder: String, number: Int64) {
    name = "\(Self.prefix)\(getpid())-\(number)"
    file = "\(folder)/\(name)\(Self.suffix)"
  }

  /// Works with Plasma 5 and 6, which have other names for the same.
  static func text(for bus: String, following window: FollowedWindow) -> String {
    let following =
      switch window {
      case .focused: followingFocus
      case .underPointer: followingPointer
      }
    return reporting(to: bus) + following
  }

  private static func reporting(to bus: String) -> String {
    """
    var current = null;
    function text(value) { return value ? String(value) : ""; }
    function report() {
      var w = current;
      callDBus("\(bus)", "\(path)", "\(interface)", "Focus", w ? text(w.desktopFileName) : "",
        w ? text(w.resourceClass) : "", w ? text(w.resourceName) : "", w ? text(w.caption) : "",
        w ? text(w.pid) : "");
    }
    function show(window) {
      if (current) { try { current.captionChanged.disconnect(report); } catch (gone) {} }
      current = window;
      if (current) current.captionChanged.connect(report);
      report();
    }
    var activated = workspace.windowActivated ? workspace.windowActivated : workspace.clientActivated;

    """
  }

  private static let followingFocus = """
    activated.connect(show);
    show(workspace.activeWindow !== undefined ? workspace.activeWindow : workspace.activeClient);

    """

  /// It runs with each motion of the pointer, but reports only another window.
  private static let followingPointer = """
    function isUnder(window, point) {
      var area = window.frameGeometry;
      return !window.minimized && (window.onAllDesktops || window.desktop === workspace.currentDesktop)
        && point.x >= area.x && point.x < area.x + area.width
        && point.y >= area.y && point.y < area.y + area.height;
    }
    function find(point) {
      if (workspace.windowAt) return workspace.windowAt(point, 1)[0] || null;
      var all = workspace.clientList(), top = null;
      for (var i = 0; i < all.length; i++) {
        if (isUnder(all[i], point) && (!top || all[i].stackingOrder > top.stackingOrder)) top = all[i];
      }
      return top;
    }
    function look() {
      var window = find(workspace.cursorPos);
      if (window !== current) show(window);
    }
    var removed = workspace.windowRemoved ? workspace.windowRemoved : workspace.clientRemoved;
    [workspace.cursorPosChanged, activated, removed, workspace.currentDesktopChanged].forEach(
      function (change) { change.connect(look); });
    show(find(workspace.cursorPos));

    """

  /// Writes the file where only this user can.
  func write(_ text: String) throws(FocusFailure) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unreachable(file, code: errno) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw .unreachable(file, code: errno)
    }
  }

  func remove() { unlink(file) }

  /// The names of scripts whose processes have ended. Their files are removed.
  static func takeLeftovers(in folder: String) -> [String] {
    Folder.names(in: folder).compactMap { entry in
      guard entry.hasPrefix(prefix), entry.hasSuffix(suffix) else { return nil }
      let name = String(entry.dropLast(suffix.count))
      guard
        let pid = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
        pid > 0, kill(pid, 0) != 0, errno == ESRCH
      else { return nil }
      unlink("\(folder)/\(entry)")
      return name
    }
  }

  /// What the script reports, in the order of its arguments.
  static func focus(
    file: String?, windowClass: String?, name: String?, title: String?, pid: String?
  ) -> Focus {
    let window = FocusedWindow(
      names: [file, windowClass, name], title: title, pid: pid.flatMap { Int32($0) })
    return window.names.isEmpty && window.title.isEmpty ? .nothing : .window(window)
  }
}
