import GlissConfiguration
import Testing

@Suite struct ExampleTests {
  @Test func nothingIsWrongWithIt() {
    let reading = Configuration.read([
      ConfigurationText(name: "example", bytes: ConfigurationExample.bytes)
    ])
    #expect(reading.mistakes == [], "\(reading.mistakes.text)")
    #expect((reading.configuration?.rules.count ?? 0) > 10)
  }

  /// What is commented out is right, too.
  @Test func nothingIsWrongWithWhatItLeavesOut() throws {
    let lines = String(decoding: ConfigurationExample.bytes, as: UTF8.self).split(separator: "\n")
    let settings = try #require(lines.lastIndex { $0.hasPrefix("# settings:") })
    let rest = lines[settings...].map { String($0.dropFirst(2)) }.joined(separator: "\n")
    let read = try configuration(rest)
    #expect(read.settings.count == 1 && read.profiles.count == 1)
  }

  @Test func itsFirstLineNamesTheSchemaForEditors() {
    let line = String(decoding: ConfigurationExample.bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    #expect(line == "# yaml-language-server: $schema=\(ConfigurationSchema.path)")
  }
}
