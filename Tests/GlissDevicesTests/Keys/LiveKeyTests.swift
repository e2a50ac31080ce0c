import Glibc
import GlissEvents
import GlissSession
import Testing

@testable import GlissDevices

/// What live keys have without being asked for.
@Suite struct LiveKeyTests {
  @Test func keysHaveText() throws {
    for (kinds, haveText) in [(.key, true), (.hotkey, true), ([.touch, .gesture], false)]
      as [(EventMask, Bool)]
    {
      let devices = try LiveDevices(.paths([]))
      devices.eventKinds = kinds
      let session = Session()
      devices.giveLayout(to: session)
      #expect((session.keyTranslator != nil) == haveText)
    }
  }

  @Test func heldKeysRepeatAsTheSessionOrTheDevicesSay() throws {
    let slow = KeyRepeat(delay: .milliseconds(900), interval: .milliseconds(90))
    for (own, device, result) in [
      (nil, KeyRepeat.standard, KeyRepeat.standard), (slow, .standard, slow), (nil, nil, nil),
    ] as [(KeyRepeat?, KeyRepeat?, KeyRepeat?)] {
      let session = Session()
      session.keyRepeat = own
      let devices = try LiveDevices(.paths([]))
      devices.keyRepeat = device
      try devices.run(into: session)
      #expect(session.keyRepeat == result)
    }
  }

  @Test func liveKeysHaveTheLayoutUnlessTheSessionHasOne() throws {
    let session = Session()
    try LiveDevices(.paths([])).run(into: session)
    let found = try #require(session.keyTranslator)
    try LiveDevices(.paths([])).run(into: session)
    #expect(session.keyTranslator === found)
    let gestures = try LiveDevices(.paths([]))
    gestures.eventKinds = .gesture
    let other = Session()
    try gestures.run(into: other)
    #expect(other.keyTranslator == nil)
  }

  @Test func theLayoutOfThisComputerIsFound() throws {
    #expect(try XkbKeyTranslator().layout == XkbKeyTranslator.find().translator.layout)
  }
}

/// In a process of its own, for its environment.
@Suite struct LiveKeyExitTests {
  @Test func aLayoutXkbDoesNotKnowIsReported() async {
    await #expect(processExitsWith: .success) {
      setenv("XKB_DEFAULT_LAYOUT", "xx", 1)
      let devices = try LiveDevices(.paths([]))
      var warnings: [String] = []
      devices.didWarn = { warnings.append($0) }
      let session = Session()
      devices.giveLayout(to: session)
      #expect(session.keyTranslator?.layout == KeyboardLayout())
      let warning = try #require(warnings.first)
      #expect(warnings.count == 1)
      #expect(warning.hasPrefix("keys have the text of xkb's default layout: "))
      #expect(warning.contains("'xx'"))
    }
  }
}
