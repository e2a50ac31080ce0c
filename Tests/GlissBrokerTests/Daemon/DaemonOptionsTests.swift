import GlissDevices
import Testing

@testable import GlissBroker

@Suite struct DaemonOptionsTests {
  @Test func withoutOptionsThePathsAreTheMachines() throws {
    guard case .run(let options) = try DaemonOptions.parse([String]()) else {
      Issue.record("it does not run")
      return
    }
    #expect(options == DaemonOptions())
    #expect(options.socket == "/run/gliss/org.gliss.Broker" && options.store == "/var/lib/gliss")
    #expect(options.rule(hasLogind: true) == .logind(busAddress: nil))
    #expect(options.rule(hasLogind: false) == .terminals)
  }

  @Test func everyOptionCounts() throws {
    let words = [
      "--socket", "/a/s", "--store=/b=c", "--user", "7", "--no-logind", "--bus", "unix:path=/d",
    ]
    guard case .run(let options) = try DaemonOptions.parse(words) else {
      Issue.record("it does not run")
      return
    }
    #expect(options.socket == "/a/s" && options.store == "/b=c" && options.bus == "unix:path=/d")
    #expect(options.user == 7 && options.ignoresLogind)
    #expect(options.rule(hasLogind: true) == .user(7))
  }

  @Test func logindIsAskedOnTheNamedBusUnlessIgnored() throws {
    var options = DaemonOptions()
    options.bus = "unix:path=/d"
    #expect(options.rule(hasLogind: true) == .logind(busAddress: "unix:path=/d"))
    options.ignoresLogind = true
    #expect(options.rule(hasLogind: true) == .terminals)
  }

  @Test(
    arguments: [
      (["--help"], .printHelp), (["-h"], .printHelp), (["--version"], .printVersion),
      (["--no-logind", "--version", "--frob"], .printVersion),
    ] as [([String], DaemonOptions.Request)])
  func helpAndVersionAreRequests(words: [String], request: DaemonOptions.Request) throws {
    #expect(try DaemonOptions.parse(words) == request)
  }

  @Test(
    arguments: [
      ["--frob"], ["frob"], ["-x"], [""], ["--"], ["--socket"], ["--socket="], ["--socket", "a/b"],
      ["--socket", "/a\u{0}b"], ["--store", ""], ["--store", "a"], ["--user", "root"],
      ["--user", "-1"], ["--user", "4294967295"], ["--user", "4294967296"], ["--help=1"],
      ["--no-logind=yes"], ["--bus"],
    ])
  func anInvalidOptionIsReportedWithAdvice(words: [String]) throws {
    let error = #expect(throws: SystemError.self) { try DaemonOptions.parse(words) }
    #expect(error?.advice != nil)
  }

  @Test func theHelpNamesEveryOption() {
    for name in ["--socket", "--store", "--user", "--no-logind", "--bus", "--version", "--help"] {
      #expect(DaemonOptions.help.contains("  \(name) "))
    }
    #expect(DaemonOptions.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
