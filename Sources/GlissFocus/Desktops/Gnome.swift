import Glibc
import GlissDevices
import GlissEvents

/// The extensions of GNOME Shell that report the focus: ours, and those of two other tools.
enum GnomeExtension: CaseIterable {
  /// packaging/gnome.
  case gliss
  /// fusuma's Appmatcher. It reports no change of a title.
  case appmatcher
  /// xremap's. It reports no change at all, so it is asked.
  case xremap

  var path: String {
    switch self {
    case .gliss: "/org/gliss/Focus"
    case .appmatcher: "/dev/iberianpig/Appmatcher"
    case .xremap: "/com/k0kubun/Xremap"
    }
  }

  var interface: String {
    switch self {
    case .gliss: "org.gliss.Focus"
    case .appmatcher: "dev.iberianpig.Appmatcher"
    case .xremap: "com.k0kubun.Xremap"
    }
  }

  /// Those that report this window.
  static func all(reporting window: FollowedWindow) -> [GnomeExtension] {
    switch window {
    case .focused: allCases
    case .underPointer: [.gliss]
    }
  }

  /// For the pointer, it also makes our extension follow it until the caller leaves the bus.
  func method(for window: FollowedWindow) -> String {
    switch window {
    case .focused: "ActiveWindow"
    case .underPointer: "FollowPointer"
    }
  }

  func signal(for window: FollowedWindow) -> String? {
    switch (self, window) {
    case (.gliss, .underPointer): "WindowUnderPointerChanged"
    case (.gliss, .focused), (.appmatcher, .focused): "ActiveWindowChanged"
    case (.xremap, _), (.appmatcher, .underPointer): nil
    }
  }

  /// Our extension has been enabled again, and has forgotten who follows the pointer.
  func mustCallAgain(after text: String) -> Bool { self == .gliss && text.isEmpty }

  /// A title may be long, and is escaped.
  private static let longestText = 1 << 20

  /// What all of them send: an object, which is empty without a window.
  static func focus(_ text: String) -> Focus {
    guard text.utf8.count <= longestText, let value = JSON(desktop: Array(text.utf8)),
      value.object?.isEmpty == false
    else {
      return .nothing
    }
    let names = ["app_id", "wm_class", "wm_class_instance"].map { value[$0]?.string }
    let window = FocusedWindow(
      names: names, title: value["title"]?.string,
      pid: value["pid"]?.integer.flatMap { Int32(exactly: $0) })
    return window.names.isEmpty && window.title.isEmpty ? .nothing : .window(window)
  }
}

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

/// One action for GNOME Shell, by our extension in packaging/gnome.
final class GnomeAttempt: ActionAttempt {
  private static let service = "org.gnome.Shell"

  private let action: DesktopAction?
  private var line: SessionBus?
  private var end: ((ActionFailure?) -> Void)?

  init(
    _ action: DesktopAction?, bus address: String, on loop: InputLoop
  ) throws(ActionFailure) {
    self.action = action
    do throws(FocusFailure) {
      line = try SessionBus(address, on: loop) { [weak self] in self?.finish(.absent(.closed)) }
    } catch {
      throw .absent(error)
    }
  }

  func start(_ end: @escaping (ActionFailure?) -> Void) throws(ActionFailure) {
    self.end = end
    do throws(FocusFailure) {
      try line?.findOwner(of: Self.service) { [weak self] owner in self?.found(owner) }
    } catch {
      throw .absent(error)
    }
  }

  private func found(_ owner: String?) {
    guard owner != nil else { return finish(.absent(.unreachable(Self.service, code: ENOENT))) }
    guard let action else { return finish(nil) }
    if let refusal = FocusKind.gnome.refusal(of: action) { return finish(.refused(refusal)) }
    let ours = GnomeExtension.gliss
    do throws(FocusFailure) {
      try line?.call(Self.service, ours.path, ours.interface, "Act", [Self.words(for: action)]) {
        [weak self] message in self?.take(message)
      }
    } catch {
      finish(.absent(error))
    }
  }

  private func take(_ message: borrowing BusMessage) {
    guard message.error == nil, let answer = message.string() else {
      return finish(
        .refused(
          "our extension in GNOME Shell does not answer: enable it as docs/focus.md says, and log"
            + " out and in after an update"))
    }
    finish(answer.isEmpty ? nil : .refused(answer))
  }

  /// As the extension takes them.
  static func words(for action: DesktopAction) -> String {
    switch action {
    case .window(let action): "window \(action.rawValue)"
    case .workspace(let target): "workspace \(target.word)"
    }
  }

  private func finish(_ failure: ActionFailure?) {
    let end = end
    self.end = nil
    end?(failure)
  }
}
