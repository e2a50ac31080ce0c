import ArgumentParser
import Gliss
import GlissAgent
import GlissConfiguration
import GlissPortal

struct ShortcutsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shortcuts",
    abstract: "List and change the global shortcuts that applications asked for.",
    discussion: """
      The answers are in ~/.config/gliss/shortcuts.yaml, which you may also edit.
      Changes take effect at once, also for running applications.

      EXAMPLES
        gliss shortcuts
        gliss shortcuts set com.obsproject.Studio record ctrl+alt+r
        gliss shortcuts set info.mumble.Mumble talk 'hold 3'    three fingers
        gliss shortcuts set info.mumble.Mumble mute none        denied
        gliss shortcuts forget com.obsproject.Studio            it may ask again
      """,
    subcommands: [
      ShortcutsListCommand.self, ShortcutsSetCommand.self, ShortcutsForgetCommand.self,
    ],
    defaultSubcommand: ShortcutsListCommand.self)
}

struct ShortcutFileOptions: ParsableArguments {
  @Option(
    help: "The file of answers; by default ~/.config/gliss/shortcuts.yaml.", completion: .file())
  var file: String?

  func validate() throws {
    if file == "" { throw ValidationError("--file needs a name") }
  }

  var store: ShortcutStore { ShortcutStore(path: file ?? ShortcutStore.standardPath) }
}

extension ConfigurationFiles {
  /// The user's rules; none if their files have mistakes.
  static var ownRules: [Rule] {
    ConfigurationFiles().read().rules.configuration?.rules ?? []
  }
}

struct ShortcutsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List applications with their shortcuts and triggers.",
    discussion: """
      EXAMPLES
        gliss shortcuts
        gliss shortcuts list --format json | jq '.applications[].shortcuts[]'
      """)

  @OptionGroup var options: ShortcutFileOptions

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    let answers = try options.store.read()
    format.print(Self.lines(answers), Self.json(answers))
    if format == .text, answers.applications.isEmpty {
      Diagnostics.say("there are no answers to applications yet")
    }
  }

  private static func lines(_ answers: ShortcutAnswers) -> [String] {
    answers.applications.flatMap { application in
      let ids = application.answers.map(\.id.printable)
      let width = min(32, ids.map(\.count).max() ?? 0)
      let keys = application.answers.map { ($0.trigger?.words ?? "not allowed").printable }
      let wide = min(32, keys.map(\.count).max() ?? 0)
      return [application.name.printable]
        + application.answers.indices.map { index in
          let description = application.answers[index].description.printable
          return "  \(ids[index].padded(width))  "
            + (description.isEmpty ? keys[index] : keys[index].padded(wide) + "  " + description)
        }
    }
  }

  private static func json(_ answers: ShortcutAnswers) -> JSON {
    let applications = answers.applications.map { application -> JSON in
      let shortcuts = application.answers.map { answer in
        JSON.members([
          "id": .string(answer.id), "description": .string(answer.description),
          "allowed": .bool(answer.trigger != nil),
          "trigger": answer.trigger.map { .string($0.text) },
          "consume": answer.trigger.map { .bool($0.consumes) },
        ])
      }
      return ["application": .string(application.name), "shortcuts": .array(shortcuts)]
    }
    return ["applications": .array(applications)]
  }
}

struct ShortcutsSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set the trigger of an application's shortcut, also before it asks.",
    usage: "gliss shortcuts set <application> <shortcut> <trigger> [<option> ...]",
    discussion: """
      The trigger is a hotkey as in gliss.yaml ('gliss keys' prints the ones you
      press), a gesture in a few words or as in gliss.yaml, or none, which denies
      the shortcut.

      EXAMPLES
        gliss shortcuts set com.obsproject.Studio record ctrl+alt+r
        gliss shortcuts set info.mumble.Mumble talk 'hold 3'
        gliss shortcuts set info.mumble.Mumble talk '{gesture: hold, fingers: 3}'
        gliss shortcuts set info.mumble.Mumble talk f9 --share
      """)

  @Argument(help: "The application's id.")
  var application: String

  @Argument(help: "The application's name for the shortcut.")
  var shortcut: String

  @Argument(help: "A hotkey, a gesture, or none.")
  var trigger: String

  @Flag(help: "Let the focused window receive the keys, too.")
  var share = false

  @OptionGroup var options: ShortcutFileOptions

  func validate() throws {
    if application.isEmpty || shortcut.isEmpty {
      throw ValidationError("the application and the shortcut need names")
    }
    let most = RequestedShortcut.longestID
    if application.utf8.count > most || shortcut.utf8.count > most {
      throw ValidationError("a name has at most \(most) bytes")
    }
  }

  func run() throws {
    var chosen: Rule.Trigger?
    if trigger != "none" {
      do throws(ConsentForm.Refusal) {
        chosen = try ConsentForm.trigger(trigger).consuming(!share)
      } catch {
        throw Diagnostics.refusal("'\(trigger)': \(error.message)")
      }
    }
    let known = try options.store.read()
    if let chosen {
      let others = OtherTriggers(rules: ConfigurationFiles.ownRules, answers: known)
      for remark in others.conflicts(with: chosen, of: application, shortcut) {
        Diagnostics.say("warning: \(remark)")
      }
    }
    try options.store.update { [chosen] answers in
      let description = answers[application, shortcut]?.description ?? ""
      answers.set(
        ShortcutAnswers.Answer(id: shortcut, description: description, trigger: chosen),
        of: application)
    }
  }
}

struct ShortcutsForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget an answer, so that the application may ask again.",
    discussion: """
      EXAMPLES
        gliss shortcuts forget com.obsproject.Studio
        gliss shortcuts forget com.obsproject.Studio record
      """)

  @Argument(help: "The application's id.")
  var application: String

  @Argument(help: "One shortcut; by default all.")
  var shortcut: String?

  @OptionGroup var options: ShortcutFileOptions

  func run() throws {
    var count = 0
    try options.store.update { count = $0.forget(application, shortcut) }
    guard count > 0 else {
      throw Diagnostics.refusal(
        "there is no answer for \(([application] + [shortcut].compactMap(\.self)).joined(separator: " "))"
      )
    }
  }
}
