import Glibc
import GlissDevices
import GlissEvents

/// GNOME Shell, by the first of the extensions that answers.
final class GnomeSource: FocusSource {
  private static let service = "org.gnome.Shell"
  /// How often an extension is asked that reports no changes.
  private static let pause = EventInterval.milliseconds(500)

  private let window: FollowedWindow
  private var line: SessionBus?
  private var timer: LoopTimer?
  private var owner: String?
  private var used: GnomeExtension?
  private var focus = Focus.unknown
  private var report: ((FocusReport) -> Void)?

  init(
    _ window: FollowedWindow = .focused, bus address: String, on loop: InputLoop
  ) throws(FocusFailure) {
    self.window = window
    line = try SessionBus(address, on: loop) { [weak self] in self?.fail(.closed) }
    timer = try? LoopTimer(on: loop) { [weak self] in
      self?.attempt { source throws(FocusFailure) in
        if let used = source.used { try source.ask([used]) }
      }
    }
  }

  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure) {
    self.report = report
    guard let line else { throw .closed }
    try line.listenForOwner(of: Self.service) { [weak self] in self?.fail(.closed) }
    let kinds = GnomeExtension.all(reporting: window)
    for kind in kinds {
      guard let signal = kind.signal(for: window) else { continue }
      let rule = "type='signal',interface='\(kind.interface)',member='\(signal)'"
      try line.keep(
        line.bus.listen(rule) { [weak self] in self?.take($0, from: kind, isAnswer: false) })
    }
    try line.findOwner(of: Self.service) { [weak self] owner in
      self?.attempt { source throws(FocusFailure) in
        guard let owner else { throw .unreachable(Self.service, code: ENOENT) }
        source.owner = owner
        try source.ask(kinds[...])
      }
    }
  }

  private func ask(_ kinds: ArraySlice<GnomeExtension>) throws(FocusFailure) {
    guard let line, let kind = kinds.first else {
      throw .unsupported("GNOME Shell has no extension that says \(window.question)")
    }
    let method = kind.method(for: window)
    try line.call(Self.service, kind.path, kind.interface, method) { [weak self] message in
      guard message.error != nil else {
        self?.take(message, from: kind, isAnswer: true)
        return
      }
      self?.attempt { source throws(FocusFailure) in try source.ask(kinds.dropFirst()) }
    }
  }

  /// An answer or a signal. Only the shell may say what has the focus.
  private func take(
    _ message: borrowing BusMessage, from kind: GnomeExtension, isAnswer: Bool
  ) {
    guard message.sender == owner, used == nil || used == kind, let text = message.string() else {
      return
    }
    used = kind
    if !isAnswer, kind.mustCallAgain(after: text) {
      return attempt { source throws(FocusFailure) in try source.ask([kind]) }
    }
    if kind.signal(for: window) == nil { timer?.due = InputLoop.now + Self.pause }
    let new = GnomeExtension.focus(text)
    guard new != focus else { return }
    focus = new
    report?(.focus(new))
  }

  private func attempt(_ step: (GnomeSource) throws(FocusFailure) -> Void) {
    do throws(FocusFailure) { try step(self) } catch { fail(error) }
  }

  private func fail(_ failure: FocusFailure) {
    timer?.due = nil
    let report = report
    self.report = nil
    report?(.failed(failure))
  }
}
