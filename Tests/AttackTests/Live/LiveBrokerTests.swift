import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

/// `glissd` as its unit runs it, on devices that the kernel makes for the test.
@Suite(
  .serialized, .timeLimit(.minutes(15)),
  .enabled(if: Live.isInGuest, "these run in tools/test live, in a machine of their own"))
struct LiveBrokerTests {
  private static let keyboard = Device(
    name: "Gliss Keyboard", identifier: .init(bus: 3, vendor: 0x6c73, product: 7, version: 1),
    keys: Set((1...127).map { Key(rawValue: $0) }))

  private static let swipe = Stroke.swipe(fingers: 3, direction: .left, distance: 40)
    .trace(on: .medium, seed: 1)
  private static let pinch = Stroke.pinch(from: 20, to: 50).trace(on: .medium, seed: 2)

  /// A keyboard and a pad that `glissd` reads.
  private struct Desk {
    let house: House
    let keyboard: VirtualDevice
    let pad: VirtualDevice

    init() throws {
      house = try House(.unit)
      keyboard = try VirtualDevice.settled(LiveBrokerTests.keyboard)
      var device = LiveBrokerTests.swipe.device
      device.name = "Gliss Pad"
      pad = try VirtualDevice.settled(device)
      let root = try house.client(as: nil)
      var status = ""
      while !status.contains("Gliss Keyboard") || !status.contains("Gliss Pad") {
        root.say(#"{"method":"org.gliss.Broker.Status"}"#)
        status = try root.hear("devices")
      }
      root.stop()
    }

    func type(_ keys: Key..., together: Bool = false) throws {
      for key in keys {
        try write(key, 1)
        if !together { try write(key, 0) }
      }
      if together { for key in keys.reversed() { try write(key, 0) } }
    }

    private func write(_ key: Key, _ value: Int32) throws {
      try keyboard.write(.key(key, value, at: .zero))
      try keyboard.write(.report(at: .zero))
    }

    /// Plays so much of a stroke.
    func play(_ trace: Trace, part: Double = 1) throws {
      // a stroke begins in the first slot, and the one before has ended in another
      try pad.write(.absolute(.slot, 0, at: .zero))
      try pad.play(trace.events.prefix(Int(Double(trace.events.count) * part)))
    }
  }

  private func key(_ name: String) throws -> Key { try #require(Key(name: name)) }

  @Test func eachSeesWhatItWasGrantedAndNothingElse() throws {
    let desk = try Desk()
    let house = desk.house
    let (a, volume) = (try key("KEY_A"), try key("KEY_VOLUMEUP"))
    let (meta, t) = (try key("KEY_LEFTMETA"), try key("KEY_T"))

    let hotkey = try house.client(Scopes.hotkey("super+t"))
    try hotkey.hear("registered")
    let refused = try house.client(Scopes.monitor(Scopes.everything))
    try refused.hear("NotGranted")
    try house.grant("--tier", "gesture", "--device", "Gliss Pad")
    let gestures = try house.client(Scopes.monitor(Scopes.everything))
    try gestures.hear("verdict")

    try desk.type(a, volume)
    try desk.type(meta, t, together: true)
    try desk.play(Self.swipe)
    try gestures.hear(#""gesture":"swipe","phase":"ended""#)
    try desk.play(Self.pinch)
    try gestures.hear(#""gesture":"pinch","phase":"ended""#)
    try hotkey.hear("pressed")
    try hotkey.hear("released")
    try desk.type(t, a)

    // gestures and one class of keys
    try house.grant("--tier", "raw", "--events", "key", "--keys", "media")
    let media = try house.client(Scopes.monitor(Scopes.keys))
    try media.hear("verdict")
    try desk.type(a, volume, t, volume, a)
    for _ in 0..<2 {
      try media.hear(#""KEY_VOLUMEUP","state":"down""#)
      try media.hear(#""KEY_VOLUMEUP","state":"up""#)
    }

    #expect(try house.gliss("grants", "revoke", "--client", house.heckler, "--all").status == 0)
    try gestures.hear("NotGranted")
    try media.hear("NotGranted")
    try desk.play(Self.swipe)
    #expect(hotkey.said.count == 3, "\(hotkey.said)")
    #expect(refused.said.count == 1)
    #expect(media.said.count { $0.contains("KEY_") } == 4, "\(media.said)")
    #expect(!media.said.joined().contains("KEY_A") && !media.said.joined().contains("gesture\":"))
    for word in ["KEY_", "touch", "centroid", "position", "Keyboard"] {
      #expect(!gestures.said.joined().contains("\"\(word)"), "\(word)")
    }
  }

  @Test func behindALockNobodyIsShownAnything() throws {
    let desk = try Desk()
    try desk.house.grant("--tier", "gesture")
    let client = try desk.house.client(Scopes.monitor(Scopes.gestures))
    try client.hear("verdict")
    let locker = try desk.house.start(["lock", "--", "/bin/cat"], as: Theatre.user)
    try client.hear(#""locked""#)
    try desk.play(Self.swipe)
    locker.hangUp()
    #expect(try locker.end() == 0)
    try client.hear(#""active""#)
    try desk.play(Self.pinch)
    try client.hear(#""gesture":"pinch","phase":"ended""#)
    #expect(!client.said.joined().contains("swipe"))
  }

  @Test func aGestureThatIsCutOffIsCancelled() throws {
    let desk = try Desk()
    try desk.house.grant("--tier", "gesture")
    let client = try desk.house.client(Scopes.monitor(Scopes.gestures))
    try client.hear("verdict")
    try desk.play(Self.swipe, part: 0.7)
    try client.hear(#""phase":"changed""#)
    desk.pad.close()
    try client.hear(#""phase":"cancelled""#)
  }

  @Test func aClientKilledDuringAGestureIsNoticed() throws {
    let desk = try Desk()
    try desk.house.grant("--tier", "gesture")
    let client = try desk.house.client(Scopes.monitor(Scopes.gestures))
    try client.hear("verdict")
    try desk.play(Self.swipe, part: 0.7)
    try client.hear(#""phase":"changed""#)
    desk.house.daemon.kill(SIGKILL)
    try client.hear("!closed")
    // the fingers that lie there are none of the next one's gestures
    try desk.house.restart()
    let again = try desk.house.client(Scopes.monitor(Scopes.gestures))
    try again.hear("verdict")
  }

  /// Linux before 6.5 has no SO_PEERPIDFD. That a number which another has by now is not trusted is tested where
  /// numbers can be made up (GlissBrokerTests, Peers).
  @Test func howProgramsAreKnownIsSaid() throws {
    let house = try House(.unit)
    let doctor = try house.gliss("doctor", "--format", "json", as: Theatre.user)
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: &name.release) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let isOld = release.compare("6.5", options: .numeric) == .orderedAscending
    #expect(
      doctor.text.contains(
        isOld ? "it identifies programs by pid and start time" : "SO_PEERPIDFD)"),
      "\(release): \(doctor.text)")
    #expect(doctor.text.contains("the session is active"))
  }
}
