import GlissEvents

/// What a ``Diagnosis`` is made from: values only, gathered in one place (`Circumstances+Gathering.swift`).
struct Circumstances: Hashable, Sendable {
  /// What the kernel has, and shows to this process.
  struct Kernel: Hashable, Sendable {
    /// As `uname -r` has it.
    var release = ""
    /// Input devices that sysfs lists, whether or not they have a node.
    var inputCount = 0
    /// Those that have an event node, by sysfs.
    var nodeCount = 0
    var hasInputFolder = false
    /// This process runs in a container, as far as it can tell.
    var isContainer = false
  }

  /// The login that this process belongs to.
  struct Login: Hashable, Sendable {
    var id: String
    var seat: String?
    /// It is the one in front of its seat.
    var isActive: Bool
    var isRemote: Bool
    /// `wayland`, `x11`, `tty`, …
    var type: String
  }

  /// Whether another process keeps the events of a device for itself.
  enum Grab: Hashable, Sendable {
    case free
    case taken
    /// It was not tried, for something is pressed or touches it.
    case busy
    /// It could not be tried.
    case unknown
  }

  /// A process that has a device open.
  struct Holder: Hashable, Sendable, CustomStringConvertible {
    var name: String
    var process: Int32

    var description: String { "\(name) (\(process))" }
  }

  /// A device and who else is at it.
  struct Examined: Hashable, Sendable {
    var report: DeviceReport
    var grab = Grab.unknown
    /// Only processes that may be looked at.
    var holders: [Holder] = []
    /// Of touchscreens that can be opened: whether libinput takes it.
    var isTaken = true
  }

  /// What keys mean, as far as that can be known from outside.
  enum Layout: Hashable, Sendable {
    /// - Parameter groups: what the user switches through.
    case found(KeyboardLayout, LayoutSource, groups: [String])
    case unusable(LayoutSource?, DeviceError)
  }

  /// Whether keys can be pressed for the user, and kept from the desktop.
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
  /// All seats' devices.
  var devices: [Examined] = []
  /// Why the devices could not be listed.
  var failure: DeviceError?
  var layout: Layout?
  var pressing: Pressing?
}

extension Circumstances {
  /// The devices of the seat that is looked at.
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

  /// Whether positions mean anything: both axes have an extent.
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
