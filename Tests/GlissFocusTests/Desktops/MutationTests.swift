import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissFocus

/// Bytes of any kind, in any pieces, never trap; and pieces change nothing.
@Suite struct MutationTests {
  static let sway =
    SwayMachineTests.subscribed + swayFrame(4, SwayMachineTests.emptyTree)
    + SwayMachineTests.window("focus", SwayMachineTests.foot(1, "one", "Title, ü"))
    + SwayMachineTests.workspace("focus", focus: "[]")
  static let niri = Array((NiriMachineTests.beginning.joined(separator: "\n") + "\n").utf8)
  static let wayland: [UInt8] = {
    let script = WaylandScript(list: .cosmic)
    return script.globals + script.window(0xff00_0000, "one", active: true) + script.listed
      + script.window(0xff00_0001, "two") + script.closed(0xff00_0000)
  }()
  static let x11: [UInt8] = {
    var server = FakeXServer()
    var machine = X11Machine(nil)
    server.set(0x200, "WM_CLASS", Array("a\0b\0".utf8))
    var (sent, bytes): ([UInt8], [UInt8]) = ([], FakeXServer.setup)
    while !bytes.isEmpty {
      sent += bytes
      bytes = server.answer((try? machine.receive(bytes)) ?? [])
    }
    return sent
  }()

  private func end<Machine: FocusMachine>(
    _ machine: Machine, after bytes: [UInt8], _ random: inout RandomSource, longest: Int
  ) -> (focus: Focus, isRefused: Bool) {
    var machine = machine
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(random.integer(1...longest))
      rest = rest.dropFirst(piece.count)
      do { _ = try machine.receive(Array(piece)) } catch { return (machine.focus, true) }
    }
    return (machine.focus, false)
  }

  private func check<Machine: FocusMachine>(_ machine: Machine, _ bytes: [UInt8], _ name: String) {
    var random = Seed.source(name)
    let whole = end(machine, after: bytes, &random, longest: 1 << 20)
    #expect(!whole.isRefused && whole.focus != .unknown, "\(name)")
    for _ in 0..<50 {
      let pieces = end(machine, after: bytes, &random, longest: random.integer(1...40))
      #expect(pieces.focus == whole.focus && !pieces.isRefused, "\(name), \(Seed.advice)")
    }
    for _ in 0..<3000 {
      var changed = bytes
      for _ in 0..<random.integer(1...6) {
        let place = random.integer(0...changed.count - 1)
        switch random.integer(0...3) {
        case 0: changed[place] = UInt8(random.integer(0...255))
        case 1: changed.removeSubrange(place..<min(place + random.integer(1...9), changed.count))
        case 2: changed.insert(UInt8(random.integer(0...255)), at: place)
        case _: changed[place] = random.pick([0, 1, 0x7f, 0x80, 0xff, 0x22, 0x0a])
        }
        if changed.isEmpty { break }
      }
      _ = end(machine, after: changed, &random, longest: 64)
    }
  }

  @Test func swaySurvives() { check(SwayMachine(), Self.sway, "sway") }
  @Test func niriSurvives() { check(NiriMachine(), Self.niri, "niri") }
  @Test func waylandSurvives() { check(WaylandMachine(), Self.wayland, "wayland") }

  @Test func x11Survives() {
    var random = Seed.source("x11")
    for _ in 0..<3000 {
      var changed = Self.x11
      for _ in 0..<random.integer(1...6) {
        changed[random.integer(0...changed.count - 1)] = UInt8(random.integer(0...255))
      }
      _ = end(X11Machine(nil), after: changed, &random, longest: 64)
    }
  }
}
