import Glibc
import GlissAgent
import GlissDevices
import GlissEvents

/// The process that asks the user: by a notification, and then a dialog with what is installed.
package struct ConsentProcess {
  package enum Way: String, Hashable, Sendable, CaseIterable {
    case zenity, kdialog, terminal
  }

  package static let noDialog: Int32 = 3

  private let environment: (String) -> String?
  /// The command that runs `gliss portal ask` with this process's program and options.
  private let command: [String]
  private let programs: InstalledDialogs

  /// With the path of this program, and its options that the process it starts needs too.
  package init(
    program: String, options: [String], environment: @escaping (String) -> String?
  ) {
    command = [program, "portal", "ask"] + options
    self.environment = environment
    programs = InstalledDialogs(recorder: [program, "keys", "--count", "1", "--format", "jsonl"])
  }

  /// Asks the user. Returns `nil` if there is no way to ask.
  ///
  /// - Parameters:
  ///   - way: the only way to try; `nil` for whatever is there.
  ///   - bus: where notifications go; `nil` to open the dialog at once.
  package func ask(
    _ form: ConsentForm, by way: Way?, notifying bus: String?
  ) -> ConsentAnswer? {
    guard let way = way ?? Self.ways(environment).first(where: isThere) else { return nil }
    switch prompt(form, on: bus) {
    case .open: break
    case .later: return .later
    case .unavailable:
      // Enter must not agree in a window that appears by itself
      if way == .zenity, !ZenityDialog(programs).mayOpen(form) { return .later }
    }
    switch way {
    case .zenity: return ConsentDialog.ask(form, with: ZenityDialog(programs))
    case .kdialog: return ConsentDialog.ask(form, with: KDialogDialog(programs))
    case .terminal: return TerminalWindow.ask(form.question, with: command, environment)
    }
  }

  private func prompt(_ form: ConsentForm, on bus: String?) -> NotificationPrompt.Answer {
    // here an Enter meant for another window can allow nothing that is not allowed already
    if form.question.isChange, !form.rows.contains(where: \.isNew) { return .open }
    let names = form.rows.prefix(4).map(\.shortcut.name).joined(separator: "\n")
    guard let bus, let prompt = NotificationPrompt(bus: bus, form.summary, names) else {
      return .unavailable
    }
    return prompt.ask()
  }

  package func askHere(
    _ form: ConsentForm, write: @escaping (String) -> Void, read: @escaping () -> String?
  ) -> ConsentAnswer {
    ConsentDialog.ask(form, with: TerminalDialog(programs, write: write, read: read))
  }

  /// The ways to ask, in the order in which this desktop prefers them.
  private static func ways(_ environment: (String) -> String?) -> [Way] {
    let desktops = (environment("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":")
    let isQt = desktops.contains { ["KDE", "LXQt"].contains($0) }
    return isQt ? [.kdialog, .zenity, .terminal] : [.zenity, .kdialog, .terminal]
  }

  private func isThere(_ way: Way) -> Bool {
    let hasDesktop = ["WAYLAND_DISPLAY", "DISPLAY"].contains { !(environment($0) ?? "").isEmpty }
    guard hasDesktop else { return false }
    let path = environment("PATH") ?? "/usr/bin:/bin"
    switch way {
    case .zenity, .kdialog: return ProgramSearch.path(of: way.rawValue, in: path) != nil
    case .terminal: return TerminalWindow.command(environment) != nil
    }
  }
}

/// A terminal's window in which `gliss portal ask` runs, for desktops without a program for
/// dialogs.
///
/// Some terminals open their windows in another process, which inherits nothing. So the question is
/// a file in a folder that only this user can enter, and the answer comes through a pipe there.
package enum TerminalWindow {
  /// Terminals, and the options that precede the command to run.
  static let known: [(name: String, options: [String])] = [
    ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("foot", []), ("alacritty", ["-e"]),
    ("kitty", []), ("ghostty", ["-e"]), ("wezterm", ["start", "--"]), ("konsole", ["-e"]),
    ("gnome-terminal", ["--wait", "--"]), ("xfce4-terminal", ["--disable-server", "-x"]),
    ("lxterminal", ["-e"]), ("xterm", ["-e"]),
  ]

  /// The terminal of this desktop with its options; `nil` without one.
  static func command(_ environment: (String) -> String?) -> [String]? {
    let path = environment("PATH") ?? "/usr/bin:/bin"
    if let named = environment("TERMINAL"), !named.isEmpty, !named.contains(" "),
      named.hasPrefix("/") || !named.contains("/") && ProgramSearch.path(of: named, in: path) != nil
    {
      let name = named.split(separator: "/").last.map(String.init) ?? named
      return [named] + (known.first { $0.name == name }?.options ?? ["-e"])
    }
    for (name, options) in known where ProgramSearch.path(of: name, in: path) != nil {
      return [name] + options
    }
    return nil
  }

  package static let question = "question.json"
  package static let answer = "answer"

  /// They come when the application withdraws its question.
  private static let signals = [SIGTERM, SIGINT, SIGHUP]

  /// - Parameter asking: the command that asks, without the folder.
  static func ask(
    _ question: ConsentQuestion, with asking: [String], _ environment: (String) -> String?
  ) -> ConsentAnswer? {
    guard let command = Self.command(environment), let base = RuntimeFolder.standardBase else {
      return nil
    }
    // the folder must not outlive this process
    guard let signals = try? SignalQueue(Self.signals) else { return nil }
    defer { for signal in Self.signals { SignalQueue.unblock(signal) } }
    var template = Array("\(base)/gliss-portal.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    let folder = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for name in [Self.question, Self.answer] { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
    guard mkfifo("\(folder)/\(Self.answer)", 0o600) == 0,
      FileBytes.replace("\(folder)/\(Self.question)", with: question.json.encoded, mode: 0o600)
        == 0,
      case let pipe = open("\(folder)/\(Self.answer)", O_RDONLY | O_NONBLOCK | O_CLOEXEC),
      pipe >= 0
    else { return nil }
    defer { close(pipe) }
    let arguments = command + asking + ["--in", folder]
    guard let pid = try? Launch.start(command[0], arguments, inheriting: .session) else {
      return nil
    }
    return wait(for: pipe, of: pid, or: signals)
  }

  /// The answer that comes through the pipe. A closed window gives no answer.
  private static func wait(
    for pipe: Int32, of terminal: pid_t, or signals: SignalQueue
  ) -> ConsentAnswer? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    var isOpen = false
    // the process may end before the window opens: wait for the window for five seconds then
    var hasEnded = false
    var misses = 0
    while misses < 20 {
      var ends = [pipe, signals.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&ends, 2, 250)
      if count < 0, errno != EINTR { return nil }
      // the terminal got the signal too, and may take longer to end than this process has
      if ends[1].revents != 0 { return .later }
      if count > 0 {
        isOpen = true
        let count = read(pipe, &chunk, chunk.count)
        if count == 0 { break }
        if count > 0 { bytes += chunk[..<count] }
      } else if !isOpen {
        hasEnded = hasEnded || waitpid(terminal, nil, WNOHANG) != 0
        if hasEnded { misses += 1 }
      }
    }
    if !hasEnded {
      kill(terminal, SIGTERM)
      waitpid(terminal, nil, 0)
    }
    guard isOpen else { return nil }
    return (try? JSON(parsing: bytes, limits: .dialog)).map(ConsentAnswer.init) ?? .later
  }
}
