import Glibc
import Gliss
import GlissPlot

/// Plays a recording for pictures of it, several times if other settings are to be tried.
struct PlotPlayer {
  let file: String
  let axes: String?

  /// - Parameter wanted: settings as typed, and what they make.
  /// - Returns: a reading for each of them; `nil` after an error.
  func play(_ wanted: [(typed: String, configuration: GestureConfiguration)]) -> [PlottedRecording]?
  {
    let playback = Playback(file: file, axes: axes)
    guard var recording = playback.open() else { return nil }
    let origin = recording.origin ?? .zero
    let plotters = wanted.map { typed, configuration in
      Plotter(
        PlottedRecording(name: name, settings: typed, origin: origin),
        Session(configuration: configuration))
    }
    let isWhole = playback.run(&recording, into: plotters.map(\.session))
    playback.reportWarnings(of: recording)
    // what came before an error in the file is drawn
    if !isWhole, plotters.allSatisfy(\.recording.strokes.isEmpty) { return nil }
    return plotters.map(\.recording)
  }

  private var name: String {
    file == "-" ? "standard input" : file.split(separator: "/").last.map(String.init) ?? file
  }

  /// So many steps of so many recognizers: some seconds at most.
  private static let budget = 2_000_000
  /// Recognizers that are fed at once: what they hold is forgotten after each turn.
  private static let batch = 16

  /// What other settings would have changed. A pipe cannot be played again: then nothing is known.
  func grid(around base: GestureConfiguration, for drawn: PlottedRecording) -> SettingsGrid {
    let frames = max(1, drawn.strokes.reduce(0) { $0 + $1.frames.count })
    var grid = SettingsGrid(around: base, atMost: file == "-" ? 0 : Self.budget / frames)
    let variants = grid.variants(of: base)
    let terminal = Terminal(STDERR_FILENO)
    for start in stride(from: 0, to: variants.count, by: Self.batch) {
      let some = variants[start..<min(variants.count, start + Self.batch)]
      if terminal.hasCursor {
        Progress.show("trying settings: \(start * 100 / variants.count) %", on: terminal)
      }
      let plotters = some.map { variant in
        Plotter(
          PlottedRecording(name: "", origin: drawn.origin, isBrief: true),
          Session(configuration: variant.configuration))
      }
      guard var recording = try? Recording(path: file, axes: axes) else { break }
      // an error in the file has been reported
      try? recording.run(into: plotters.map(\.session))
      for (variant, plotter) in zip(some, plotters) {
        grid.note(variant, plotter.recording, against: drawn)
      }
    }
    Progress.clear()
    return grid
  }
}
