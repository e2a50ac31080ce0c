import ArgumentParser
import Glibc
import Gliss
import GlissConfiguration
import GlissPortal

struct GlissCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gliss",
    abstract: "Touch gestures, live and from recordings, and why each was recognized.",
    discussion: """
      EXAMPLES
        gliss doctor                       whether it will work, and if not, why
        gliss watch                        the gestures you make, as you make them
        gliss run                          act on them by your rules
        gliss record -o mine.yml           record your own touchpad, Ctrl-C to end
        gliss replay mine.yml              the gestures in a recording, as a table
        gliss replay --picture mine.yml    the same, with the fingers as they moved
        gliss explain mine.yml             why each gesture was recognized as it was
        gliss plot -o mine.html mine.yml   the same, as a picture that plays
        gliss keys                         the names of the keys you press, for rules
        gliss focus                        the names of your applications, for rules
        gliss take on                      keep the desktop from what rules consume
        gliss config example               a file of rules to begin with
        gliss check                        mistakes in your rules, with their places
        gliss import sxhkd                 turn another tool's file into rules
        gliss thresholds                   every number that can be set
        gliss devices                      input devices, and which can be read
        gliss grants                       which programs glissd lets see what
        gliss status                       which programs receive input now
        gliss lock -- swaylock             none of them, while the screen is locked
        gliss portal on                    answer applications' global shortcuts
        gliss shortcuts                    those shortcuts, with their keys

      SHELL COMPLETION
        folder=~/.local/share/bash-completion/completions
        mkdir -p $folder
        gliss --generate-completion-script bash > $folder/gliss
        (zsh: the file _gliss in a folder of $fpath;
         fish: ~/.config/fish/completions/gliss.fish)

      EXIT STATUS
        0    done, also if the reader of a pipe closed it early
        1    failed: the output could not be written, the devices could not be
             listed, none of them could be read, the broker refused, or no broker
             (why, focus: no agent or desktop) runs; doctor: no gesture can be
             recognized now
        2    bad usage or bad input; the other files were still replayed
        129  the terminal was closed (SIGHUP); the current line was written whole
        130  interrupted (Ctrl-C); the current line was written whole. watch, record,
             run, keys and focus end this way, with status 0; lock passes signals on
             to its command and has its status
        143  terminated (SIGTERM); run: status 0

      ENVIRONMENT
        GLISS_SOCKET  the broker's socket, instead of /run/gliss/org.gliss.Broker
        NO_COLOR   no colour, whatever the terminal can do
        TERM=dumb  no colour, no picture, no progress
        LC_ALL, LC_CTYPE, LANG  the first that is set counts: without UTF-8, text is
                   ASCII only; JSON, YAML and recordings stay UTF-8
        XKB_DEFAULT_LAYOUT, ...  the keyboard layout of 'watch --events key'
      """,
    version: Release.version,
    subcommands: [
      RunCommand.self, ReloadCommand.self, WhyCommand.self,
      TakeCommand.self,
      KeysCommand.self, FocusCommand.self, WatchCommand.self, RecordCommand.self,
      ReplayCommand.self, ExplainCommand.self, PlotCommand.self,
      CheckCommand.self, ConfigCommand.self, ImportCommand.self, ThresholdsCommand.self,
      DevicesCommand.self, DoctorCommand.self, GrantsCommand.self, StatusCommand.self,
      PauseCommand.self, ResumeCommand.self, LockCommand.self,
      PortalCommand.self, ShortcutsCommand.self,
    ])
}

/// Finds unknown subcommand names. The parser would report them as extra arguments, or show general
/// help if they follow `help`.
enum UnknownCommand {
  static func message(in arguments: [String]) -> String? {
    var command: any ParsableCommand.Type = GlissCommand.self
    var path = ["gliss"]
    for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
      let subcommands = command.configuration.subcommands
      if subcommands.isEmpty || word.hasPrefix("-") || word == "help" { return nil }
      let names = subcommands.map { $0.configuration.commandName ?? "" }
      guard let known = names.firstIndex(of: word) else {
        return message(for: word, after: path, among: path.count == 1 ? names + ["help"] : names)
      }
      command = subcommands[known]
      path.append(word)
    }
    return nil
  }

  /// Commands that other programs have, and what does the same here.
  private static let usual = [
    "init": "gliss config example", "version": "gliss --version", "man": "gliss help",
    "completion": "gliss --generate-completion-script bash",
    "completions": "gliss --generate-completion-script bash",
  ]

  private static func message(
    for word: String, after path: [String], among names: [String]
  ) -> String {
    let similar = Spelling.nearest(to: word, among: names)
    let command = path.joined(separator: " ")
    let other: String? =
      path.count == 1 ? usual[word] : message(in: [word]) == nil ? "gliss " + word : nil
    let advice =
      other.map { "did you mean '\($0)'?" }
      ?? (similar.isEmpty
        ? "'\(command) --help' lists them" : "did you mean \(similar.joined(separator: " or "))?")
    return "there is no command “\(word)”\(path.count > 1 ? " of '\(command)'" : ""); \(advice)"
  }
}

extension ExitCode {
  /// Wrong usage, or input that is unreadable or invalid. Other failures, such as a full disk, are
  /// ``failure``.
  static let badInput = ExitCode(2)
}

@main struct Main {
  static func main() {
    Descriptors.open()
    Interruption.prepare()
    exit(perform(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Unlike `main`, it is isolated to no actor.
  private nonisolated static func perform(_ arguments: [String]) -> ExitCode {
    if let message = UnknownCommand.message(in: arguments) { return Diagnostics.refusal(message) }
    do {
      var command = try GlissCommand.parseAsRoot(arguments)
      try command.run()
      return .success
    } catch {
      return Diagnostics.report(error)
    }
  }
}

extension Diagnostics {
  @discardableResult
  static func report(_ error: any Error) -> ExitCode {
    switch error {
    case let status as ExitCode: status
    case let error as SystemError: failure("\(error)")
    case let error as ShortcutStore.Failure where error.mistakes.isEmpty: failure("\(error)")
    case let error as ShortcutStore.Failure: report(error.mistakes)
    case ClientError.invalidParameter: refusal("\(error)")
    case let error as ClientError: failure(error.advised)
    case _: answer(error)
    }
  }

  /// The parser's errors. Help, versions and completion scripts are errors, too, but successful.
  private static func answer(_ error: any Error) -> ExitCode {
    let message = GlissCommand.fullMessage(for: error)
    if GlissCommand.exitCode(for: error).isSuccess {
      Output.standard.write(line: Completion.mended(message))
      return .success
    }
    let prefix = "Error: "
    // it has several lines
    let text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    Output.diagnostics.write(line: "gliss: \(text)")
    return .badInput
  }
}
