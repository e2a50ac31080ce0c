import CLibudev
import Glibc
import GlissEvents

extension Circumstances {
  /// Examines this machine from this process.
  ///
  /// - Parameters:
  ///   - seat: The seat to examine.
  ///   - layout: The requested keyboard layout; `nil` to find one.
  init(gatheredFor seat: String, layout: String?) {
    self.seat = seat
    kernel = .seen
    libinput = .loaded
    isRoot = geteuid() == 0
    hasLogind = LoginManager.isRunning
    login = LoginManager.login
    self.layout = .seen(explicit: layout)
    pressing = .seen
    do {
      let finder = try DeviceFinder()
      isUdevRunning = finder.isUdevRunning
      devices = try finder.reports().map { Examined(report: $0) }
    } catch {
      failure = error
    }
    lookAround()
  }

  /// Finds out which other processes use the seat's touch devices and keyboards.
  private mutating func lookAround() {
    let wanted = devices.indices.filter { index in
      let report = devices[index].report
      return report.found.seat == seat && report.device != nil
        && !report.found.isOwn && (report.isTouchDevice || report.classes.contains(.keyboard))
    }
    let holders = Rivals.holders(of: Set(wanted.map { devices[$0].report.found.path }))
    for index in wanted {
      let report = devices[index].report
      devices[index].grab = Rivals.grab(of: report.found.path)
      devices[index].holders = holders[report.found.path] ?? []
      if report.classes.contains(.touchscreen), report.refusal == nil {
        devices[index].isTaken = LibinputContext.takes(report.found.path)
      }
    }
  }
}

extension Circumstances.Kernel {
  /// The kernel as this process sees it.
  static var seen: Self {
    var kernel = Self()
    var names = utsname()
    if uname(&names) == 0 {
      kernel.release = withUnsafeBytes(of: &names.release) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
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

extension Circumstances.Pressing {
  /// Whether this process can.
  static var seen: Self {
    do throws(DeviceError) { try VirtualDevice.checkAccess() } catch { return .impossible(error) }
    return .possible
  }

  var finding: Finding {
    switch self {
    case .possible:
      Finding(
        .pressing, .ok, "keys can be pressed, and hotkeys be consumed where keyboards can be read")
    case .impossible(let error):
      Finding(
        .pressing, .note,
        "this program can neither press keys nor consume hotkeys itself: \(error.place): \(error.problem). glissd does it for programs with the tier post, where it may",
        advice: error.advice.map { [.init($0 + ".")] } ?? [])
    }
  }
}

extension Circumstances.Layout {
  /// The keyboard layout that would be used.
  static func seen(explicit: String?) -> Self {
    var source: LayoutSource?
    do {
      let found = try KeyboardLayout.find(explicit: explicit)
      source = found.source
      let groups = try XkbKeyTranslator(found.layout).groupNames
      return .found(found.layout, found.source, groups: groups)
    } catch {
      return .unusable(source, error)
    }
  }
}

extension LibinputContext {
  /// Whether libinput accepts the device at `path`.
  static func takes(_ path: String) -> Bool {
    guard let context = try? LibinputContext() else { return false }
    context.opening = { path in
      switch DeviceNode.open(path) {
      case .success(let descriptor): descriptor
      case .failure(let refusal): -refusal.code
      }
    }
    // otherwise libinput prints its messages
    context.didSay = { _ in }
    return context.add(path) != nil
  }
}
