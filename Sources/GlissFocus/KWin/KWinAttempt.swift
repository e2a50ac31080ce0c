import Glibc
import GlissDevices
import GlissEvents

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
