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

  enum Grab: Hashable, Sendable {
    case free
    case taken
    /// Not tried, because a key is down or a finger touches the device.
    case busy
    case unknown
  }

  struct Holder: Hashable, Sendable, CustomStringConvertible {
    var name: String
    var process: Int32

    var description: String { "\(name) (\(process))" }
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
  var devices: [DeviceReport] = []
  var failure: SystemError?
  var layout: Layout?
  /// Why keys can neither be pressed for the user nor kept from the desktop; `nil` if they can.
  var pressingFailure: SystemError?
}

extension Circumstances {
  var ours: [DeviceReport] { devices.filter { $0.found.seat == seat && !$0.found.isOwn } }

  var touchDevices: [DeviceReport] { ours.filter(\.isTouchDevice) }

  var keyboards: [DeviceReport] { ours.filter { $0.classes.contains(.keyboard) } }
}

extension DeviceReport {
  var name: String { found.nodeName + (found.name.isEmpty ? "" : " (\(found.name))") }

  var isReadable: Bool { refusal == nil }

  /// Whether positions are meaningful, that is, both axes have an extent.
  var hasExtent: Bool {
    guard let h = device?.horizontal, let v = device?.vertical else { return false }
    return h.maximum > h.minimum && v.maximum > v.minimum
  }

  var isUsable: Bool {
    isTouchDevice && isReadable && hasExtent && isAccepted && (grab != .taken || hasTwin)
  }
}

extension Circumstances {
  /// Examines this machine from this process. Without a `layout`, it looks for one.
  init(gatheredFor seat: String, layout: String?) {
    self.seat = seat
    examineKernel()
    libinput = LibinputVersion.loaded
    isRoot = geteuid() == 0
    hasLogind = LoginManager.isRunning
    login = LoginManager.login
    self.layout = .seen(explicit: layout)
    do throws(SystemError) { try VirtualDevice.checkAccess() } catch { pressingFailure = error }
    do {
      let finder = try DeviceFinder()
      isUdevRunning = finder.isUdevRunning
      devices = try finder.reports()
    } catch {
      failure = error
    }
    findHolders()
  }

  private mutating func examineKernel() {
    kernel.release = RunningKernel.release
    let entries = Folder.names(in: "/sys/class/input")
    kernel.inputCount = entries.count { $0.hasPrefix("input") }
    kernel.nodeCount = entries.count { $0.hasPrefix("event") }
    kernel.hasInputFolder = access("/dev/input", F_OK) == 0
    // files that systemd, Docker and Podman create in their containers
    let signs = ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"]
    kernel.isContainer = signs.contains { sign in access(sign, F_OK) == 0 }
  }

  /// Finds out which other processes use the seat's touch devices and keyboards.
  private mutating func findHolders() {
    let wanted = devices.indices.filter { index in
      let device = devices[index]
      return device.found.seat == seat && device.device != nil && !device.found.isOwn
        && (device.isTouchDevice || device.classes.contains(.keyboard))
    }
    let holders = DeviceHolders.holders(of: Set(wanted.map { devices[$0].found.path }))
    for index in wanted {
      let found = devices[index].found
      devices[index].grab = DeviceHolders.grab(of: found.path)
      devices[index].hasTwin = devices.contains {
        let twin = $0.found
        return twin.isOwn && twin.name == found.name && twin.identifier == found.identifier
      }
      devices[index].holders = holders[found.path] ?? []
      if devices[index].classes.contains(.touchscreen), devices[index].refusal == nil {
        devices[index].isAccepted = LibinputQueue.accepts(found.path)
      }
    }
  }
}

extension Circumstances {
  var pressingFinding: Finding {
    guard let error = pressingFailure else {
      return Finding(
        .pressing, .ok, "keys can be pressed, and hotkeys can be consumed if keyboards can be read")
    }
    let isMissing = [ENOENT, ENODEV, ENXIO].contains(error.code)
    let loading = Finding.Advice(
      "Load the kernel's module. A container must be given /dev/uinput.",
      commands: ["sudo modprobe uinput"])
    return Finding(
      .pressing, .note,
      "this program can neither press keys nor consume hotkeys itself: \(error.place): \(error.problem). glissd can, if its administrator lets it (docs/install.md), for programs with the tier post",
      advice: isMissing ? [loading] : error.findingAdvice)
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
