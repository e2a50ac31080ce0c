import CLibevdev
import CLinux
import Glibc
import GlissEvents

/// The virtual keyboard a desktop reads in place of a grabbed one. It has the same name with a
/// suffix, the same identifiers, keys, wheels and lights.
///
/// It does not repeat keys itself; the keyboard's repeats are passed on. What the desktop writes to
/// it, such as light states, is written to the keyboard.
struct Twin: ~Copyable {
  private let device: VirtualDevice
  /// The descriptor to write the keyboard's lights to; -1 if it is not writable.
  private let lights: Int32
  private var output: [input_event] = []

  /// How long desktops take to open it.
  static let settling = EventInterval.milliseconds(1000)
  /// How long it stays plugged in once it is no longer used. Desktops read the last events in that
  /// time, because the kernel discards unread events when a device is unplugged.
  static let lingering = EventInterval.milliseconds(500)

  /// - Throws: If `/dev/uinput` is not writable.
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

  /// Readable when the desktop has written to the twin.
  var descriptor: Int32 { device.descriptor }
  var path: String { device.path }

  mutating func write(_ events: [EvdevEvent]) {
    output.removeAll(keepingCapacity: true)
    for event in events { output.append(input_event(event)) }
    // a twin that the watchdog has unplugged accepts no more events
    try? device.write(output)
  }

  /// Applies what the desktop has written to the keyboard.
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

/// A bit set of keys. It holds as many as the kernel has, without allocating.
struct KeySet: Equatable, Sendable {
  private static let wordCount = 12
  /// `KEY_CNT`.
  static let capacity = wordCount * 64

  private var words = InlineArray<12, UInt64>(repeating: 0)

  init() {}

  init(_ keys: some Sequence<Key>) { for key in keys { insert(key) } }

  /// The kernel's format: the lowest bit of the first byte is key 0.
  init(bytes: some Sequence<UInt8>) {
    for (index, byte) in bytes.enumerated() where index < Self.capacity / 8 {
      words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
    }
  }

  static func == (a: KeySet, b: KeySet) -> Bool {
    (0..<wordCount).allSatisfy { a.words[$0] == b.words[$0] }
  }

  var isEmpty: Bool { (0..<Self.wordCount).allSatisfy { words[$0] == 0 } }

  /// The keys in numeric order.
  var keys: [Key] {
    (0..<UInt16(Self.capacity)).map { Key(rawValue: $0) }.filter { contains($0) }
  }

  func contains(_ key: Key) -> Bool {
    guard let (word, bit) = Self.place(key) else { return false }
    return words[word] & bit != 0
  }

  /// Ignores keys beyond the kernel's range.
  mutating func insert(_ key: Key) {
    if let (word, bit) = Self.place(key) { words[word] |= bit }
  }

  /// Returns whether the key was in the set.
  @discardableResult
  mutating func remove(_ key: Key) -> Bool {
    guard let (word, bit) = Self.place(key), words[word] & bit != 0 else { return false }
    words[word] &= ~bit
    return true
  }

  mutating func removeAll() { words = InlineArray(repeating: 0) }

  private static func place(_ key: Key) -> (Int, UInt64)? {
    let number = Int(key.rawValue)
    return number < capacity ? (number / 64, 1 << UInt64(number % 64)) : nil
  }
}
