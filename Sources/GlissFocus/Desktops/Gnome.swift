import GlissDevices
import GlissEvents

/// The extensions of GNOME Shell that report the focus: ours, and those of two other tools. The raw
/// value is the D-Bus interface.
enum GnomeExtension: String, CaseIterable {
  /// Ours, in packaging/gnome.
  case gliss = "org.gliss.Focus"
  /// fusuma's Appmatcher. It does not report changes of a title.
  case appmatcher = "dev.iberianpig.Appmatcher"
  /// xremap's. It reports no changes at all, so it is polled.
  case xremap = "com.k0kubun.Xremap"

  static let service = "org.gnome.Shell"

  var path: String { "/" + rawValue.split(separator: ".").joined(separator: "/") }

  func signal(for window: FollowedWindow) -> String? {
    switch (self, window) {
    case (.gliss, .underPointer): "WindowUnderPointerChanged"
    case (.gliss, .focused), (.appmatcher, .focused): "ActiveWindowChanged"
    case (.xremap, _), (.appmatcher, .underPointer): nil
    }
  }

  /// Long, because a title may be long and is escaped.
  private static let longestText = 1 << 20

  /// The focus in the object that all of them send, which is empty without a window.
  static func focus(_ text: String) -> Focus {
    guard text.utf8.count <= longestText, let value = JSON(desktop: Array(text.utf8)) else {
      return .nothing
    }
    let names = ["app_id", "wm_class", "wm_class_instance"].map { value[$0]?.string }
    return Focus(FocusedWindow(names: names, describedBy: value))
  }
}

/// The focus from GNOME Shell, by the first of the extensions that answers.
final class GnomeFocus: DesktopConnection {
  /// How often to poll an extension that reports no changes.
  private static let pause = EventInterval.milliseconds(500)

  private let window: FollowedWindow
  private let shell: BusService
  private var timer: LoopTimer?
  private var used: GnomeExtension?
  private var report: DesktopReporting<Focus>?

  init(_ window: FollowedWindow, bus address: String, on loop: InputLoop) throws(DesktopFailure) {
    self.window = window
    shell = try BusService(GnomeExtension.service, bus: address, on: loop)
    timer = try? LoopTimer(on: loop) { [weak self] in
      if let self, let used { ask([used]) }
    }
  }

  func start(_ report: @escaping DesktopReporting<Focus>) {
    self.report = report
    shell.didFail = { report(.failure($0)) }
    shell.failIfReplaced()
    let kinds = window == .focused ? GnomeExtension.allCases : [.gliss]
    for kind in kinds {
      guard let signal = kind.signal(for: window) else { continue }
      let rule = "type='signal',interface='\(kind.rawValue)',member='\(signal)'"
      shell.keep(
        shell.bus.listen(rule) { [weak self] in self?.take($0, from: kind, isAnswer: false) })
    }
    shell.find { [weak self] in self?.ask(kinds[...]) }
  }

  private func ask(_ kinds: ArraySlice<GnomeExtension>) {
    guard let kind = kinds.first else {
      return shell.fail(
        .unsupported("GNOME Shell has no extension that reports \(window.question)"))
    }
    // the one for the pointer also makes our extension follow it until we leave the bus
    let method = window == .focused ? "ActiveWindow" : "FollowPointer"
    shell.call(kind.path, kind.rawValue, method) { [weak self] message in
      if message.error == nil {
        self?.take(message, from: kind, isAnswer: true)
      } else {
        self?.ask(kinds.dropFirst())
      }
    }
  }

  /// Takes a reply or a signal. Only the shell may report the focus.
  private func take(_ message: borrowing BusMessage, from kind: GnomeExtension, isAnswer: Bool) {
    guard message.sender == shell.owner, used == nil || used == kind,
      let text = message.string()
    else { return }
    used = kind
    // our extension sends an empty text when it is enabled, as it has forgotten who follows the
    // pointer
    if !isAnswer, kind == .gliss, text.isEmpty { return ask([kind]) }
    if kind.signal(for: window) == nil { timer?.due = InputLoop.now + Self.pause }
    report?(.success(GnomeExtension.focus(text)))
  }
}

/// One action for GNOME Shell, by our extension in packaging/gnome.
final class GnomeAction: DesktopConnection {
  private let action: DesktopAction?
  private let shell: BusService

  init(_ action: DesktopAction?, bus address: String, on loop: InputLoop) throws(DesktopFailure) {
    self.action = action
    shell = try BusService(GnomeExtension.service, bus: address, on: loop)
  }

  func start(_ report: @escaping DesktopReporting<FocusKind>) {
    shell.didFail = { report(.failure($0)) }
    shell.find { [action, weak shell] in
      guard let action else { return report(.success(.gnome)) }
      let ours = GnomeExtension.gliss
      shell?.call(ours.path, ours.rawValue, "Act", [Self.words(for: action)]) { message in
        let answer = message.error == nil ? message.string() : Self.noAnswer
        report(answer == "" ? .success(.gnome) : .failure(.refused(answer ?? Self.noAnswer)))
      }
    }
  }

  private static let noAnswer =
    "our extension in GNOME Shell does not answer: enable it as docs/focus.md says, and log"
    + " out and in after an update"

  static func words(for action: DesktopAction) -> String {
    switch action {
    case .window(let action): "window \(action.rawValue)"
    case .workspace(let target): "workspace \(target.word)"
    }
  }
}
