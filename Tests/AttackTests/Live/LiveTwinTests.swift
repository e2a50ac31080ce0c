import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

/// `glissd` as its unit runs it, where root has chosen twins of touchpads.
@Suite(
  .serialized, .timeLimit(.minutes(15)),
  .enabled(if: Live.isInGuest, "these run in tools/test live, in a machine of their own"))
struct LiveTwinTests {
  private static let take =
    #"{"method":"org.gliss.Broker.TakeStrokes","parameters":{"fingers":[3]}}"#

  private func ownTouchpads() throws -> [FoundDevice] {
    try DeviceFinder().devices().filter { $0.isOwn && $0.classes.contains(.touchpad) }
  }

  @Test func thereIsATwinWhileAProgramHidesStrokes() throws {
    try TwinSwitch.system.turnOn()
    defer { _ = try? TwinSwitch.system.turnOff() }
    // as packaging/gliss.udev does
    try #require(chmod("/dev/uinput", 0o666) == 0)
    var device = Stroke.swipe(fingers: 3, direction: .left, distance: 40).trace(on: .large, seed: 1)
      .device
    device.name = "Gliss Pad"
    let pad = try VirtualDevice.settled(device)
    let house = try House(.unit)
    try house.grant("--tier", "post")
    #expect(try ownTouchpads().isEmpty)
    var answer = try house.gliss("take")
    #expect(answer.status == 0 && answer.text.contains("no rule consumes"), "\(answer.text)")

    let client = try house.client(as: Theatre.user, Self.take)
    try client.hear("parameters")
    try wait(for: "a twin") { try !ownTouchpads().isEmpty }
    let twin = try #require(try ownTouchpads().first)
    #expect(twin.name == "Gliss Pad" && twin.identifier == device.identifier)
    answer = try house.gliss("take")
    #expect(answer.status == 0 && answer.text.contains("reads twins"), "\(answer.text)")
    try wait(for: "the pad to be grabbed") {
      answer = try house.gliss("doctor", "--format", "json")
      return answer.text.contains(
        "(Gliss Pad), and the desktop reads its twin")
    }
    let root = try house.client(as: nil, #"{"method":"org.gliss.Broker.Status"}"#)
    let status = try root.hear("devices")
    #expect(status.components(separatedBy: "Gliss Pad").count == 2, "the twin is read: \(status)")
    root.stop()

    // a reload without the switch
    #expect(try house.gliss("take", "off").status == 0)
    house.daemon.kill(SIGHUP)
    try wait(for: "no twin") { try ownTouchpads().isEmpty }
    try TwinSwitch.system.turnOn()
    house.daemon.kill(SIGHUP)
    try wait(for: "a twin again") { try !ownTouchpads().isEmpty }
    // and the client's end
    client.kill(SIGKILL)
    try wait(for: "no twin") { try ownTouchpads().isEmpty }
    pad.close()
  }
}
