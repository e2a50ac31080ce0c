import CLinux
import Foundation
import GlissDevices
import GlissEvents
import GlissSession
import TestSupport

/// Live reading with a script: its steps are done on the reading thread, one after the other, so that nothing is read
/// while one is under way.
final class Script {
  let session = Session()
  let ledger = Ledger()
  let devices: LiveDevices
  private(set) var events: [InputEvent] = []
  private(set) var refused: [RefusedDevice] = []
  private var steps: [() throws -> Void] = []
  private var failure: (any Error)?

  /// Long enough for what was written to be read, for udev too.
  static let pause = EventInterval.milliseconds(200)

  init(_ selection: DeviceSelection) throws {
    devices = try LiveDevices(selection)
    ledger.follow(session)
    session.addHandler { [unowned self] event in events.append(event) }
    devices.didRefuse = { [unowned self] device in refused.append(device) }
  }

  func step(_ body: @escaping () throws -> Void) { steps.append(body) }

  /// Reads, and does a step after each pause; ends after the last one's, or with the devices.
  func run() throws {
    var next = 0
    devices.alarm = InputLoop.now + Self.pause
    devices.didRing = { [unowned self] in
      guard next < steps.count, failure == nil else { return devices.stop() }
      do { try steps[next]() } catch { failure = error }
      next += 1
      devices.alarm = InputLoop.now + Self.pause
    }
    try devices.run(into: session)
    ledger.close()
    if let failure { throw failure }
  }

  var gestures: [GestureEvent] {
    events.compactMap { if case .gesture(let gesture) = $0 { gesture } else { nil } }
  }

  var touches: [TouchFrame] {
    events.compactMap { if case .touch(let frame) = $0 { frame } else { nil } }
  }

  var keys: [KeyEvent] {
    events.compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  var changes: [DeviceEvent.Change] {
    events.compactMap { if case .device(let event) = $0 { event.change } else { nil } }
  }
}

/// What this process holds of the system.
enum Holdings {
  static var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  /// Bytes of the heap in use. What is resident grows with every page of code that is run for the first time, too.
  static var memory: Int {
    let heap = mallinfo2()
    return Int(heap.uordblks + heap.hblkhd)
  }
}
