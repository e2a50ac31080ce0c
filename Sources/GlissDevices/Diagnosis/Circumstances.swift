import GlissEvents

/// The input of a ``Diagnosis``: plain values, all gathered in `Circumstances+Gathering.swift`.
struct Circumstances: Hashable, Sendable {
  /// What the kernel shows to this process.
  struct Kernel: Hashable, Sendable {
    /// As in `uname -r`.
    var release = ""
    /// Input devices in sysfs, with or without a node.
    var inputCount = 0
    /// Input devices with an event node, according to sysfs.
    var nodeCount = 0
    var hasInputFolder = false
    /// Whether this process appears to run in a container.
    var isContainer = false
  }

  /// The login session of this process.
  struct Login: Hashable, Sendable {
    var id: String
    var seat: String?
    /// Whether it is its seat's active session.
    var isActive: Bool
    var isRemote: Bool
    /// `wayland`, `x11`, `tty`, …
    var type: String
  }

  /// Whether another process has grabbed a device.
  enum Grab: Hashable, Sendable {
    case free
    case taken
    /// Not tried, because a key is down or a finger touches the device.
    case busy
    /// Could not be tried.
    case unknown
  }

  /// A process that has a device open.
  struct Holder: Hashable, Sendable, CustomStringConvertible {
    var name: String
    var process: Int32

    var description: String { "\(name) (\(process))" }
  }

  /// A device and the processes that use it.
  struct Examined: Hashable, Sendable {
    var report: DeviceReport
    var grab = Grab.unknown
    /// Only processes that this one may inspect.
    var holders: [Holder] = []
    /// For touchscreens that can be opened: whether libinput accepts it.
    var isTaken = true
  }

  /// The keyboard layout, as far as it can be known from outside.
  enum Layout: Hashable, Sendable {
    /// - Parameter groups: The groups the user switches between.
    case found(KeyboardLayout, LayoutSource, groups: [String])
    case unusable(LayoutSource?, DeviceError)
  }

  /// Whether keys can be pressed for the user and kept from the desktop.
  enum Pressing: Hashable, Sendable {
    case possible
    case impossible(DeviceError)
  }

  var seat = "seat0"
  var kernel = Kernel()
  var isUdevRunning = false
  var libinput = LibinputVersion(lowest: "", below: nil)
  var isRoot = false
  var hasLogind = false
  var login: Login?
  /// The devices of all seats.
  var devices: [Examined] = []
  /// Why the devices could not be listed.
  var failure: DeviceError?
  var layout: Layout?
  var pressing: Pressing?
}

extension Circumstances {
  /// The devices of the examined seat.
  var ours: [Examined] { devices.filter { $0.report.found.seat == seat && !$0.report.found.isOwn } }

  var touchDevices: [Examined] { ours.filter(\.report.isTouchDevice) }

  var keyboards: [Examined] { ours.filter { $0.report.classes.contains(.keyboard) } }
}

extension Circumstances.Examined {
  var name: String {
    let name = report.found.name
    return name.isEmpty ? report.found.nodeName : "\(report.found.nodeName) (\(name))"
  }

  var isReadable: Bool { report.refusal == nil }

  /// Whether positions are meaningful, that is, both axes have an extent.
  var hasExtent: Bool {
    guard let device = report.device, let h = device.horizontal, let v = device.vertical else {
      return false
    }
    return h.maximum > h.minimum && v.maximum > v.minimum
  }

  /// Whether gestures could be recognized on it now.
  var isUsable: Bool {
    report.isTouchDevice && isReadable && hasExtent && isTaken && grab != .taken
  }
}
