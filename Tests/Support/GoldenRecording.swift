package import Foundation
import GlissEvents
import GlissRecordings
import GlissSession
import GlissSynthesis

/// One recording of recordings/, and what is expected of it.
package struct GoldenRecording: Sendable, CustomStringConvertible {
  /// The folder, named as its pad.
  package var folder: String
  package var name: String

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("recordings")

  package static let all: [GoldenRecording] = Pad.named.flatMap { folder, _ -> [GoldenRecording] in
    let path = root.appendingPathComponent(folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".yml") }.sorted().map {
      GoldenRecording(folder: folder, name: String($0.dropLast(4)))
    }
  }

  /// What `tools/demo` shows.
  package static let demonstration = GoldenRecording(folder: "demo", name: "demo")

  package var description: String { "\(folder)/\(name)" }
  private var base: URL { Self.root.appendingPathComponent(folder).appendingPathComponent(name) }
  package var url: URL { base.appendingPathExtension("yml") }
  package var expectedURL: URL { base.appendingPathExtension("expected.jsonl") }

  /// The gestures of the recording, a JSON object a line.
  package func replayed() throws -> String {
    let recording = try Recording(path: url.path)
    return GestureLines.text(
      try recording.gestures(), from: recording.origin ?? .zero, file: "\(name).yml",
      device: recording.devices.first?.name ?? "")
  }
}
