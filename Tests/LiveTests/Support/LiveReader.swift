import Foundation
import GlissDevices
import GlissEvents
import GlissSession
import TestSupport

/// Reads devices on a thread of its own and keeps what the session tells.
///
/// What both threads touch is changed and read under the lock of `changed`; of `devices` others call `stop()` only.
final class LiveReader: @unchecked Sendable {
  private let devices: LiveDevices
  private let changed = NSCondition()
  private var events: [InputEvent] = []
  private var refused: [RefusedDevice] = []
  private var added = 0
  private var newest = EventTime.zero
  private var result: Result<Void, SystemError>?

  /// Returns once `count` devices are read.
  init(_ selection: DeviceSelection, count: Int = 1) throws {
    devices = try LiveDevices(selection)
    devices.didAdd = { [unowned self] _, _ in note { added += 1 } }
    devices.didRefuse = { [unowned self] device in note { refused.append(device) } }
    devices.didHandle = { [unowned self] time in note { newest = max(newest, time) } }
    Thread.detachNewThread { self.run() }
    try wait(for: "\(count) devices to be read") { added >= count }
  }

  convenience init(_ path: String) throws { try self.init(.paths([path])) }

  private func run() {
    let session = Session()
    session.addHandler { [unowned self] event in note { events.append(event) } }
    let result = Result { () throws(SystemError) in try devices.run(into: session) }
    note { self.result = result }
  }

  private func note(_ change: () -> Void) {
    changed.withLock {
      change()
      changed.broadcast()
    }
  }

  private func wait(for what: String, until condition: () -> Bool) throws {
    try changed.withLock {
      let end = Date(timeIntervalSinceNow: 30)
      while !condition() {
        if let first = refused.first { throw Impatience("\(first)") }
        guard result == nil, changed.wait(until: end) else {
          throw Impatience("waited in vain for \(what)")
        }
      }
    }
  }

  /// Returns once everything up to `time` was handled.
  func wait(until time: EventTime) throws {
    try wait(for: "what happened at \(time.microseconds) µs to be read") { newest >= time }
  }

  /// Returns once the session has told something that `condition` holds for.
  func wait(for what: String, where condition: (InputEvent) -> Bool) throws {
    try wait(for: what) { events.contains(where: condition) }
  }

  /// Ends the reading; what the session told from beginning to end.
  func stop() throws -> [InputEvent] {
    devices.stop()
    try changed.withLock {
      let end = Date(timeIntervalSinceNow: 30)
      while result == nil, changed.wait(until: end) {}
      guard let result else { throw Impatience("the reader does not stop") }
      try result.get()
    }
    return events
  }
}
