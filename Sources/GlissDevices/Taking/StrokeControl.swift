import CLinux
package import GlissEvents

/// Numbers of fingers.
package struct FingerCounts: OptionSet, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ counts: some Sequence<Int>) {
    self.init(rawValue: counts.reduce(0) { (1...7).contains($1) ? $0 | 1 << UInt8($1) : $0 })
  }

  package func contains(_ count: Int) -> Bool {
    (1...7).contains(count) && rawValue & 1 << UInt8(count) != 0
  }

  /// In ascending order.
  package var counts: [Int] { (1...7).filter(contains) }

  /// The strokes that can be hidden: desktops act on those of fewer fingers too early.
  package static let takeable = FingerCounts(3...5)
}

/// Whether a stroke stays hidden from the desktop.
package struct StrokeVerdict: Hashable, Sendable, BitwiseCopyable {
  /// A time at which the stroke was under way.
  package var time: EventTime
  /// Whether it stays hidden until its fingers lift. Otherwise the desktop gets the rest of it.
  package var isKept: Bool
  /// The touchpad of the stroke; `nil` for any. gliss.lua does not know it.
  package var device: DeviceID?

  package init(time: EventTime, isKept: Bool, device: DeviceID? = nil) {
    self.time = time
    self.isKept = isKept
    self.device = device
  }
}

/// Hides strokes from the desktop while rules may want them.
package protocol StrokeTaking: AnyObject {
  /// Hides strokes with `now` fingers until a verdict, and is ready for those with `ever` fingers.
  /// If both are empty, nothing is hidden any more.
  func take(_ now: FingerCounts, of ever: FingerCounts) throws(SystemError)
  func decide(_ verdict: StrokeVerdict)
}

/// The virtual device from which gliss.lua, in the desktop's libinput, learns which strokes to
/// hide. That file describes the protocol. Desktops without the file ignore the events.
package final class StrokeControl: StrokeTaking {
  private var device: VirtualDevice?
  private var ever: FingerCounts = []
  private var now: FingerCounts = []
  /// Repeats the current state: a desktop may open the device only after it was first written.
  private var timer: LoopTimer?
  private var due: ArraySlice<EventTime> = []

  /// When the state is written again after the device was made, in ms.
  private static let repeats = [500.0, 2000, 8000]

  package init(on loop: InputLoop) throws(SystemError) {
    timer = try LoopTimer(on: loop) { [unowned self] in
      wait(for: due.dropFirst())
      writeNow()
    }
  }

  package func take(_ now: FingerCounts, of ever: FingerCounts) throws(SystemError) {
    if ever != self.ever {
      device?.close()
      device = nil
      (self.ever, self.now) = ([], [])
      wait(for: [])
      if ever.isEmpty { return }
      device = try VirtualDevice(
        Self.description(ever),
        others: [.miscellaneous: [Code.serial, Code.gesture, Code.raw]], place: "control")
      (self.ever, self.now) = (ever, ever)
      let created = InputLoop.now
      wait(for: Self.repeats.map { created + .milliseconds($0) }[...])
    }
    guard now != self.now else { return }
    self.now = now
    writeNow()
  }

  private func wait(for times: ArraySlice<EventTime>) {
    due = times
    timer?.due = times.first
  }

  private func writeNow() { write([(Code.gesture, Int32(now.rawValue))]) }

  package func decide(_ verdict: StrokeVerdict) {
    let time = Int32(truncatingIfNeeded: verdict.time.microseconds)
    write([(Code.serial, time), (Code.raw, verdict.isKept ? 1 : 2)])
  }

  private func write(_ messages: [(code: UInt16, value: Int32)]) {
    let events = messages.map {
      EvdevEvent(time: .zero, type: .miscellaneous, code: $0.code, value: $0.value)
    }
    // if this fails, the desktop gets every stroke
    try? device?.write(events + [.report(at: .zero)])
  }

  /// The codes of `EV_MSC`.
  private enum Code {
    static let serial = UInt16(MSC_SERIAL)
    static let gesture = UInt16(MSC_GESTURE)
    static let raw = UInt16(MSC_RAW)
  }

  package static let name = "Gliss control"

  /// udev ignores devices without a key, so it has one that is never pressed.
  private static func description(_ ever: FingerCounts) -> Device {
    Device(
      name: name,
      identifier: Device.Identifier(
        bus: UInt16(BUS_VIRTUAL), vendor: 0x676c, product: 0x1000 | UInt16(ever.rawValue),
        version: 1),
      keys: [.unknown])
  }
}
