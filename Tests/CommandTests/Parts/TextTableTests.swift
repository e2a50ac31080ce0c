import Testing

@testable import gliss_cli

/// Tables with names that are longer than there is room for.
@Suite struct TextTableTests {
  private static let name = "unit:" + String(repeating: "a", count: 200) + ".service"

  private static func rows(on terminal: Terminal) -> [String] {
    TextTable(
      [.init("client", [name, "/usr/bin/foo"], isName: true)],
      last: .init("what", ["raw: touch", "gestures"]), on: terminal
    ).lines
  }

  @Test func aLongNameIsCutInsideOnATerminal() {
    var terminal = Terminal.plain
    terminal.isThere = true
    let rows = Self.rows(on: terminal)
    #expect(rows[1].hasPrefix("unit:aa") && rows[1].hasSuffix(".service  raw: touch"))
    #expect(rows[1].contains(Charset.current.text("…")) && rows.allSatisfy { $0.count <= 80 })
    #expect(rows[1].prefix { $0 != " " }.count <= 26)
  }

  @Test func aNameIsCompleteOnATerminalOnWhichAllFits() {
    var terminal = Terminal.plain
    terminal.isThere = true
    let name = "/usr/libexec/a-rather-long-name-of-a-program"
    let rows = TextTable(
      [.init("client", [name], isName: true)], last: .init("what", ["gestures"]), on: terminal
    ).lines
    #expect(rows[1] == "\(name)  gestures")
  }

  @Test func aLongNameIsCompleteInAPipeAndWidensNoOtherRow() {
    let rows = Self.rows(on: .plain)
    #expect(rows[1] == Self.name + "  raw: touch")
    #expect(rows[2] == "/usr/bin/foo".padded(80) + "  gestures")
  }
}
