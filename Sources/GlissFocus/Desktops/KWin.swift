import Glibc
import GlissDevices
import GlissEvents

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

/// KWin, by a script that is loaded into it over the bus.
final class KWinSource: FocusSource {
  private let window: FollowedWindow
  private let folder: String
  private var line: SessionBus?
  private let script: KWinScript
  private var owner: String?
  private var focus = Focus.unknown
  private var report: ((FocusReport) -> Void)?

  /// - Parameter folder: the runtime folder, where the script is put.
  init(
    _ window: FollowedWindow = .focused, bus address: String, folder: String, on loop: InputLoop
  ) throws(FocusFailure) {
    self.window = window
    self.folder = folder
    script = KWinScript(in: folder, number: InputLoop.now.microseconds)
    line = try SessionBus(address, on: loop) { [weak self] in self?.fail(.closed) }
  }

  deinit {
    if owner != nil { line?.unloadScript(script.name) }
    script.remove()
  }

  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure) {
    self.report = report
    guard let line else { throw .closed }
    // a KWin that restarts is another one, without the script
    try line.listenForOwner(of: KWinScript.service) { [weak self] in self?.fail(.closed) }
    try line.keep(line.bus.serve(KWinScript.path) { [weak self] in self?.take($0) })
    try line.findOwner(of: KWinScript.service) { [weak self] owner in
      self?.attempt { source throws(FocusFailure) in try source.load(into: owner) }
    }
  }

  private func load(into owner: String?) throws(FocusFailure) {
    guard let line, let owner, let name = line.bus.uniqueName else {
      throw .unreachable(KWinScript.service, code: ENOENT)
    }
    self.owner = owner
    KWinScript.takeLeftovers(in: folder).forEach(line.unloadScript)
    try script.write(KWinScript.text(for: name, following: window))
    try line.runScript(script) { [weak self] problem in
      if let problem { self?.fail(.unsupported(problem)) }
    }
  }

  /// Only KWin may say what has the focus.
  private func take(_ message: borrowing BusMessage) {
    guard message.member == "Focus", message.sender == owner else { return }
    let new = KWinScript.focus(
      file: message.string(), windowClass: message.string(), name: message.string(),
      title: message.string(), pid: message.string())
    guard new != focus else { return }
    focus = new
    report?(.focus(new))
  }

  private func attempt(_ step: (KWinSource) throws(FocusFailure) -> Void) {
    do throws(FocusFailure) { try step(self) } catch { fail(error) }
  }

  private func fail(_ failure: FocusFailure) {
    let report = report
    self.report = nil
    report?(.failed(failure))
  }
}

/// One action for KWin, by a script that runs once and is unloaded.
final class KWinAttempt: ActionAttempt {
  private let action: DesktopAction?
  private let folder: String
  private let script: KWinScript
  private var line: SessionBus?
  private var isLoaded = false
  private var end: ((ActionFailure?) -> Void)?

  /// - Parameter folder: the runtime folder, where the script is put.
  init(
    _ action: DesktopAction?, bus address: String, folder: String, on loop: InputLoop
  ) throws(ActionFailure) {
    self.action = action
    self.folder = folder
    script = KWinScript(in: folder, number: InputLoop.now.microseconds)
    do throws(FocusFailure) {
      line = try SessionBus(address, on: loop) { [weak self] in self?.finish(.absent(.closed)) }
    } catch {
      throw .absent(error)
    }
  }

  deinit {
    if isLoaded { line?.unloadScript(script.name) }
    script.remove()
  }

  func start(_ end: @escaping (ActionFailure?) -> Void) throws(ActionFailure) {
    self.end = end
    do throws(FocusFailure) {
      try line?.findOwner(of: KWinScript.service) { [weak self] owner in self?.found(owner) }
    } catch {
      throw .absent(error)
    }
  }

  private func found(_ owner: String?) {
    guard owner != nil else {
      return finish(.absent(.unreachable(KWinScript.service, code: ENOENT)))
    }
    guard let action else { return finish(nil) }
    guard let text = Self.text(for: action) else {
      return finish(
        .refused(FocusKind.kwin.refusal(of: action) ?? "KWin has nothing like it"))
    }
    do throws(FocusFailure) {
      for name in KWinScript.takeLeftovers(in: folder) { line?.unloadScript(name) }
      try script.write(text)
      isLoaded = true
      try line?.runScript(script) { [weak self] problem in
        self?.finish(problem.map { .refused($0) })
      }
    } catch {
      finish(.refused(error.description))
    }
  }

  /// Plasma 5 and 6 have the same slots, which are the shortcuts' own; `nil` if there is none.
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

  private func finish(_ failure: ActionFailure?) {
    let end = end
    self.end = nil
    end?(failure)
  }
}

extension SessionBus {
  private static let scripting = "org.kde.kwin.Scripting"

  /// Loads a script that was written, and runs it.
  ///
  /// - Parameter end: is called with `nil` once it runs, or with what is wrong.
  func runScript(
    _ script: KWinScript, _ end: @escaping (String?) -> Void
  ) throws(FocusFailure) {
    let arguments = [script.file, script.name]
    try call(KWinScript.service, "/Scripting", Self.scripting, "loadScript", arguments) {
      [weak self] message in
      let number = message.error == nil ? message.integer() : nil
      guard let number, number >= 0 else { return end("KWin loads no script") }
      // Plasma 6, then 5
      self?.runScript(at: ["/Scripting/Script\(number)", "/\(number)"][...], end)
    }
  }

  private func runScript(at paths: ArraySlice<String>, _ end: @escaping (String?) -> Void) {
    guard let path = paths.first else { return end("KWin runs no script") }
    do throws(FocusFailure) {
      try call(KWinScript.service, path, "org.kde.kwin.Script", "run") { [weak self] message in
        guard message.error != nil else { self?.runAllScripts(end); return }
        self?.runScript(at: paths.dropFirst(), end)
      }
    } catch {
      end(error.description)
    }
  }

  /// KWin numbers a new script by how many there are. After one was unloaded, that number may be another
  /// script's, which was then asked to run instead. So all that do not run yet are asked as well.
  private func runAllScripts(_ end: @escaping (String?) -> Void) {
    do throws(FocusFailure) {
      try call(KWinScript.service, "/Scripting", Self.scripting, "start") { _ in end(nil) }
    } catch {
      end(error.description)
    }
  }

  func unloadScript(_ name: String) {
    guard
      let message = bus.message(
        KWinScript.service, "/Scripting", Self.scripting, "unloadScript"),
      message.append(name)
    else { return }
    bus.send(message)
  }
}
