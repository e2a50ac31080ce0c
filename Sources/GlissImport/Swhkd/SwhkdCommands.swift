import GlissConfiguration

/// Converts commands of swhkd: shell, possibly with `@enter` and `@escape` among it.
struct SwhkdCommands {
  /// The existing modes.
  let modes: Set<String>
  /// The modes in which another mode can be entered.
  let openers: Set<String>

  func actions(
    of command: String, in mode: SwhkdReading.Mode?, _ binding: Binding,
    _ file: inout ImportedFile
  ) -> [Action] {
    let place = binding.commandPlace
    var actions: [Action] = []
    var shell: [String] = []
    func flush() {
      if !shell.isEmpty {
        let text = shell.joined(separator: " && ")
        actions.append(Action(.run(Command(.shell(text))), place: place))
      }
      shell = []
    }
    for part in Self.parts(of: command) {
      switch part.words.first {
      case "@enter":
        flush()
        guard let name = part.words.dropFirst().first.map(SwhkdReading.name),
          modes.contains(name)
        else {
          file.lose(
            part, "there is no mode of that name",
            at: binding.source.place(of: part, line: place.line))
          continue
        }
        actions.append(Action(.mode(name), place: place))
      case "@escape":
        flush()
        if let mode, !openers.isEmpty, !openers.contains(mode.name) || openers.count > 1 {
          file.note("@escape", "it leaves all modes, not only the last", at: place)
        }
        actions.append(Action(.mode(nil), place: place))
      case _: shell.append(part)
      }
    }
    flush()
    if let mode, mode.isOneOff, !actions.contains(where: \.changesMode), !actions.isEmpty {
      actions.append(Action(.mode(nil), place: place))
    }
    return actions
  }

  /// The parts between `&&`, if any of them is `@enter` or `@escape`. Otherwise the command is one
  /// part.
  private static func parts(of command: String) -> [String] {
    var parts = [""]
    var before: Character = " "
    for character in command {
      if character == "&", before == "&" {
        parts[parts.count - 1].removeLast()
        parts.append("")
        before = " "
      } else {
        parts[parts.count - 1].append(character)
        before = character
      }
    }
    parts = parts.map(\.trimmed).filter { !$0.isEmpty }
    let hasInternal = parts.contains { $0.hasPrefix("@enter") || $0.hasPrefix("@escape") }
    return hasInternal ? parts : command.trimmed.isEmpty ? [] : [command.trimmed]
  }
}

extension Action {
  var changesMode: Bool {
    switch verb {
    case .mode: true
    case .run, .keys, .notify, .emit: false
    }
  }
}
