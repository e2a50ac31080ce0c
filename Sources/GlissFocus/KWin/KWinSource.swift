import Glibc
import GlissDevices
import GlissEvents

/// KWin, by a script that is loaded into it over the bus.
final class KWinSource: FocusSource {
  private static let service = "org.kde.KWin"
  private static let scripting = "org.kde.kwin.Scripting"

  private let folder: String
  private var line: SessionBus?
  private let script: KWinScript
  private var owner: String?
  private var focus = Focus.unknown
  private var report: ((FocusReport) -> Void)?

  /// - Parameter folder: the runtime folder, where the script is put.
  init(bus address: String, folder: String, on loop: EventLoop) throws(FocusFailure) {
    self.folder = folder
    script = KWinScript(in: folder, number: EventLoop.now.microseconds)
    line = try SessionBus(address, on: loop) { [weak self] in self?.fail(.closed) }
  }

  deinit {
    if owner != nil { unload(script.name) }
    script.remove()
  }

  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure) {
    self.report = report
    guard let line else { throw .closed }
    // a KWin that restarts is another one, without the script
    try line.listenForOwner(of: Self.service) { [weak self] in self?.fail(.closed) }
    try line.keep(line.bus.serve(KWinScript.path) { [weak self] in self?.take($0) })
    try line.findOwner(of: Self.service) { [weak self] owner in
      self?.attempt { source throws(FocusFailure) in try source.load(into: owner) }
    }
  }

  private func load(into owner: String?) throws(FocusFailure) {
    guard let line, let owner, let name = line.bus.uniqueName else {
      throw .unreachable(Self.service, code: ENOENT)
    }
    self.owner = owner
    KWinScript.takeLeftovers(in: folder).forEach(unload)
    try script.write(for: name)
    let arguments = [script.file, script.name]
    try line.call(Self.service, "/Scripting", Self.scripting, "loadScript", arguments) {
      [weak self] message in
      let number = message.error == nil ? message.integer() : nil
      self?.attempt { source throws(FocusFailure) in
        guard let number, number >= 0 else { throw .unsupported("KWin loads no script") }
        // Plasma 6, then 5
        try source.run(at: ["/Scripting/Script\(number)", "/\(number)"][...])
      }
    }
  }

  private func run(at paths: ArraySlice<String>) throws(FocusFailure) {
    guard let line, let path = paths.first else { throw .unsupported("KWin runs no script") }
    try line.call(Self.service, path, "org.kde.kwin.Script", "run") { [weak self] message in
      guard message.error != nil else { return }
      self?.attempt { source throws(FocusFailure) in try source.run(at: paths.dropFirst()) }
    }
  }

  private func unload(_ name: String) {
    guard let line,
      let message = line.bus.message(Self.service, "/Scripting", Self.scripting, "unloadScript"),
      message.append(name)
    else { return }
    line.bus.send(message)
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
