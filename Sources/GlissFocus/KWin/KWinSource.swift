import Glibc
import GlissDevices
import GlissEvents

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
