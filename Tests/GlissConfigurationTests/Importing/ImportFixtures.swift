import Foundation
import GlissConfiguration
import Testing

/// Files in the style of other tools' documentation, and what becomes of them.
///
/// `UPDATE_GOLDEN=1` writes down what it is now.
struct ImportFixture: Sendable, CustomTestStringConvertible {
  let tool: ImportedTool
  let name: String

  static let all = [
    ImportFixture(tool: .touchegg, name: "touchegg.conf"),
    ImportFixture(tool: .fusuma, name: "fusuma.yml"),
    ImportFixture(tool: .libinputGestures, name: "libinput-gestures.conf"),
    ImportFixture(tool: .sxhkd, name: "sxhkdrc"),
    ImportFixture(tool: .swhkd, name: "swhkdrc"),
  ]

  var testDescription: String { name }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  var text: String {
    get throws { try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8) }
  }

  func imported() throws -> ImportedFile { try tool.imported(text, name: name) }

  /// Compares with what was written down.
  func expect(_ text: String, in suffix: String) throws {
    let golden = Self.folder.appending(path: "\(name).\(suffix)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try text.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(text == expected, "\(golden.lastPathComponent)")
  }
}

extension ImportedTool {
  /// What becomes of `text`; files that it includes lie among the fixtures.
  func imported(
    _ text: String, name: String = "file", byCharacter: Bool = false
  ) throws -> ImportedFile {
    let folder = ImportFixture.folder
    let options = ImportOptions(byCharacter: byCharacter) { path in
      guard path == "/etc/swhkd/common" else { return nil }
      let file = folder.appending(path: "swhkd-common")
      guard let data = try? Data(contentsOf: file) else { return nil }
      return ConfigurationText(name: path, bytes: Array(data))
    }
    return try rules(
      in: ConfigurationText(name: name, bytes: Array(text.utf8)), options: options)
  }
}

extension Configuration {
  /// The rules of a file of ours without their places; its errors are failures.
  static func rules(of text: String) -> [Rule] {
    let reading = read([ConfigurationText(name: "gliss.yaml", bytes: Array(text.utf8))])
    let errors = reading.mistakes.filter { $0.severity == .error }
    #expect(errors.map { "\($0.place): \($0.message)" } == [], "\(text)")
    return (reading.configuration?.rules ?? []).map(\.withoutPlaces)
  }
}

extension Rule {
  static let nowhere = Place(file: "", line: 0, column: 0)

  /// The same rule, wherever it stands.
  var withoutPlaces: Rule {
    var rule = self
    rule.place = Self.nowhere
    if case .gesture(var condition) = rule.trigger {
      condition.settings = condition.settings.map { setting in
        SettingChange(name: setting.name, value: setting.value, place: Self.nowhere)
      }
      rule.trigger = .gesture(condition)
    }
    let all: [WritableKeyPath<Reactions, [Action]>] = [
      \.begin, \.change, \.end, \.cancel, \.release,
    ]
    for path in all {
      rule.reactions[keyPath: path] = rule.reactions[keyPath: path].map(\.withoutPlace)
    }
    rule.reactions.steps = rule.reactions.steps.map { step in
      Step(
        interval: step.interval, forward: step.forward.map(\.withoutPlace),
        back: step.back.map(\.withoutPlace), place: Self.nowhere)
    }
    return rule
  }
}

extension Action {
  fileprivate var withoutPlace: Action { Action(verb, place: Rule.nowhere) }
}
