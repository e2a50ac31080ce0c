import Foundation
import GlissDevices
import GlissEvents
import GlissSession
import TestSupport

@testable import GlissRecordings

/// A device and what it reported.
struct PlayedStroke {
  var device: Device
  var events: [EvdevEvent]

  init(device: Device, events: [EvdevEvent]) {
    self.device = device
    self.events = events
  }

  /// The only device of a recording.
  init(_ golden: GoldenRecording) throws {
    var recording = try Recording(path: golden.url.path)
    self.init(device: recording.devices[0], events: [])
    try recording.forEachEvent { entry, _ in
      events.append(entry.event)
      return true
    }
  }

  /// The gestures of a recording of it.
  func replayed() throws -> [GestureEvent] {
    try Recording(bytes: RecordingWriter.bytes(of: RecordedDevice(device), events)).gestures()
  }

  /// What comes of it when it is played into a device of the kernel's.
  struct Outcome {
    /// What came out of the kernel, of the same device.
    var raw: PlayedStroke
    /// What a live session told.
    var gestures: [GestureEvent]
  }

  /// Plays it into a device of its own that is read live.
  func played() throws -> Outcome {
    let plugged = try VirtualDevice.settled(device)
    let kernel = try KernelEvents(plugged.path)
    let reader = try LiveReader(plugged.path)
    let raw = PlayedStroke(device: device, events: try plugged.played(events, to: kernel))
    if let last = raw.events.last { try reader.wait(until: last.time) }
    let gestures = try reader.stop().compactMap { event -> GestureEvent? in
      if case .gesture(let gesture) = event { gesture } else { nil }
    }
    return Outcome(raw: raw, gestures: gestures)
  }
}

extension VirtualDevice {
  /// Plays `events`; what came out of the kernel.
  func played(_ events: [EvdevEvent], to kernel: KernelEvents) throws -> [EvdevEvent] {
    var raw: [EvdevEvent] = []
    var failure: (any Error)?
    try play(events) {
      // the kernel's queue holds a few packets only
      do { raw += try kernel.read() ?? [] } catch { failure = error }
    }
    if let failure { throw failure }
    return raw
  }
}

extension EvdevEvent {
  /// The event at another time, to be compared with others but for their times.
  func at(_ time: EventTime) -> EvdevEvent {
    EvdevEvent(time: time, type: type, code: code, value: value)
  }
}
