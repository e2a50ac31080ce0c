import CLibevdev
import CLinux
import Foundation
import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissDevices

extension LiveTests {
  /// What a twin costs. In a machine whose time is virtual, processor time counts instructions.
  @Suite struct TwinCostTests {
    /// What there is beside the bare reading of a pad.
    enum Company: CaseIterable {
      case nothing, twin
      /// A reader that writes each frame to another device, and does nothing else.
      case copier
    }

    @Test func aTwinCostsAboutAsMuchAsACopier() throws {
      var costs: [Company: Double] = [:]
      // the least of three, because what else the machine does adds as much as the copier costs
      for company in Company.allCases {
        costs[company] = try (0..<3).map { _ in try Self.cost(with: company) }.min()
      }
      let bare = try #require(costs[.nothing])
      let twin = try #require(costs[.twin]) - bare
      let copier = try #require(costs[.copier]) - bare
      print("µs a frame: reading \(bare), a twin beside it \(twin), a copier \(copier)")
      // about as much if optimized; this build is not, but the copier is mostly the kernel's work
      #expect(twin <= 15 * copier)
    }

    private static func cost(with company: Company) throws -> Double {
      let strokes = [
        Stroke.point(by: Vector2(x: 30, y: 10)), .drag(by: Vector2(x: 0, y: -30)),
        .swipe(fingers: 3, direction: .left, distance: 40),
      ].map { $0.trace(on: .large, seed: 1) }
      let frames = strokes.flatMap(\.events).split(after: \.isReport)
      let pad = try VirtualDevice.settled(strokes[0].device)
      let copier = company == .copier ? try Copier(of: pad, strokes[0].device) : nil
      let devices = try LiveDevices(.paths([pad.path]))
      var (isReady, next, begin, spent) = (company != .twin, 0, 0.0, 0.0)
      devices.didChangeTwin = { if case .grabbed = $0 { isReady = true } }
      if company == .twin { try devices.take(FingerCounts([3]), of: FingerCounts([3])) }
      let end = InputLoop.now + .milliseconds(60_000)
      var failure: (any Error)?
      devices.alarm = InputLoop.now + .milliseconds(1000)
      devices.didRing = {
        defer { devices.alarm = InputLoop.now + .milliseconds(8) }
        if next == 0 { begin = processorTime }
        guard isReady, next < frames.count, failure == nil else {
          spent = processorTime - begin
          if next > 0 || failure != nil || InputLoop.now > end { devices.stop() }
          return
        }
        do {
          try pad.write(Array(frames[next]))
          try copier?.copy()
        } catch {
          failure = error
        }
        next += 1
      }
      try devices.run(into: Session())
      if let failure { throw failure }
      try #require(next == frames.count)
      return spent / Double(frames.count)
    }

    /// Of this thread, in µs.
    private static var processorTime: Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1000
    }
  }

  private final class Copier {
    private let descriptor: Int32
    private let device: VirtualDevice
    private var buffer = [input_event](repeating: input_event(), count: 64)

    init(of pad: VirtualDevice, _ described: Device) throws {
      descriptor = open(pad.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(descriptor >= 0)
      device = try VirtualDevice(described)
    }

    deinit { close(descriptor) }

    /// Waits for a frame, as a loop does, and passes it on.
    func copy() throws {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, 0)
      while true {
        let bytes = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard bytes > 0 else { return }
        let written = buffer.withUnsafeBytes { write(device.descriptor, $0.baseAddress, bytes) }
        guard written == bytes else { throw SystemError(device.path, failed: errno) }
      }
    }
  }
}

extension Array {
  fileprivate func split(after isLast: (Element) -> Bool) -> [ArraySlice<Element>] {
    var (parts, start): ([ArraySlice<Element>], Int) = ([], startIndex)
    for index in indices where isLast(self[index]) {
      parts.append(self[start...index])
      start = index + 1
    }
    return parts
  }
}
