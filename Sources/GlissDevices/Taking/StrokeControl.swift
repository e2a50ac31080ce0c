import CLinux
import Glibc
package import GlissEvents

package struct FingerCounts: OptionSet, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ counts: some Sequence<Int>) {
    self.init(rawValue: counts.reduce(0) { (1...7).contains($1) ? $0 | 1 << UInt8($1) : $0 })
  }

  package func contains(_ count: Int) -> Bool {
    (1...7).contains(count) && rawValue & 1 << UInt8(count) != 0
  }

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
        others: [.miscellaneous: [MSC_SERIAL, MSC_GESTURE, MSC_RAW].map { UInt16($0) }],
        place: "control")
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

  private func writeNow() { write([(MSC_GESTURE, Int32(now.rawValue))]) }

  package func decide(_ verdict: StrokeVerdict) {
    let time = Int32(truncatingIfNeeded: verdict.time.microseconds)
    write([(MSC_SERIAL, time), (MSC_RAW, verdict.isKept ? 1 : 2)])
  }

  private func write(_ messages: [(code: Int32, value: Int32)]) {
    let events = messages.map {
      EvdevEvent(time: .zero, type: .miscellaneous, code: UInt16($0.code), value: $0.value)
    }
    // if this fails, the desktop gets every stroke
    try? device?.write(events + [.report(at: .zero)])
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

/// Whether strokes are hidden by twins of touchpads: root's decision for the machine.
///
/// It is a file, which `glissd` looks for when it starts and at a reload.
package struct TwinSwitch: Hashable, Sendable {
  /// The folder, which may not exist yet and is removed with the file if it is empty then.
  package var folder: String

  package static let system = TwinSwitch(folder: "/etc/gliss")

  package init(folder: String) { self.folder = folder }

  package var path: String { "\(folder)/twin" }

  /// Whether the file exists, belongs to root or this user, and only its owner can write it.
  package var isOn: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && (status.st_uid == 0 || status.st_uid == geteuid()) && status.st_mode & 0o022 == 0
  }

  private static let contents =
    "# Touchpads have twins, which hide strokes from the desktop: 'gliss take on --twin', 'gliss take off'.\n"
  /// In a line of its own.
  private static let resting = "resting"

  /// Whether the desktop sees resting contacts as palms while there are twins.
  package var hidesResting: Bool {
    guard isOn else { return false }
    let bytes = FileBytes.start(of: path, upTo: 4096) ?? []
    return bytes.split(separator: UInt8(ascii: "\n"))
      .contains { $0.elementsEqual(Self.resting.utf8) }
  }

  package func turnOn(hidesResting: Bool = false) throws(SystemError) {
    try Folder.make(folder, mode: 0o755)
    let contents = Self.contents + (hidesResting ? "\(Self.resting)\n" : "")
    let code = FileBytes.replace(path, with: Array(contents.utf8), mode: 0o644)
    guard code == 0 else { throw SystemError(path, failed: code) }
  }

  /// - Returns: whether it was on.
  package func turnOff() throws(SystemError) -> Bool {
    guard unlink(path) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw SystemError(path, failed: errno)
    }
    rmdir(folder)
    return true
  }
}

/// Hides strokes the way that root has chosen: by the control for plugins, or by twins.
package final class StrokeChoice: StrokeTaking {
  private let control: any StrokeTaking
  private let twins: any StrokeTaking
  private var now: FingerCounts = []
  private var ever: FingerCounts = []
  private var isTwin = false

  package init(control: any StrokeTaking, twins: any StrokeTaking) {
    (self.control, self.twins) = (control, twins)
  }

  private var chosen: any StrokeTaking { isTwin ? twins : control }

  package func choose(twins isTwin: Bool) throws(SystemError) {
    try take(now, of: ever, twins: isTwin)
  }

  package func take(_ now: FingerCounts, of ever: FingerCounts) throws(SystemError) {
    try take(now, of: ever, twins: isTwin)
  }

  /// Only one way is used at a time: otherwise one would hide a stroke again that the other has
  /// given back.
  package func take(
    _ now: FingerCounts, of ever: FingerCounts, twins isTwin: Bool
  ) throws(SystemError) {
    (self.now, self.ever) = (now, ever)
    if isTwin != self.isTwin {
      // if this fails, the other way must not begin
      try chosen.take([], of: [])
      self.isTwin = isTwin
    }
    // also if nothing has changed, because the last attempt may have failed
    try chosen.take(now, of: ever)
  }

  package func decide(_ verdict: StrokeVerdict) { chosen.decide(verdict) }
}

extension DeviceFinder {
  /// All devices; none if they cannot be looked for.
  package static var all: [FoundDevice] { (try? DeviceFinder().devices()) ?? [] }

  package static var hasTwin: Bool { all.contains { $0.isOwn && $0.classes.contains(.touchpad) } }
}
