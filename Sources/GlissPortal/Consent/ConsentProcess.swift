import Glibc
import GlissEvents

/// What the process does that asks the user: a notification first, then a dialog, with what is
/// installed.
package struct ConsentProcess {
  /// A way to show the dialog.
  package enum Way: String, Hashable, Sendable, CaseIterable {
    case zenity, kdialog, terminal
  }

  private let environment: (String) -> String?
  /// What runs `gliss portal ask` as this process was run.
  private let command: [String]
  private let programs: InstalledDialogs

  /// - Parameters:
  ///   - program: the path of this program.
  ///   - options: those that this process was given, and that another one needs too.
  package init(
    program: String, options: [String], environment: @escaping (String) -> String?
  ) {
    command = [program, "portal", "ask"] + options
    self.environment = environment
    programs = InstalledDialogs(recorder: [program, "keys", "--count", "1", "--format", "jsonl"])
  }

  /// Asks the user.
  ///
  /// - Parameters:
  ///   - way: the only way to try; `nil` for whatever is there.
  ///   - bus: where notifications go; `nil` to open the dialog at once.
  /// - Returns: `nil` if there is no way to ask.
  package func ask(
    _ form: ConsentForm, _ question: ConsentQuestion, by way: Way?, notifying bus: String?
  ) -> ConsentAnswer? {
    guard let way = way ?? Self.ways(environment).first(where: isThere) else { return nil }
    switch prompt(form, question, on: bus) {
    case .open: break
    case .later: return .later
    case .unavailable:
      // a window that appears by itself must not take Enter for a yes
      if way == .zenity, question.mayAllowNew, !ZenityDialog(programs).mayOpen(form) {
        return .later
      }
    }
    switch way {
    case .zenity: return ConsentDialog.ask(form, with: ZenityDialog(programs))
    case .kdialog: return ConsentDialog.ask(form, with: KDialogDialog(programs))
    case .terminal: return TerminalWindow(command, environment).ask(question)
    }
  }

  private func prompt(
    _ form: ConsentForm, _ question: ConsentQuestion, on bus: String?
  ) -> NotificationPrompt.Answer {
    if !question.mayAllowNew { return .open }
    let names = form.rows.prefix(4).map { $0.name }.joined(separator: "\n")
    guard let bus, let prompt = NotificationPrompt(bus: bus, form.summary, names) else {
      return .unavailable
    }
    return prompt.ask()
  }

  /// Asks on this terminal.
  package func askHere(
    _ form: ConsentForm, write: @escaping (String) -> Void, read: @escaping () -> String?
  ) -> ConsentAnswer {
    ConsentDialog.ask(form, with: TerminalDialog(programs, write: write, read: read))
  }

  private var hasDesktop: Bool {
    ["WAYLAND_DISPLAY", "DISPLAY"].contains { !(environment($0) ?? "").isEmpty }
  }

  /// The ways in the order in which this desktop has them.
  static func ways(_ environment: (String) -> String?) -> [Way] {
    let desktops = (environment("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":")
    let isQt = desktops.contains { ["KDE", "LXQt"].contains($0) }
    return isQt ? [.kdialog, .zenity, .terminal] : [.zenity, .kdialog, .terminal]
  }

  private func isThere(_ way: Way) -> Bool {
    guard hasDesktop else { return false }
    let path = environment("PATH") ?? "/usr/bin:/bin"
    switch way {
    case .zenity, .kdialog: return InstalledDialogs.path(of: way.rawValue, in: path) != nil
    case .terminal: return TerminalWindow.command(environment) != nil
    }
  }
}
