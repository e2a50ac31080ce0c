import CLibevdev
import CLinux
import Glibc
import GlissEvents

/// The keyboard that a desktop reads in the place of one that is grabbed: the same name but for a word, the same make, keys,
/// wheels and lights.
///
/// It does not repeat keys by itself: the repeats of the keyboard are passed on. What the desktop tells it to show, its
/// lights for one, is shown on the keyboard.
struct Twin: ~Copyable {
  private let device: VirtualDevice
  /// Where the keyboard's lights are; -1 where they cannot be written to.
  private let lights: Int32
  private var output: [input_event] = []

  /// Desktops open it a while after that.
  static let settling = EventInterval.milliseconds(1000)
  /// They read what was passed on last before it is unplugged, for then the kernel keeps nothing for them.
  static let lingering = EventInterval.milliseconds(500)

  /// - Throws: where `/dev/uinput` may not be written.
  init(of reader: EvdevReader) throws(DeviceError) {
    var twin = reader.device
    twin.name += " (Gliss)"
    twin.keys.insert(GrabMachine.mask)
    var others = reader.otherCodes
    others[.repetition] = nil
    device = try VirtualDevice(twin, place: "twin", others: others)
    let flags = fcntl(reader.descriptor, F_GETFL)
    lights = flags >= 0 && flags & O_ACCMODE == O_RDWR ? reader.descriptor : -1
    output.reserveCapacity(64)
  }

  /// What the desktop tells it can be read here.
  var descriptor: Int32 { device.descriptor }
  var path: String { device.path }

  mutating func write(_ events: [EvdevEvent]) {
    output.removeAll(keepingCapacity: true)
    for event in events { output.append(input_event(event)) }
    // one that the watchdog has unplugged takes nothing more
    try? device.write(output)
  }

  /// Shows on the keyboard what the desktop has told.
  func showLights() {
    withUnsafeTemporaryAllocation(of: input_event.self, capacity: 16) { room in
      let size = MemoryLayout<input_event>.stride
      let bytes = read(device.descriptor, room.baseAddress, room.count * size)
      guard bytes > 0, lights >= 0 else { return }
      for event in room.prefix(bytes / size) {
        let type = EvdevType(rawValue: event.type)
        guard type == .light || type == .sound else { continue }
        var told = [
          input_event(EvdevEvent(time: .zero, type: type, code: event.code, value: event.value)),
          input_event(.report(at: .zero)),
        ]
        _ = Glibc.write(lights, &told, 2 * size)
      }
    }
  }

  func close() { device.close() }
}
