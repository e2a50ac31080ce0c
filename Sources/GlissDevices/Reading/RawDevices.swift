import Glibc
package import GlissEvents

/// The events of some devices as the kernel reports them, for recordings. Nothing is grabbed.
package final class RawDevices {
  package struct Member {
    package let found: FoundDevice
    package let device: Device
    /// The codes it supports besides keys and axes, such as switches, by type.
    package let otherCodes: [EvdevType: [UInt16]]
  }

  /// All devices in the order they were opened, including those that have gone since.
  package private(set) var members: [Member] = []
  /// Called with each event and its device's index in ``members``.
  package var didRead: ((EvdevEvent, Int) -> Void)?
  /// Called with the index of a device that can no longer be read, and with the reason if the
  /// device is still present.
  package var didLose: ((Int, RefusedDevice?) -> Void)?

  /// The loop that waits for the devices. Other descriptors may be added.
  package let loop: InputLoop
  private var readers: [Int: EvdevReader] = [:]
  private var pastLossCount = 0

  /// - Throws: If the process cannot open more descriptors.
  package init() throws(SystemError) { loop = try InputLoop() }

  deinit { for reader in readers.values { loop.unwatch(reader.descriptor) } }

  package var isEmpty: Bool { readers.isEmpty }

  /// How often the kernel dropped events because they were not read in time.
  package var lossCount: Int { readers.values.reduce(pastLossCount) { $0 + $1.lossCount } }

  /// Opens a device.
  ///
  /// - Returns: Why it cannot be read; `nil` on success.
  package func add(_ found: FoundDevice) -> RefusedDevice? {
    do throws(DeviceNode.Refusal) {
      let descriptor = try DeviceNode.open(found.path)
      try DeviceNode.use(found.path) { () throws(SystemError) in
        let reader = try EvdevReader(descriptor: descriptor, isOwned: true)
        let index = members.count
        try loop.watch(descriptor) { [unowned self] in read(index) }
        readers[index] = reader
        members.append(
          Member(found: found, device: reader.device, otherCodes: reader.otherCodes))
      }
      return nil
    } catch {
      return RefusedDevice(found, error.reason)
    }
  }

  /// Waits for events or until `time`, and delivers them.
  ///
  /// - Throws: If waiting fails.
  package func turn(until time: EventTime?) throws(SystemError) {
    // fingers that touched the device when it was opened
    for (index, reader) in readers where reader.hasEvents { deliver(reader, index) }
    try loop.wait(until: time)
  }

  private func read(_ index: Int) {
    guard let reader = readers[index] else { return }
    switch reader.read() {
    case .events: deliver(reader, index)
    case .nothing: break
    case .gone: lose(index, 0)
    case .failed(let code): lose(index, code)
    }
  }

  private func deliver(_ reader: EvdevReader, _ index: Int) {
    while let event = reader.next() { didRead?(event, index) }
  }

  private func lose(_ index: Int, _ code: Int32) {
    guard let reader = readers.removeValue(forKey: index) else { return }
    pastLossCount += reader.lossCount
    loop.unwatch(reader.descriptor)
    didLose?(index, code == 0 ? nil : RefusedDevice(members[index].found, .failed(code)))
  }
}
