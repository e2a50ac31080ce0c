import Foundation
import FoundationXML
import GlissEvents
import GlissGestures
import GlissPlot
import GlissRecordings
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// Recordings and strokes as they are plotted.
enum Drawing {
  static func recording(
    _ name: String, called shown: String? = nil, _ configuration: GestureConfiguration = .init(),
    isBrief: Bool = false
  ) throws -> PlottedRecording {
    let path = Repository.root.appending(path: "recordings/\(name).yml").path
    var recording = try Recording(path: path)
    let plotter = Plotter(
      PlottedRecording(
        name: shown ?? String(name.split(separator: "/").last ?? ""),
        origin: recording.origin ?? .zero, isBrief: isBrief), Session(configuration: configuration))
    try recording.run(into: plotter.session)
    return plotter.recording
  }

  static func stroke(
    _ trace: Trace, on device: Device? = nil, name: String = "a stroke",
    _ configuration: GestureConfiguration = .init()
  ) -> PlottedRecording {
    let plotter = Plotter(
      PlottedRecording(name: name, origin: trace.events.first?.time ?? .zero),
      Session(configuration: configuration))
    let id = plotter.session.add(device ?? trace.device)
    for event in trace.events { plotter.session.process(event, from: id) }
    plotter.session.finish()
    return plotter.recording
  }

  /// What an XML reader makes of it, which fails for what is no XML.
  static func texts(of svg: String) throws -> [String] {
    let reader = Reader()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    #expect(
      parser.parse(), "\(String(describing: parser.parserError)) at line \(parser.lineNumber)")
    #expect(reader.elements.isSubset(of: Self.elements), "\(reader.elements)")
    return reader.texts
  }

  /// Nothing that runs, loads or links.
  private static let elements: Set<String> = [
    "svg", "title", "style", "rect", "g", "text", "path", "circle", "clipPath",
  ]

  private final class Reader: NSObject, XMLParserDelegate {
    var texts: [String] = []
    var elements: Set<String> = []
    private var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      elements.insert(name)
      text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      if name == "text" || name == "title" { texts.append(text) }
    }
  }
}
