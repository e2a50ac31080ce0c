import GlissConfiguration
import GlissHotkeys

/// Imports rules from a swhkdrc: lines as in sxhkd, modes, included files, and hotkeys to be
/// ignored.
enum SwhkdImporter {
  static func add(
    _ source: ImportedText, _ options: ImportOptions, to file: inout ImportedFile
  ) throws(Mistake) {
    var reading = SwhkdReading()
    try reading.read(source, options, &file)
    var collector = HotkeyCollector(lastCounts: true)
    let commands = SwhkdCommands(
      modes: Set(reading.modes.map(\.name)), openers: reading.openers)
    for item in reading.items {
      switch item {
      case .bound(let bound): add(bound, commands, &collector, &file)
      case .ignored(let ignored): ignore(ignored, &collector, &file)
      }
    }
    collector.finish(into: &file)
  }

  private static func add(
    _ bound: SwhkdReading.Bound, _ commands: SwhkdCommands, _ collector: inout HotkeyCollector,
    _ file: inout ImportedFile
  ) {
    let binding = bound.binding
    for pair in binding.pairs(of: .swhkd, &file) {
      do throws(ChainNote) {
        let chain = try ChainReader(dialect: .swhkd).chain(pair.hotkey)
        let actions = commands.actions(of: pair.command, in: bound.mode, binding, &file)
        guard !actions.isEmpty else {
          file.lose(pair.hotkey, "nothing of its command is left to do", at: binding.place)
          continue
        }
        collector.add(
          HotkeyCollector.Entry(
            chain: chain, actions: actions, mode: bound.mode?.name, sources: binding.sources,
            place: binding.place, text: pair.hotkey.trimmed), to: &file)
      } catch {
        file.lose(error.word, error.why, at: binding.place(of: error.word))
      }
    }
  }

  /// Removes hotkeys that are to be ignored.
  private static func ignore(
    _ ignored: SwhkdReading.Ignored, _ collector: inout HotkeyCollector,
    _ file: inout ImportedFile
  ) {
    let place = ignored.source.place(of: "", line: ignored.line)
    let expansion = Expansion(ignored.hotkey, of: .swhkd, isHotkey: true)
    if expansion.count == 0 || expansion.count > Expansion.limit {
      file.lose(
        "ignore \(ignored.hotkey)",
        expansion.count == 0
          ? "a pair of braces is empty, so that it stands for nothing"
          : "it stands for more than \(Expansion.limit) hotkeys; the first of them are left out",
        at: place)
    }
    for number in 0..<min(expansion.count, Expansion.limit) {
      do throws(ChainNote) {
        let chain = try ChainReader(dialect: .swhkd).chain(expansion.text(number))
        guard let gone = collector.remove(chain.hotkey, in: ignored.mode) else {
          file.note("ignore", "no rule has \(chain.hotkey); nothing is left out", at: place)
          continue
        }
        file.lose(
          "\(chain.hotkey)", "\(place.line(from: gone)) says to ignore it", at: gone)
        file.note("ignore \(chain.hotkey)", "its rule is left out", at: place)
      } catch {
        file.lose(
          error.word, error.why, at: ignored.source.place(of: error.word, line: ignored.line))
      }
    }
  }
}
