import Foundation
import GlissEvents
import GlissGestures
import GlissPlot
import GlissSession

/// A folder with a page that lists all wrong traces, and for each a page that plays it.
final class HTMLReport {
  /// A wrong trace.
  private struct Entry {
    var label: String
    var name: String
    var fault: String
    var page: String
  }

  private let folder: String
  private var entries: [Entry] = []
  private var counts: [String: (clean: Int, all: Int)] = [:]
  /// Variants of settings to try for each trace: enough for the main ones.
  private static let variants = 80

  init(folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Counts a trace, and draws it if it came out wrong.
  ///
  /// - Parameter fault: What is wrong; `nil` if nothing is.
  func add(
    _ label: String, _ name: String, fault: String?, _ events: [EvdevEvent], on device: Device,
    _ configuration: GestureConfiguration
  ) throws {
    let before = counts[label, default: (0, 0)]
    counts[label] = (before.clean + (fault == nil ? 1 : 0), before.all + 1)
    guard let fault else { return }
    let drawn = Self.plot(name, events, on: device, configuration, isBrief: false)
    var grid = SettingsGrid(around: configuration, atMost: Self.variants)
    for variant in grid.variants(of: configuration) {
      let result = Self.plot(name, events, on: device, variant.configuration, isBrief: true)
      grid.note(variant, result, against: drawn)
    }
    let page = "\(entries.count + 1).html"
    try Data(PlotPage(drawn, grid: grid).bytes).write(to: URL(filePath: "\(folder)/\(page)"))
    entries.append(Entry(label: label, name: name, fault: fault, page: page))
  }

  private static func plot(
    _ name: String, _ events: [EvdevEvent], on device: Device,
    _ configuration: GestureConfiguration, isBrief: Bool
  ) -> PlottedRecording {
    let session = Session(configuration: configuration)
    let plotter = Plotter(
      PlottedRecording(name: name, origin: events.first?.time ?? .zero, isBrief: isBrief), session)
    let id = session.add(device)
    for event in events {
      if let deadline = session.deadline, deadline <= event.time { session.advance(to: deadline) }
      session.process(event, from: id)
    }
    session.finish()
    return plotter.recording
  }

  /// Writes the list.
  func close() throws {
    var lines = [
      "<!DOCTYPE html>", "<html lang=\"en\">", "<head><meta charset=\"utf-8\">",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      "<title>Wrong traces</title>", "<style>:root {\(Palette.light)}",
      "@media (prefers-color-scheme: dark) { :root {\(Palette.dark)} }",
      "body { font: 1rem/1.5 system-ui, sans-serif; background: var(--page); color: var(--text);",
      "margin: 0 auto; padding: 1rem; max-width: 60rem } a { color: var(--f1) }</style></head>",
      "<body><h1>Wrong traces</h1>",
    ]
    for label in counts.keys.sorted() {
      guard let count = counts[label] else { continue }
      lines.append("<h2>\(Markup.escaped(label)): \(count.clean) of \(count.all) right</h2>")
      let wrong = entries.filter { $0.label == label }
      if wrong.isEmpty { continue }
      let items = wrong.map {
        "<li><a href=\"\($0.page)\">\(Markup.escaped($0.name))</a>: \(Markup.escaped($0.fault))</li>"
      }
      lines.append("<ul>\(items.joined(separator: "\n"))</ul>")
    }
    let text = lines.joined(separator: "\n") + "\n</body></html>\n"
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/index.html"))
  }
}
