import ArgumentParser

/// libinput and Gliss on the same strokes.
@main struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-libinput",
    abstract:
      "Plays labelled strokes into a uinput touchpad and prints what libinput and Gliss reported.",
    discussion: """
      Both read the same device at the same time, each in a process of its own,
      beside a loop that does nothing but read. A stroke is clean if the right
      gesture came, the right way, with nothing else before or beside it. Needs
      /dev/uinput: tools/compare-libinput runs it in the test guest.
      """,
    subcommands: [Contest.self, Pads.self, Idle.self, Listen.self], defaultSubcommand: Contest.self)
}
