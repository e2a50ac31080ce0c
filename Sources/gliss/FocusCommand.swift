import ArgumentParser
import Gliss
import GlissAgent
import GlissConfiguration

struct FocusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "focus",
    abstract: "Print which application has the focus, and each change of it.",
    usage: "gliss focus [<option> ...]",
    discussion: """
      Prints a row for each change: the application's names, its process and the
      window's title. The names are those the desktop uses: an app id, or an X11
      class and instance. (nothing) means an empty workspace, or a launcher or lock
      screen if the desktop reports those. A new title of the same window is a row,
      too. Ctrl-C ends it.

      sway, i3, Hyprland, niri, COSMIC, KDE and X11 need no preparation. GNOME needs
      an extension (docs/focus.md). The window under the pointer, which rules with
      window: underPointer match, is known on KDE, GNOME and X11 only.

      EXAMPLES
        gliss focus
        gliss focus --once
        gliss focus --once --format jsonl | jq -r '.names[0]'
        gliss focus --under-pointer

      EXIT STATUS
        0  done, also after Ctrl-C
        1  the desktop does not report the focus
      """)

  @Flag(help: "Print the current focus, and end.")
  var once = false

  @Flag(help: "Print the window under the pointer instead of the one that has the focus.")
  var underPointer = false

  @Option(help: "text: a table; jsonl: a JSON object a line.")
  var format = EventFormat.text

  func run() throws {
    let followed: FollowedWindow = underPointer ? .underPointer : .focused
    let loop = try InputLoop()
    let output = LiveOutput(on: loop)
    let watch = try FocusWatch(on: loop, following: followed)
    defer { withExtendedLifetime(watch) {} }
    // a single row needs none
    var hasHead = once
    watch.didChange = { [unowned watch] window in
      // nothing is known while no desktop answers
      guard watch.focus != .unknown, !loop.isStopping else { return }
      switch format {
      case .text:
        if !hasHead { output.write(line: Self.row("application", "pid", "title")) }
        hasHead = true
        output.write(line: Self.row(window, on: .standard))
      case .jsonl: output.write(record: Self.json(window, from: watch.source))
      }
      if once { loop.stop() }
    }
    var isLost = false
    var failure: ExitCode?
    watch.didChangeStatus = { [unowned watch] new in
      switch new {
      case .searching: break
      case .watching(let kind):
        if isLost { Diagnostics.say("\(followed.question) is known again, from \(kind.name)") }
        isLost = false
      case .missing where watch.source != nil:
        if !isLost { Diagnostics.say("the desktop has gone; waiting until it is back") }
        isLost = true
      case .missing(let attempts):
        failure = Diagnostics.failure(FocusAdvice(followed, attempts).line)
        loop.stop()
      }
    }
    Interruption.redirect(to: loop)
    while !loop.isStopping { try loop.wait(until: nil) }
    throw output.finish(failure ?? Interruption.status)
  }

  private static func row(_ names: String, _ pid: String, _ title: String) -> String {
    "\(names.padded(40))  \(pid.aligned(7))  \(title)"
  }

  private static func row(_ window: FocusedWindow?, on terminal: Terminal) -> String {
    guard let window else { return "(nothing)" }
    let names = window.names.isEmpty ? "(no name)" : window.names.joined(separator: ", ")
    let pid = window.pid.map { "\($0)" } ?? ""
    let row = row(names.printable, pid, window.title.printable)
    let end = row.lastIndex { $0 != " " } ?? row.startIndex
    return String(row[...end]).cut(to: terminal.width)
  }

  private static func json(_ window: FocusedWindow?, from source: FocusKind?) -> JSON {
    .members([
      "time": .seconds(InputLoop.now - .zero),
      "source": source.map { .string($0.rawValue) }, "focused": .bool(window != nil),
      "names": window.map { .strings($0.names) }, "title": window.map { .string($0.title) },
      "pid": window?.pid.map { .integer(Int64($0)) },
    ])
  }
}

struct FocusAdvice {
  let problem: String
  let advice: Finding.Advice

  /// Whether a desktop answered, so that it runs but does not report the focus.
  let isFromDesktop: Bool

  init(_ followed: FollowedWindow, _ attempts: [FocusWatch.Attempt]) {
    // ignore desktops that do not run
    let present = attempts.filter(\.failure.isFromDesktop)
    isFromDesktop = !present.isEmpty
    guard let last = present.last else {
      problem = "no desktop was found that reports \(followed.question)"
      advice = .init(
        "run it in the desktop's session, with its WAYLAND_DISPLAY or DISPLAY"
      )
      return
    }
    problem = "\(followed.question) is not known: \(last.failure)"
    switch last.kind {
    case .gnome:
      advice = .init(
        "log out and in again after the installation, and then enable our extension:",
        commands: [
          "gnome-extensions enable gliss-focus@gliss          # GNOME 45 and newer",
          "gnome-extensions enable gliss-focus-legacy@gliss   # before",
        ])
    case .wayland, .x11, .sway, .hyprland, .niri, .kwin:
      advice = .init("docs/focus.md lists the desktops that report it")
    }
  }

  var line: String {
    let commands = advice.commands.isEmpty ? "" : " " + advice.commands.joined(separator: " && ")
    return "\(problem); \(advice.text)\(commands)"
  }

  /// Warns at the first of the rules that are limited to some applications if the running desktop
  /// does not report the window that they need. The desktop is asked only if there is such a rule.
  static func warnings(about rules: [Rule]) throws(SystemError) -> [Mistake] {
    var warnings: [Mistake] = []
    for window in FollowedWindow.allCases {
      let choosy = rules.filter { $0.application?.window == window }
      guard let first = choosy.first,
        case .missing(let attempts) = try FocusWatch.findStatus(of: window)
      else { continue }
      let advice = FocusAdvice(window, attempts)
      guard advice.isFromDesktop else { continue }
      let others = choosy.count - 1
      let subject =
        others == 0
        ? "this rule does not act" : "this rule and \(counted(others, "other")) do not act"
      warnings.append(
        Mistake("\(subject) here: \(advice.line)", at: first.place, severity: .warning))
    }
    return warnings
  }

  /// Whether rules may ask for the window under the pointer. Without a desktop they may.
  @Sendable static func knowsPointer() -> Bool {
    guard case .missing(let attempts) = try? FocusWatch.findStatus(of: .underPointer) else {
      return true
    }
    return !FocusAdvice(.underPointer, attempts).isFromDesktop
  }
}

extension FocusWatch {
  /// Which source reports the focus, once one has reported or all were tried: some milliseconds.
  /// ``Status/searching`` if that has not happened within 5 s.
  static func findStatus(of window: FollowedWindow) throws(SystemError) -> Status {
    let loop = try InputLoop()
    let watch = try FocusWatch(on: loop, following: window)
    let end = InputLoop.now + .milliseconds(5000)
    while watch.status == .searching, InputLoop.now < end { try loop.wait(until: end) }
    return watch.status
  }

  static func findings() -> [Finding] {
    switch try? findStatus(of: .focused) {
    case nil, .searching: return []
    case .watching(let kind):
      return [Finding(.focus, .ok, "\(kind.name) reports which application has the focus")]
    case .missing(let attempts):
      let advice = FocusAdvice(.focused, attempts)
      return [Finding(.focus, .note, advice.problem, advice: [advice.advice])]
    }
  }
}
