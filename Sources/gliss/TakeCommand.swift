import ArgumentParser
import Glibc
import Gliss
import GlissAgent
import GlissConfiguration

/// `gliss take`: has the desktop leave out the strokes that rules consume.
struct TakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "take",
    abstract: "Keep the desktop from the strokes that rules consume.",
    usage: "gliss take [on | off | status] [--format <format>]",
    discussion: """
      A rule with 'consume: true' is for its gesture alone, if the desktop lets Gliss
      take the stroke: where it loads plugins of libinput. 'on' installs a file for
      that: in your own configuration folder where GNOME Shell and niri load it from,
      as root in /etc/libinput/plugins, for the others. Desktops load it when they
      start, so log out and in once. Without Gliss the file does nothing.
      'off' removes it. 'status', or nothing, says what is in force, and what is left
      to do.

      EXAMPLES
        gliss take on
        sudo gliss take on      for all users, and for KWin and Hyprland
        gliss take status
        gliss take off

      EXIT STATUS
        0  done; of status: strokes are kept from the desktop, or need not be
        1  not done, and why; of status: they are not
      """)

  enum Order: String, ExpressibleByArgument, CaseIterable { case on, off, status }

  @Argument(help: ArgumentHelp("on, off or status.", valueName: "order"))
  var order = Order.status

  @Option(help: "Of status: text for reading, json for one object.")
  var format = AnswerFormat.text

  func run() throws {
    switch order {
    case .on: try install()
    case .off: try remove()
    case .status: try show()
    }
  }

  private func install() throws {
    let isRoot = geteuid() == 0
    let status = TakeStatus.running
    var file = isRoot ? PluginFile.system : .own
    switch status.standing {
    // root may install it for others, whose desktop is not known here
    case _ where isRoot: break
    case .inForce, .waiting: return say(status)
    case .outdated(let old): file = old
    case .missing(let missing, _): file = missing
    case .tooOld, .impossible, .needless, .unknown, .failed:
      throw Diagnostics.failure(status.sentence.printable)
    }
    if file == .system, !isRoot {
      say(status)
      throw ExitCode(ExitStatus.failed)
    }
    do throws(SystemError) {
      try file.install()
    } catch {
      throw Diagnostics.failure("\(error)".printable)
    }
    Output.standard.write(
      line: "installed \(file.path); desktops load it when they start: log out and in once"
        .printable)
  }

  private func remove() throws {
    let isRoot = geteuid() == 0
    var removed: [String] = []
    do throws(SystemError) {
      for file in isRoot ? [PluginFile.system, .own] : [.own] where try file.remove() {
        removed.append(file.path)
      }
    } catch {
      throw Diagnostics.failure("\(error)".printable)
    }
    for path in removed {
      Output.standard.write(
        line: "removed \(path); desktops that run do without it when they start again".printable)
    }
    let remains = !isRoot && PluginFile.system.state != .missing
    if remains {
      throw Diagnostics.failure("\(PluginFile.system.path) remains: sudo gliss take off")
    }
    if removed.isEmpty { Output.standard.write(line: "it was not installed") }
  }

  private func show() throws {
    let status = TakeStatus.running
    switch format {
    case .text: say(status)
    case .json: Output.standard.write(document: status.json)
    }
    if !status.isInForce { throw ExitCode(ExitStatus.failed) }
  }

  private func say(_ status: TakeStatus) {
    Output.standard.write(line: status.sentence.printable)
    guard let remedy = status.remedy else { return }
    Output.standard.write(line: remedy.text)
    for command in remedy.commands { Output.standard.write(line: "  \(command)") }
  }
}

extension TakeStatus {
  fileprivate var json: JSON {
    .members([
      "taken": .bool(isInForce), "desktop": desktop.map { .string($0.rawValue) },
      "version": version.map { .string("\($0)") }, "text": .string(sentence),
      "advice": remedy.map { .string($0.text) }, "commands": .strings(remedy?.commands ?? []),
    ])
  }

  /// The doctor's finding, if the desktop has gestures.
  static func findings() -> [Finding] {
    let status = running
    guard status.desktop != nil, status.standing != .needless else { return [] }
    let advice = status.remedy.map { [Finding.Advice($0.text, commands: $0.commands)] } ?? []
    return [
      Finding(.desktop, status.isInForce ? .ok : .note, status.sentence, advice: advice)
    ]
  }
}
