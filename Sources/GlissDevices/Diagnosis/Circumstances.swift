import CLibudev
import Glibc
import GlissEvents

/// The input of a ``Diagnosis``: plain values, all gathered by ``init(gatheredFor:layout:)``.
struct Circumstances: Hashable, Sendable {
  struct Kernel: Hashable, Sendable {
    /// As in `uname -r`.
    var release = ""
    /// Input devices in sysfs, with or without a node.
    var inputCount = 0
    /// Input devices with an event node, according to sysfs.
    var nodeCount = 0
    var hasInputFolder = false
    var isContainer = false
  }

  struct Login: Hashable, Sendable {
    var id: String
    var seat: String?
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

  struct Holder: Hashable, Sendable, CustomStringConvertible {
    var name: String
    var process: Int32

    var description: String { "\(name) (\(process))" }
  }

  struct Examined: Hashable, Sendable {
    var report: DeviceReport
    var grab = Grab.unknown
    /// Only processes that this one may inspect.
    var holders: [Holder] = []
    /// For touchscreens that can be opened: whether libinput accepts it.
    var isAccepted = true
    /// For touchpads: whether the desktop reads a twin that Gliss has made.
    var hasTwin = false
  }

  /// The keyboard layout, as far as it can be known from outside.
  enum Layout: Hashable, Sendable {
    /// - Parameter groups: The groups the user switches between.
    case found(KeyboardLayout, LayoutSource, groups: [String])
    case unusable(LayoutSource?, SystemError)
  }

  var seat = "seat0"
  var kernel = Kernel()
  var isUdevRunning = false
  var libinput = ""
  var isRoot = false
  var hasLogind = false
  var login: Login?
  var devices: [Examined] = []
  /// Why the devices could not be listed.
  var failure: SystemError?
  var layout: Layout?
  /// Why keys can neither be pressed for the user nor kept from the desktop; `nil` if they can.
  var pressingFailure: SystemError?
}

extension Circumstances {
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

  var isUsable: Bool {
    report.isTouchDevice && isReadable && hasExtent && isAccepted && (grab != .taken || hasTwin)
  }
}

extension Circumstances {
  /// Examines this machine from this process. Without a `layout`, it looks for one.
  init(gatheredFor seat: String, layout: String?) {
    self.seat = seat
    kernel = .seen
    libinput = LibinputVersion.loaded
    isRoot = geteuid() == 0
    hasLogind = LoginManager.isRunning
    login = LoginManager.login
    self.layout = .seen(explicit: layout)
    do throws(SystemError) { try VirtualDevice.checkAccess() } catch { pressingFailure = error }
    do {
      let finder = try DeviceFinder()
      isUdevRunning = finder.isUdevRunning
      devices = try finder.reports().map { Examined(report: $0) }
    } catch {
      failure = error
    }
    findHolders()
  }

  /// Finds out which other processes use the seat's touch devices and keyboards.
  private mutating func findHolders() {
    let wanted = devices.indices.filter { index in
      let report = devices[index].report
      return report.found.seat == seat && report.device != nil
        && !report.found.isOwn && (report.isTouchDevice || report.classes.contains(.keyboard))
    }
    let holders = DeviceHolders.holders(of: Set(wanted.map { devices[$0].report.found.path }))
    for index in wanted {
      let report = devices[index].report
      devices[index].grab = DeviceHolders.grab(of: report.found.path)
      devices[index].hasTwin = devices.contains {
        let (twin, pad) = ($0.report.found, report.found)
        return twin.isOwn && twin.name == pad.name && twin.identifier == pad.identifier
      }
      devices[index].holders = holders[report.found.path] ?? []
      if report.classes.contains(.touchscreen), report.refusal == nil {
        devices[index].isAccepted = LibinputQueue.accepts(report.found.path)
      }
    }
  }
}

extension Circumstances.Kernel {
  static var seen: Self {
    var kernel = Self()
    kernel.release = RunningKernel.release
    let entries = Folder.names(in: "/sys/class/input")
    kernel.inputCount = entries.count { $0.hasPrefix("input") }
    kernel.nodeCount = entries.count { $0.hasPrefix("event") }
    kernel.hasInputFolder = access("/dev/input", F_OK) == 0
    // files that systemd, Docker and Podman create in their containers
    let signs = ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"]
    kernel.isContainer = signs.contains { sign in access(sign, F_OK) == 0 }
    return kernel
  }
}

extension Circumstances {
  var pressingFinding: Finding {
    guard let error = pressingFailure else {
      return Finding(
        .pressing, .ok, "keys can be pressed, and hotkeys can be consumed if keyboards can be read")
    }
    return Finding(
      .pressing, .note,
      "this program can neither press keys nor consume hotkeys itself: \(error.place): \(error.problem). glissd can, for programs with the tier post",
      advice: Self.pressingAdvice(error))
  }

  private static func pressingAdvice(_ error: SystemError) -> [Finding.Advice] {
    guard [ENOENT, ENODEV, ENXIO].contains(error.code) else { return error.findingAdvice }
    let words = "Load the kernel's module. A container must be given /dev/uinput."
    return [.init(words, commands: ["sudo modprobe uinput"])]
  }
}

extension Circumstances.Layout {
  static func seen(explicit: String?) -> Self {
    var source: LayoutSource?
    do {
      let found = try KeyboardLayout.find(explicit: explicit)
      source = found.source
      let translator = try XkbKeyTranslator(found.layout)
      return .found(found.layout, found.source, groups: translator.groupNames)
    } catch {
      return .unusable(source, error)
    }
  }
}
