import Glibc
import GlissConfiguration
import GlissDevices
import GlissEvents

/// Asks the user with one tool until the user has decided.
package enum ConsentDialog {
  package static func ask(_ form: ConsentForm, with tool: some DialogTool) -> ConsentAnswer {
    var form = form
    var problem: String?
    while true {
      let choice = tool.choose(form, problem: problem)
      problem = nil
      switch choice {
      case .allow(let picked):
        for index in form.rows.indices {
          form.allow(picked.contains(index), index)
          if picked.contains(index), !form.allowed.contains(index) {
            let remarks = form.remarks(on: index).joined(separator: ", ")
            problem = "“\(form.rows[index].shortcut.name)”: \(remarks)"
          }
        }
        if problem == nil { return form.agreement }
      case .deny: return form.denial
      case .later: return .later
      case .again: break
      case .toggle(let index):
        form.allow(!form.allowed.contains(index), index)
        if form.rows[index].trigger == nil { change(&form, index, tool) }
      case .change(let index): change(&form, index, tool)
      }
    }
  }

  /// Asks for other keys until they are valid or the user goes back.
  private static func change(_ form: inout ConsentForm, _ index: Int, _ tool: some DialogTool) {
    let row = form.rows[index]
    var problem = ""
    var mayRecord = true
    while true {
      func prompt(_ instruction: String) -> String {
        let preferred = row.shortcut.preferred
        return problem + "\(instruction), for “\(row.shortcut.name)”."
          + (preferred.isEmpty ? "" : "\nThe application would like \(preferred).")
      }
      let recorded = mayRecord ? tool.record(prompt("Press the keys, or draw the stroke")) : nil
      mayRecord = recorded != nil
      let text =
        recorded
        ?? tool.type(
          prompt("Type the keys, such as ctrl+alt+p, or hold 3 for three fingers"),
          instead: row.trigger?.text ?? "")
      guard let text, text.contains(where: { $0 != " " }) else { return }
      do throws(ConsentForm.Refusal) {
        return try form.choose(text, for: index)
      } catch {
        problem = "“\(text)”: \(error.message)\n\n"
      }
    }
  }
}

package enum DialogChoice: Hashable, Sendable {
  /// These rows, and no others.
  case allow(Set<Int>)
  case deny
  case later
  /// Nothing was chosen: show the form again.
  case again
  case change(Int)
  case toggle(Int)
}

/// One way to show a form: a program that draws dialogs, or a terminal.
package protocol DialogTool {
  func choose(_ form: ConsentForm, problem: String?) -> DialogChoice
  /// The keys or stroke; `nil` if nothing can be recorded, or the user prefers to type.
  func record(_ prompt: String) -> String?
  /// Lets the user type a trigger in place of `current`; `nil` if they went back.
  func type(_ prompt: String, instead current: String) -> String?
}

extension ConsentForm {
  fileprivate func head(_ problem: String?) -> String {
    [problem, summary + ".", notes.joined(separator: "\n")].compactMap(\.self)
      .joined(separator: "\n\n")
  }

  fileprivate func line(_ index: Int) -> String {
    let row = rows[index]
    let remarks = remarks(on: index)
    return "\(row.shortcut.name): \(row.trigger?.words ?? "no keys yet")"
      + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
  }
}

// MARK: zenity

package struct ZenityDialog: DialogTool {
  private let programs: any DialogPrograms

  package init(_ programs: any DialogPrograms) { self.programs = programs }

  private static let changing = "Change keys…"
  /// The exit statuses that we ask zenity for. By default Escape would deny, and so would a zenity
  /// that cannot open a window: it ends with 1.
  private enum Status {
    static let cancel: Int32 = 4
    static let escape: Int32 = 5
    static let extra: Int32 = 6
  }
  static let environment = [
    "ZENITY_CANCEL=\(Status.cancel)", "ZENITY_ESC=\(Status.escape)", "ZENITY_EXTRA=\(Status.extra)",
    "ZENITY_ERROR=7", "ZENITY_TIMEOUT=8",
  ]

  /// Whether the dialog may be opened. Enter says no.
  func mayOpen(_ form: ConsentForm) -> Bool {
    let result = run([
      "--question", "--default-cancel", "--text", Self.text(form.summary + "."), "--ok-label",
      "Choose…", "--cancel-label", "Not now",
    ])
    return result?.status == 0
  }

  package func choose(_ form: ConsentForm, problem: String?) -> DialogChoice {
    let result = run(
      [
        "--list", "--checklist", "--text", Self.text(form.head(problem)),
        "--column", "", "--column", "", "--column", "Shortcut", "--column", "Keys", "--column",
        "Remarks", "--hide-column", "2", "--print-column", "2", "--separator", ",",
        "--ok-label", "Allow", "--cancel-label", "Don't allow", "--extra-button", Self.changing,
        "--width", "760", "--height", "420",
      ],
      form.rows.indices.flatMap { index in
        let remarks = form.remarks(on: index).joined(separator: "; ")
        return [
          form.allowed.contains(index) ? "TRUE" : "FALSE", "\(index)",
          form.rows[index].shortcut.name, form.rows[index].trigger?.words ?? "–",
          remarks.isEmpty ? "–" : remarks,
        ]
      })
    guard let result else { return .later }
    // an older zenity has one status for all buttons but the first
    if result.status == Status.extra || result.output == Self.changing { return pick(form) }
    switch result.status {
    case 0: return .allow(Set(result.output.split(separator: ",").compactMap { Int($0) }))
    case Status.cancel: return .deny
    case _: return .later
    }
  }

  private func pick(_ form: ConsentForm) -> DialogChoice {
    if form.rows.count == 1 { return .change(0) }
    let result = run(
      [
        "--list", "--text", "Whose keys are to be changed?", "--column", "", "--column", "Shortcut",
        "--column", "Keys", "--hide-column", "1", "--print-column", "1", "--width", "560",
        "--height", "360",
      ],
      form.rows.enumerated().flatMap { index, row in
        ["\(index)", row.shortcut.name, row.trigger?.words ?? "–"]
      })
    guard let result, result.status == 0, let index = Int(result.output),
      form.rows.indices.contains(index)
    else { return .again }
    return .change(index)
  }

  package func record(_ prompt: String) -> String? {
    programs.record(
      showing:
        arguments([
          "--progress", "--pulsate", "--auto-close", "--text", Self.text(prompt),
          "--cancel-label", "Type it",
        ]))
  }

  package func type(_ prompt: String, instead current: String) -> String? {
    let result = run(["--entry", "--text", Self.entryText(prompt), "--entry-text", current])
    return result?.status == 0 ? result?.output : nil
  }

  /// In `cells`, lines of input, nothing that an application sends can be taken for an option.
  private func run(_ own: [String], _ cells: [String] = []) -> DialogResult? {
    programs.run(arguments(own), input: cells.map { $0 + "\n" }.joined())
  }

  private func arguments(_ own: [String]) -> [String] {
    ["zenity", "--title", "Global shortcuts"] + own
  }

  /// Escapes text so that zenity shows it unchanged: it reads C escapes, and then markup.
  static func text(_ text: String) -> String { replaced(markup(text), ["\\": "\\\\"]) }

  /// The same for the text of an entry, in which an underscore marks an access key.
  static func entryText(_ text: String) -> String { replaced(text, ["\\": "\\\\", "_": "__"]) }

  /// Escapes text so that Pango's markup shows it unchanged.
  static func markup(_ text: String) -> String {
    replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
  }

  /// Replaces scalars, because Pango sees a sign even if a combining mark follows it.
  private static func replaced(_ text: String, _ signs: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { signs[$0] ?? String($0) }.joined()
  }
}

// MARK: kdialog

package struct KDialogDialog: DialogTool {
  private let programs: any DialogPrograms

  package init(_ programs: any DialogPrograms) { self.programs = programs }

  /// One menu: allow, deny, and a line for each shortcut, which opens the choices for it.
  package func choose(_ form: ConsentForm, problem: String?) -> DialogChoice {
    // Enter takes the first item, so that must not allow anything yet
    let items = form.rows.indices.flatMap { index in
      ["\(index)", Self.plain((form.allowed.contains(index) ? "☑ " : "☐ ") + form.line(index))]
    }
    let last = ["allow", "Allow those that are marked", "deny", "Don't allow any"]
    switch run(["--menu", Self.plain(form.head(problem))] + items + last) {
    case "allow": return .allow(form.allowed)
    case "deny": return .deny
    case let tag:
      guard let index = tag.flatMap({ Int($0) }), form.rows.indices.contains(index) else {
        return .later
      }
      return change(form, index)
    }
  }

  private func change(_ form: ConsentForm, _ index: Int) -> DialogChoice {
    let mark = form.allowed.contains(index) ? "Don't allow it" : "Allow it"
    let title = Self.plain("• " + form.line(index))
    switch run(["--menu", title, "keys", "Change its keys…", "mark", mark]) {
    case nil: return .again
    case "mark": return .toggle(index)
    case _: return .change(index)
    }
  }

  package func record(_ prompt: String) -> String? {
    programs.record(showing: arguments(["--msgbox", Self.plain(prompt), "--ok-label", "Type it"]))
  }

  package func type(_ prompt: String, instead current: String) -> String? {
    run(["--inputbox", Self.plain(prompt), current])
  }

  /// Replaces what could begin a tag, which Qt would read, and the backslash, which kdialog reads
  /// in some of its dialogs: an application must not write the dialog's own words.
  static func plain(_ text: String) -> String {
    text.unicodeScalars.map { ["<": "‹", "\\": "⧵"][$0] ?? String($0) }.joined()
  }

  private func run(_ own: [String]) -> String? {
    let result = programs.run(arguments(own), input: "")
    return result?.status == 0 ? result?.output : nil
  }

  /// Texts begin with words of ours, so none is taken for an option.
  private func arguments(_ own: [String]) -> [String] {
    ["kdialog", "--title", "Global shortcuts"] + own
  }
}

// MARK: A terminal

package struct TerminalDialog: DialogTool {
  private let programs: any DialogPrograms
  private let write: (String) -> Void
  /// The next line; `nil` at the end of input.
  private let read: () -> String?

  package init(
    _ programs: any DialogPrograms, write: @escaping (String) -> Void,
    read: @escaping () -> String?
  ) {
    self.programs = programs
    self.write = write
    self.read = read
  }

  package func choose(_ form: ConsentForm, problem: String?) -> DialogChoice {
    let rows = form.rows.indices.map { index in
      "  \(index + 1) [\(form.allowed.contains(index) ? "x" : " ")] \(form.line(index))"
    }
    let problems = problem.map { ["! " + $0] } ?? []
    for line in ["", form.summary + ":", ""] + rows + [""] + form.notes + problems { write(line) }
    while true {
      write(
        "a: allow what is marked   d: don't allow   1-\(form.rows.count): change its keys   "
          + "-1: take its mark   q: decide later")
      guard let line = read() else { return .later }
      let word = line.filter { $0 != " " }.lowercased()
      switch word {
      case "a", "allow": return .allow(form.allowed)
      case "d", "deny": return .deny
      case "q", "quit": return .later
      case _:
        guard let number = Int(word), number != 0, number.magnitude <= form.rows.count else {
          continue
        }
        return number < 0 ? .toggle(-number - 1) : .change(number - 1)
      }
    }
  }

  package func record(_ prompt: String) -> String? {
    write(prompt)
    return programs.record(showing: nil)
  }

  package func type(_ prompt: String, instead current: String) -> String? {
    write(prompt)
    return read()
  }
}

/// A notification with a button that opens the dialog. A window that appeared by itself could get
/// an Enter meant for another one, because an application may ask at any time.
package final class NotificationPrompt {
  package enum Answer: Hashable, Sendable {
    case open
    case later
    /// No server shows notifications with buttons.
    case unavailable
  }

  private static let service = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  private static let patience = EventInterval.milliseconds(5000)
  private static let signals = [SIGTERM, SIGINT, SIGHUP]
  /// A click on the notification itself. Some servers, such as mako, draw no buttons.
  private static let clickAction = "default"
  private static let openAction = "open"
  private static let laterAction = "later"

  private let loop: InputLoop
  private let bus: Bus
  private let signals: SignalQueue
  private let summary: String
  private var body: String
  private var number: UInt32?
  /// The unique name of the server that shows it. Only its signals count, because everyone on the
  /// bus can send one that looks the same.
  private var server: String?
  private var answer: Answer?
  private var interests: [BusInterest] = []

  package init?(bus address: String, _ summary: String, _ body: String) {
    guard let loop = try? InputLoop(), let bus = Bus(address),
      let signals = try? SignalQueue(Self.signals)
    else { return nil }
    (self.loop, self.bus, self.signals) = (loop, bus, signals)
    (self.summary, self.body) = (summary, body)
  }

  package func ask() -> Answer {
    defer { for signal in Self.signals { SignalQueue.unblock(signal) } }
    do throws(SystemError) {
      try bus.attach(to: loop) { [unowned self] in finish(.unavailable) }
      // the application no longer asks
      try loop.watch(signals.descriptor) { [unowned self] in finish(.later) }
      askForCapabilities()
      while answer == nil { try loop.wait(until: nil) }
      // let the bus send the last message
      try loop.wait(until: .zero)
    } catch {
      return .unavailable
    }
    return answer ?? .unavailable
  }

  private func finish(_ answer: Answer) {
    guard self.answer == nil else { return }
    self.answer = answer
    if let number, answer == .later {
      bus.tell(Self.service, Self.path, Self.service, "CloseNotification") { $0.append(number) }
    }
  }

  private func ask(
    _ method: String, _ fill: (borrowing BusMessage) -> Bool = { _ in true },
    _ answer: @escaping (borrowing BusMessage) -> Void
  ) {
    let interest = bus.ask(
      Self.service, Self.path, Self.service, method, fill, within: Self.patience, answer)
    guard let interest else { return finish(.unavailable) }
    interests.append(interest)
  }

  private func askForCapabilities() {
    ask("GetCapabilities") { [unowned self] reply in
      let capabilities = reply.error == nil ? reply.strings() : []
      guard capabilities.contains("actions") else { return finish(.unavailable) }
      if capabilities.contains("body-markup") { body = ZenityDialog.markup(body) }
      show()
    }
  }

  private func show() {
    // a new server does not show this notification
    let watch = bus.listenForOwner(of: Self.service) { [unowned self] owner in
      if let server, owner != server { finish(.unavailable) }
    }
    if let watch { interests.append(watch) }
    for member in ["ActionInvoked", "NotificationClosed"] {
      let rule = "type='signal',interface='\(Self.service)',member='\(member)'"
      if let interest = bus.listen(rule, { [unowned self] in hear($0) }) {
        interests.append(interest)
      }
    }
    ask("Notify", fill) { [unowned self] reply in
      guard reply.error == nil, let number = reply.number() else { return finish(.unavailable) }
      self.number = number
      server = reply.sender
    }
  }

  /// Appends the arguments (susssasa{sv}i). The notification stays until it is answered.
  private func fill(_ message: borrowing BusMessage) -> Bool {
    message.append("Gliss") && message.append(UInt32(0)) && message.append("input-keyboard")
      && message.append(summary) && message.append(body)
      && message.append("a", "s") {
        message.append(Self.clickAction) && message.append("Choose…")
          && message.append(Self.openAction) && message.append("Choose…")
          && message.append(Self.laterAction) && message.append("Not now")
      }
      && message.append("a", "{sv}") {
        message.appendEntry("urgency", "y") { message.append(byte: 2) }
      } && message.append(Int32(0))
  }

  private func hear(_ message: borrowing BusMessage) {
    guard let number, message.sender == server, message.number() == number else { return }
    if message.member == "NotificationClosed" { return finish(.later) }
    switch message.string() {
    case Self.openAction, Self.clickAction: finish(.open)
    case _: finish(.later)
    }
  }
}
