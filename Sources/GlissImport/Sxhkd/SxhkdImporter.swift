import GlissConfiguration

/// Imports rules from an sxhkdrc.
enum SxhkdImporter {
  static func add(_ source: ImportedText, _ options: ImportOptions, to file: inout ImportedFile) {
    let reader = ChainReader(dialect: .sxhkd(byCharacter: options.byCharacter))
    var collector = HotkeyCollector()
    for case .binding(let binding) in SxhkdLines.items(in: source, &file) {
      add(binding, reader, &collector, &file)
    }
    collector.finish(into: &file)
  }

  private static func add(
    _ binding: Binding, _ reader: ChainReader, _ collector: inout HotkeyCollector,
    _ file: inout ImportedFile
  ) {
    for pair in binding.pairs(of: .sxhkd, &file) {
      do throws(ChainNote) {
        let chain = try reader.chain(pair.hotkey)
        var text = pair.command
        if text.first == ";" {
          text = String(text.dropFirst()).trimmed
          file.note(
            pair.command, "nothing waits for a command here; it runs as any other",
            at: binding.place)
        }
        guard !text.isEmpty else {
          file.lose(pair.hotkey, "its command is empty", at: binding.place)
          continue
        }
        collector.add(
          HotkeyCollector.Entry(
            chain: chain,
            actions: [Action(.run(Command(.shell(text))), place: binding.commandPlace)],
            mode: nil, sources: binding.sources, place: binding.place,
            text: pair.hotkey.trimmed), to: &file)
      } catch {
        file.lose(error.word, error.why, at: binding.place(of: error.word))
      }
    }
  }
}
