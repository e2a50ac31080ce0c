import Foundation
import GlissEvents
import GlissSession
import Testing

@testable import GlissRecordings

/// Real people's recordings, which are not part of the repository.
@Suite struct CorpusTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("shared/corpus")

  static var isPresent: Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent("INDEX.tsv").path)
  }

  static let files: [String] = {
    let found = FileManager.default.enumerator(atPath: root.path)
    let kinds = [".dat", ".events", ".desc", ".touchpad", ".evemu", ".yml", ".yaml"]
    return (found?.compactMap { $0 as? String } ?? []).filter { name in
      kinds.contains { name.hasSuffix($0) }
    }.sorted()
  }()

  @Test(.enabled(if: isPresent))
  func everyFileIsReadToItsEndOrSaysWhatIsWrong() throws {
    var read = 0
    for file in Self.files {
      let path = Self.root.appendingPathComponent(file).path
      do throws(RecordingError) {
        var recording = try Recording(path: path)
        try recording.run(into: Session())
        read += 1
        if ProcessInfo.processInfo.environment["GLISS_CORPUS"] != nil {
          print(
            file, recording.descriptionPath ?? "-", recording.devices.map(\.kind.rawValue),
            recording.warnings.first?.description ?? "")
        }
      } catch {
        // two recordings hold nothing at all
        #expect(error.problem == "the recording is empty", "\(error.message(for: file))")
      }
    }
    #expect(Self.files.count - read <= 2)
  }
}

extension CorpusTests {
  /// Recordings of events alone, as the whole of one collection is, with the description that belongs to them.
  @Test(.enabled(if: isPresent))
  func aDescriptionThatIsNamedGivesEventsAloneTheirSize() throws {
    let axes = Self.root.appendingPathComponent("cros-autotest/devices/lumpy.touchpad").path
    let events = Self.files.filter {
      $0.hasPrefix("cros-autotest/hardware_Trackpad/data/gestures/lumpy/")
    }
    #expect(!events.isEmpty)
    for file in events {
      let path = Self.root.appendingPathComponent(file).path
      let recording = try Recording(path: path, axes: axes)
      let device = try #require(recording.devices.first)
      #expect(device.kind == .touchpad, "\(file)")
      #expect(!device.size.isAssumed)
      #expect(abs(device.size.millimetres.x - 106.67) < 0.01)
      #expect(recording.warnings.isEmpty, "\(file): \(recording.warnings)")
    }
  }
}
