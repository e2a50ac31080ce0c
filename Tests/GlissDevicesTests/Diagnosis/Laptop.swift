import GlissEvents

@testable import GlissDevices

extension Circumstances {
  /// A laptop on which all is well: a touchpad and a keyboard that its user, who sits before it, can read.
  static var laptop: Circumstances {
    var laptop = Circumstances()
    laptop.kernel = Kernel(
      release: "6.12.1", inputCount: 5, nodeCount: 4, hasInputFolder: true, isContainer: false)
    laptop.isUdevRunning = true
    laptop.libinput = "1.26"
    laptop.isRoot = true
    laptop.hasLogind = true
    laptop.login = Login(id: "2", seat: "seat0", isActive: true, isRemote: false, type: "wayland")
    laptop.devices = [.pad(), .keyboard()]
    laptop.layout = .found(KeyboardLayout(layout: "de"), .defaultsFile, groups: ["German"])
    return laptop
  }

  /// Nothing of `classes` can be read, for `reason`.
  mutating func refuse(_ reason: RefusedDevice.Reason, to classes: DeviceClasses) {
    for index in devices.indices where !devices[index].classes.isDisjoint(with: classes) {
      let found = devices[index].found
      devices[index].device = nil
      devices[index].refusal = RefusedDevice(
        path: found.path, name: found.name, reason: reason)
      devices[index].grab = .unknown
    }
  }
}

extension DeviceReport {
  static func pad(
    _ number: Int = 5, name: String = "Pad", resolution: Int32 = 32, slots: Int32 = 5,
    end: Int32 = 3200, seat: String = "seat0", _ classes: DeviceClasses = .touchpad,
    properties: Set<DeviceProperty> = [.pointer], keys: Set<Key> = [.toolFinger, .toolTripleTap]
  ) -> Self {
    let range = AxisRange(minimum: 0, maximum: end, resolution: resolution)
    let found = FoundDevice(
      path: "/dev/input/event\(number)", name: name, seat: seat, classes: classes)
    let device = Device(
      name: name,
      axes: [
        .positionX: range, .positionY: range, .slot: AxisRange(minimum: 0, maximum: slots - 1),
      ], keys: keys, properties: properties)
    return Self(found: found, device: device, grab: .free)
  }

  static func screen(_ number: Int = 6, resolution: Int32 = 12) -> Self {
    pad(
      number, name: "Screen", resolution: resolution, slots: 10, .touchscreen,
      properties: [.direct], keys: [.touch])
  }

  static func keyboard(_ number: Int = 3) -> Self {
    let found = FoundDevice(
      path: "/dev/input/event\(number)", name: "Keyboard", classes: [.keyboard, .key])
    let device = Device(name: "Keyboard", keys: [Key(rawValue: 30)])
    return Self(found: found, device: device, grab: .free)
  }
}
