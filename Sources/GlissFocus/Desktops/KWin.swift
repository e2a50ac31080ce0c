import Glibc
import GlissDevices
import GlissEvents

/// The script that runs in KWin and reports a window: its text, and its file.
///
/// KWin keeps a script after the process that loaded it has gone. The file names that process, so
/// that the next one can unload the script.
struct KWinScript {
  static let path = "/org/gliss/Focus"
  static let interface = "org.gliss.Focus"
  private static let prefix = "gliss-focus-"
  private static let suffix = ".js"

  /// KWin's name for it. KWin does not reload a name that it has unloaded, so each is new.
  let name: String
  let file: String

  init(in folder: String, number: Int64) {
    name = "\(Self.prefix)\(getpid())-\(number)"
    file = "\(folder)/\(name)\(Self.suffix)"
  }

  /// Works with Plasma 5 and 6, which use different names.
  static func text(for bus: String, following window: FollowedWindow) -> String {
    reporting(to: bus) + (window == .focused ? followingFocus : followingPointer)
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

  /// This runs on each motion of the pointer, but reports only changes of the window.
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

  /// Creates the file, readable and writable only by this user. Follows no link.
  func write(_ text: String) throws(DesktopFailure) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unreachable(file, code: errno) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw .unreachable(file, code: errno)
    }
  }

  func remove() { unlink(file) }

  /// Removes the files of processes that have ended, and returns the names of their scripts.
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

  /// The focus that the script reports. Its arguments come in this order.
  static func focus(
    file: String?, windowClass: String?, name: String?, title: String?, pid: String?
  ) -> Focus {
    Focus(
      FocusedWindow(
        names: [file, windowClass, name], title: title, pid: pid.flatMap { Int32($0) }))
  }
}

/// KWin on the bus, and one script in it, which is unloaded with this object.
final class KWin {
  private static let name = "org.kde.KWin"
  private static let scripting = "org.kde.kwin.Scripting"

  let service: BusService
  private let folder: String
  private let script: KWinScript
  private var isLoaded = false

  /// - Parameter folder: the runtime folder, where the script is put.
  init(bus address: String, folder: String, on loop: InputLoop) throws(DesktopFailure) {
    self.folder = folder
    script = KWinScript(in: folder, number: InputLoop.now.microseconds)
    service = try BusService(Self.name, bus: address, on: loop)
  }

  deinit {
    if isLoaded { unload(script.name) }
    script.remove()
  }

  private func unload(_ name: String) {
    service.bus.tell(Self.name, "/Scripting", Self.scripting, "unloadScript") { $0.append(name) }
  }

  func run(_ text: String, _ end: @escaping () -> Void = {}) {
    KWinScript.takeLeftovers(in: folder).forEach(unload)
    do throws(DesktopFailure) { try script.write(text) } catch {
      return service.fail(.refused(error.description))
    }
    isLoaded = true
    service.call("/Scripting", Self.scripting, "loadScript", [script.file, script.name]) {
      [weak self] message in
      let number = message.error == nil ? message.integer() : nil
      guard let number, number >= 0 else {
        self?.service.fail(.refused("KWin loads no script"))
        return
      }
      // Plasma 6, then 5
      self?.run(at: ["/Scripting/Script\(number)", "/\(number)"], end)
    }
  }

  private func run(at paths: ArraySlice<String>, _ end: @escaping () -> Void) {
    guard let path = paths.first else { return service.fail(.refused("KWin runs no script")) }
    service.call(path, "org.kde.kwin.Script", "run") { [weak self] message in
      guard message.error == nil else {
        self?.run(at: paths.dropFirst(), end)
        return
      }
      // KWin gives a new script the count of scripts as its number, so after an unload two scripts
      // may share one. Then `run` has started the other one. `start` starts all that do not run.
      self?.service.call("/Scripting", Self.scripting, "start") { _ in end() }
    }
  }
}

/// The focus from KWin, reported by a script that stays in it.
final class KWinFocus: DesktopConnection {
  private let window: FollowedWindow
  private let kwin: KWin
  private var report: DesktopReporting<Focus>?

  init(_ window: FollowedWindow, _ kwin: KWin) {
    self.window = window
    self.kwin = kwin
  }

  func start(_ report: @escaping DesktopReporting<Focus>) {
    self.report = report
    let service = kwin.service
    service.didFail = { report(.failure($0)) }
    // a restarted KWin does not have the script
    service.failIfReplaced()
    service.keep(service.bus.serveTree(KWinScript.path) { [weak self] in self?.take($0) })
    service.find { [window, weak kwin] in
      guard let kwin, let name = kwin.service.bus.uniqueName else { return }
      kwin.run(KWinScript.text(for: name, following: window))
    }
  }

  /// Only KWin may report the focus.
  private func take(_ call: BusCall) {
    defer { call.answer() }
    guard call.member == "Focus", call.sender == kwin.service.owner else { return }
    let focus = call.read { message in
      KWinScript.focus(
        file: message.string(), windowClass: message.string(), name: message.string(),
        title: message.string(), pid: message.string())
    }
    if let focus { report?(.success(focus)) }
  }
}

/// One action for KWin, done by a script that runs once.
final class KWinAction: DesktopConnection {
  private let action: DesktopAction?
  private let kwin: KWin

  init(_ action: DesktopAction?, _ kwin: KWin) {
    self.action = action
    self.kwin = kwin
  }

  func start(_ report: @escaping DesktopReporting<FocusKind>) {
    kwin.service.didFail = { report(.failure($0)) }
    kwin.service.find { [action, weak kwin] in
      guard let text = action.flatMap(Self.text) else { return report(.success(.kwin)) }
      kwin?.run(text) { report(.success(.kwin)) }
    }
  }

  /// The script, which calls the slot of KWin's own shortcut, the same in Plasma 5 and 6; `nil` if
  /// KWin has no such shortcut.
  static func text(for action: DesktopAction) -> String? {
    switch action {
    case .window(.close): "workspace.slotWindowClose();"
    case .window(.minimize): "workspace.slotWindowMinimize();"
    case .window(.maximize): "workspace.slotWindowMaximize();"
    case .window(.fullscreen): "workspace.slotWindowFullScreen();"
    case .window(.float): nil
    case .window(.tileLeft): "workspace.slotWindowQuickTileLeft();"
    case .window(.tileRight): "workspace.slotWindowQuickTileRight();"
    case .workspace(.next): "workspace.slotSwitchDesktopNext();"
    case .workspace(.previous): "workspace.slotSwitchDesktopPrevious();"
    case .workspace(.number(let number)):
      """
      var all = workspace.desktops;
      if (typeof all !== "number") { if (all[\(number - 1)]) workspace.currentDesktop = all[\(number - 1)]; }
      else if (\(number) <= all) workspace.currentDesktop = \(number);
      """
    }
  }
}
