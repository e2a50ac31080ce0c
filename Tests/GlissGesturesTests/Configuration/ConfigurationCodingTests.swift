import Foundation
import GlissGestures
import GlissSynthesis
import TestSupport
import Testing

/// Settings as JSON.
@Suite struct ConfigurationCodingTests {
  @Test func onlyChangedSettingsAreWritten() throws {
    var configuration = GestureConfiguration()
    #expect("\(configuration)" == "defaults")
    configuration.drag.gain = 2.5
    let data = try JSONEncoder().encode(configuration)
    #expect(String(decoding: data, as: UTF8.self) == #"{"drag.gain":2.5}"#)
    #expect(try JSONDecoder().decode(GestureConfiguration.self, from: data) == configuration)
    #expect("\(configuration)" == "drag.gain=2.5")
  }

  @Test(arguments: [1000, .nan, -1])
  func anInvalidMemberIsFoundBeforeItIsStored(_ gain: Double) throws {
    var configuration = GestureConfiguration()
    #expect(throws: Never.self) { try configuration.check() }
    configuration.drag.gain = gain
    let error = #expect(throws: ConfigurationError.self) { try configuration.check() }
    guard case .outOfRange("drag.gain", _, 0.01...100, "×")? = error else {
      return #expect(error == nil)
    }
  }

  @Test func anyConfigurationIsReadAsItWasWritten() throws {
    var random = Seed.source("settings")
    for _ in 0..<100 {
      var configuration = GestureConfiguration()
      for setting in GestureConfiguration.settings where random.chance(0.3) {
        let value = setting.unit == "0/1" ? 1 : random.uniform(setting.range)
        try configuration.set(setting.name, to: value)
      }
      let data = try JSONEncoder().encode(configuration)
      let back = try JSONDecoder().decode(GestureConfiguration.self, from: data)
      #expect(back == configuration, "\(Seed.advice)")
    }
  }

  @Test(arguments: [#"{"drag.gian":2}"#, #"{"drag.gain":1000}"#, #"{"drag.gain":"2"}"#])
  func unknownSettingsAreRefused(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(GestureConfiguration.self, from: Data(text.utf8))
    }
  }
}
