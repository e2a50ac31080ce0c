import Foundation
import GlissEvents
import TestSupport
import Testing

@testable import GlissDevices

/// Where the layout comes from, on buses and in files of the test's own.
@Suite struct LayoutSearchTests {
  private static let noBus = "unix:path=/nonexistent/bus"

  /// A search that finds nothing anywhere.
  private static func search(
    environment: [String: String] = [:], bus: String = noBus, file: String = "/nonexistent/file",
    patience: Double = 10_000
  ) -> LayoutSearch {
    var search = LayoutSearch()
    (search.environment, search.busAddress, search.defaultsFile) = (environment, bus, file)
    search.patience = .milliseconds(patience)
    return search
  }

  private static func withFile<Result>(
    _ text: String, _ body: (String) throws -> Result
  ) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try text.write(to: file, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
  }

  private static let environment = [
    "XKB_DEFAULT_LAYOUT": "fr", "XKB_DEFAULT_VARIANT": "bepo", "XKB_DEFAULT_MODEL": "pc104",
    "XKB_DEFAULT_OPTIONS": "compose:ralt", "XKB_DEFAULT_RULES": "base",
  ]

  @Test func theRequestedLayoutComesFirst() throws {
    let found = try KeyboardLayout.find(
      explicit: "us:intl", in: Self.search(environment: Self.environment))
    #expect(found.source == .explicit)
    #expect(found.layout == KeyboardLayout(layout: "us", variant: "intl"))
    #expect(throws: SystemError.self) {
      try KeyboardLayout.find(explicit: "us:", in: Self.search())
    }
  }

  @Test func thenTheEnvironment() throws {
    try Self.withFile("XKBLAYOUT=de") { file in
      let found = try KeyboardLayout.find(
        in: Self.search(environment: Self.environment, file: file))
      #expect(found.source == .environment)
      #expect(
        found.layout
          == KeyboardLayout(
            rules: "base", model: "pc104", layout: "fr", variant: "bepo", options: "compose:ralt"))
    }
  }

  @Test func thenTheFile() throws {
    try Self.withFile("XKBLAYOUT=\"de,us\"\nXKBVARIANT=neo,\nXKBMODEL=pc105\nXKBOPTIONS=''\n") {
      file in
      // an environment that names no layout is passed over
      let found = try KeyboardLayout.find(
        in: Self.search(environment: ["XKB_DEFAULT_OPTIONS": "ctrl:nocaps"], file: file))
      #expect(found.source == .defaultsFile)
      #expect(
        found.layout == KeyboardLayout(model: "pc105", layout: "de,us", variant: "neo,"))
    }
  }

  @Test func aFileThatCannotBeReadIsPassedOver() throws {
    // a pipe nobody writes to
    let pipe = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    for file in ["/etc", pipe] {
      let found = try KeyboardLayout.find(in: Self.search(file: file))
      #expect(found.source == .standard)
    }
    // more than anybody writes
    try Self.withFile(String(repeating: "# x\n", count: 50_000) + "XKBLAYOUT=de\n") { file in
      let found = try KeyboardLayout.find(in: Self.search(file: file))
      #expect(found.source == .standard)
    }
  }

  @Test func thenNobody() throws {
    try Self.withFile("XKBMODEL=pc105\nXKBLAYOUT=\n") { file in
      for search in [Self.search(), Self.search(file: file)] {
        let found = try KeyboardLayout.find(in: search)
        #expect(found.source == .standard)
        #expect(found.layout == KeyboardLayout())
      }
    }
  }

  @Test func theMachinesOwnPlacesCanBeAsked() throws {
    let found = try KeyboardLayout.find()
    #expect(found.layout.layout.isEmpty == (found.source == .standard))
  }

  @Test(.enabled(if: FakeServices.isAvailable, "dbus, python3-dbus and python3-gi are needed"))
  func locale1ComesBeforeTheFile() throws {
    let bus = try FakeServices()
    try bus.serveLocale(
      """
      {"Locale": dbus.Array(["LANG=C"], signature="s"), "X11Layout": "de,us", "X11Model": "pc105",
       "X11Variant": "nodeadkeys,", "X11Options": "terminate:ctrl_alt_bksp", "VConsoleKeymap": ""}
      """)
    try Self.withFile("XKBLAYOUT=ru") { file in
      let found = try KeyboardLayout.find(in: Self.search(bus: bus.address, file: file))
      #expect(found.source == .locale1)
      #expect(
        found.layout
          == KeyboardLayout(
            model: "pc105", layout: "de,us", variant: "nodeadkeys,",
            options: "terminate:ctrl_alt_bksp"))
      let asked = try KeyboardLayout.find(
        in: Self.search(environment: Self.environment, bus: bus.address, file: file))
      #expect(asked.source == .environment)
    }
  }

  @Test(
    .enabled(if: FakeServices.isAvailable, "dbus, python3-dbus and python3-gi are needed"),
    arguments: [
      // none set
      #"{"X11Layout": "", "X11Model": "pc105"}"#,
      // nothing of a keyboard, and nothing at all
      #"{"Locale": dbus.Array([], signature="s")}"#, #"dbus.Dictionary({}, signature="sv")"#,
      // what no locale1 would say
      #"{"X11Layout": dbus.Int32(5), "X11Model": dbus.Array([1, 2], signature="i")}"#,
    ])
  func aLocale1WithoutALayoutIsPassedOver(answer: String) throws {
    let bus = try FakeServices()
    try bus.serveLocale(answer)
    let found = try KeyboardLayout.find(in: Self.search(bus: bus.address))
    #expect(found.source == .standard)
  }

  @Test(.enabled(if: FakeServices.isAvailable, "dbus, python3-dbus and python3-gi are needed"))
  func aBusWithoutLocale1IsNoError() throws {
    let bus = try FakeServices()
    #expect(Self.search(bus: bus.address, patience: 10_000).askLocale1() == nil)
  }

  @Test(
    .enabled(if: FakeServices.isAvailable, "dbus, python3-dbus and python3-gi are needed"),
    .timeLimit(.minutes(15)))
  func aLocale1ThatNeverAnswersIsNotWaitedFor() throws {
    let bus = try FakeServices()
    try bus.serveLocale("None")
    #expect(Self.search(bus: bus.address, patience: 50).askLocale1() == nil)
  }

  @Test(.timeLimit(.minutes(15))) func aBusThatSaysNothingIsNotWaitedFor() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "mute-\(UUID())").path
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(listener)
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0 && listen(listener, 1) == 0)
    let search = Self.search(bus: "unix:path=\(path)", patience: 50)
    #expect(search.askLocale1() == nil)
  }

  @Test(arguments: ["", "nonsense", "unix:path=/etc/passwd", "tcp:", noBus])
  func anAddressWithNoBusIsNoError(address: String) {
    #expect(Self.search(bus: address, patience: 1000).askLocale1() == nil)
  }
}
