import Glibc
import GlissDevices
import GlissEvents

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
