import ArgumentParser
import Foundation
import GlissEvents
import GlissGate
import Testing

@testable import gliss_cli

/// The words of the command line for grants.
@Suite struct GrantWordsTests {
  @Test(
    arguments: [
      ("once", .once), ("session", .session), ("never", .never), ("30m", .after(seconds: 1800)),
      ("8h", .after(seconds: 28_800)), ("1h30m", .after(seconds: 5400)),
      ("7d", .after(seconds: 604_800)), ("90s", .after(seconds: 90)),
      ("2100-01-02T03:04:05Z", .at(WallTime(seconds: 4_102_542_245))),
    ] as [(String, ExpiryArgument)])
  func lengthsAndDatesAreRead(_ text: String, _ expiry: ExpiryArgument) throws {
    #expect(try ExpiryArgument(words: text) == expiry)
  }

  @Test(arguments: [
    "", "8", "h", "0h", "-1h", "8 h", "8x", "1.5h", "99999999999h", "11111d", "2026-02-30",
    "2026-13-01", "2026-1-1", "2026-01-01T25:00", "2026-01-01T", "1960-01-01Z", "٣h", "tomorrow",
  ])
  func invalidTimesAreRefused(_ text: String) {
    #expect(throws: ValidationError.self) { try ExpiryArgument(words: text) }
  }

  @Test(arguments: ["99999999d", "0s"]) func theLimitsOfALengthAreNamed(_ text: String) {
    let error = #expect(throws: ValidationError.self) { try ExpiryArgument(words: text) }
    #expect(error?.description.contains("a length of 1s to 3650d") == true)
  }

  @Test func aTimeWithinTheHourHasSeconds() {
    let soon = WallTime(seconds: WallTime.now.seconds + 3)
    let late = WallTime(seconds: WallTime.now.seconds + 7200)
    #expect(ScopeSentence.describe(Expiry.at(soon)) == soon.localSecond)
    #expect(ScopeSentence.describe(Expiry.at(late)) == late.localMinute)
  }

  @Test func aTimeThatIsOverIsRefused() throws {
    let broker = try BrokerOptions.parse([])
    #expect(throws: ExitCode.self) {
      try ExpiryArgument.at(WallTime(seconds: 10)).expiry(from: broker)
    }
  }

  @Test(
    arguments: [
      ("media", .media), ("modifiers,media", [.modifiers, .media]), ("all", .all),
    ] as [(String, KeyClasses)])
  func classesOfKeysAreRead(_ text: String, _ classes: KeyClasses) throws {
    #expect(try GrantWords.keys(text) == classes)
  }

  @Test(arguments: ["", "media,", "letters", "media, typing"])
  func otherClassesAreRefused(_ text: String) {
    #expect(throws: (any Error).self) { try GrantWords.keys(text) }
  }

  @Test(
    arguments: [
      ("unit:foo", .unit("foo.service")), ("unit:foo.service", .unit("foo.service")),
      ("app:org.foo.Bar", .app("org.foo.Bar")), ("/gone/foo", .program("/gone/foo")),
      ("program:/gone/foo", .program("/gone/foo")),
    ] as [(String, Client)])
  func clientsThatAreKnownNeedNotBeThere(_ text: String, _ client: Client) throws {
    #expect(try ClientArgument(argument: text)?.find({ $0 }) == client)
  }

  @Test(arguments: ["", "unit:", "app:"])
  func invalidClientsAreRefused(_ text: String) { #expect(ClientArgument(argument: text) == nil) }

  @Test(arguments: ["unit:a/b", "app:a/b", "program:foo", "no-such-program-here", "./nothing"])
  func unknownClientsAreRefused(_ text: String) {
    #expect(throws: (any Error).self) { try ClientArgument(argument: text)?.resolved() }
  }

  @Test func programsAreNamedWithoutLinks() throws {
    let folder = try TemporaryFolder()
    let link = folder.url.appending(path: "link").path
    let program = URL(filePath: "/bin/ls").resolvingSymlinksInPath().path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/bin/ls")
    #expect(try ClientArgument(argument: link)?.resolved() == .program(program))
  }

  /// A program may have been replaced by a link since it was granted something.
  @Test func existingGrantsAreLookedForAsTypedFirst() throws {
    let folder = try TemporaryFolder()
    let link = folder.url.appending(path: "link").path
    let program = URL(filePath: "/bin/ls").resolvingSymlinksInPath().path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/bin/ls")
    func asked(_ text: String, isThere: Bool) throws -> [Client] {
      var asked: [Client] = []
      _ = try ClientArgument(argument: text)?.find(
        { (client: Client) throws -> Bool in
          asked.append(client)
          return isThere
        }, isEmpty: { (found: Bool) in !found })
      return asked
    }
    #expect(try asked(link, isThere: true) == [.program(link)])
    #expect(try asked(link, isThere: false) == [.program(link), .program(program)])
    #expect(try asked("program:" + link, isThere: false) == [.program(link)])
    #expect(try asked("/bin/../bin/ls", isThere: true) == [.program(program)])
  }

  @Test func aScriptIsNobody() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("#! /usr/bin/python3 -u\n", as: "script")
    #expect(throws: (any Error).self) { try ClientArgument(argument: path)?.resolved() }
  }

  @Test(arguments: [
    (Scope(tier: .gesture, events: .gesture), "gestures"),
    (Scope(tier: .post), "pressing keys and buttons"),
    (
      Scope(tier: .raw, events: [.key, .touch], devices: ["B", "A"], keys: [.media]),
      "raw: touch, key (media) of 'A', 'B'"
    ), (Scope(tier: .raw, events: .key, keys: .all), "raw: all keys"),
  ])
  func scopesAreWords(_ scope: Scope, _ words: String) {
    #expect(ScopeSentence.describe(scope) == words)
  }
}

/// What the doctor is made of.
@Suite struct BrokerPartsTests {
  @Test(arguments: [
    ("6.5.0-1-amd64", true), ("6.18.3", true), ("7.0-rc1", true), ("6.1.0-9", false),
    ("5.10.0", false), ("", false), ("odd", false),
  ])
  func peersHaveDescriptorsFromLinux65(_ release: String, _ has: Bool) {
    #expect(BrokerFindings.hasPeerDescriptors(release) == has)
  }
}
