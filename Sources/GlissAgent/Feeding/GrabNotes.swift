import GlissDevices

/// The current state of grabs on keyboards whose hotkeys are to be consumed.
struct GrabNotes {
  private enum Note {
    case grabbed(name: String)
    case problem(String)
  }

  /// By the keyboard's device node.
  private var notes: [String: Note] = [:]
  /// What applies to all keyboards: the panic chord, or a stall.
  private var general: String?

  /// The command that restores the grabs.
  private static let command = "gliss reload"

  mutating func note(_ news: GrabNews) {
    switch news {
    case .grabbed(let path, let name):
      notes[path] = .grabbed(name: name)
      general = nil
    case .givenBack(let path): notes[path] = nil
    case .taken(let path, _, _), .failed(let path, _, _):
      notes[path] = .problem(news.sentence(resumedBy: Self.command))
    case .panic, .stall: general = news.sentence(resumedBy: Self.command)
    }
  }

  /// All grabs are attempted again.
  mutating func resume() {
    general = nil
    notes = notes.filter { _, note in
      switch note {
      case .grabbed: true
      case .problem: false
      }
    }
  }

  /// The device is gone.
  mutating func forget(_ path: String) { notes[path] = nil }

  /// `NAME (PATH)` of the grabbed keyboards.
  var grabbed: [String] {
    notes.compactMap { path, note in
      switch note {
      case .grabbed(let name): "\(name) (\(path))"
      case .problem: nil
      }
    }.sorted()
  }

  /// Why hotkeys that should be consumed are not.
  var problems: [String] {
    let own = notes.values.compactMap { note in
      switch note {
      case .grabbed: nil as String?
      case .problem(let text): text
      }
    }
    return (general.map { [$0] } ?? []) + own.sorted()
  }
}
