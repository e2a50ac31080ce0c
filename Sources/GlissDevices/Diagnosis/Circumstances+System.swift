import CSystemd
import Glibc
import GlissEvents
import GlissSession

extension Circumstances {
  /// Findings about the kernel, libraries and login session.
  var systemFindings: [Finding] {
    [
      kernelFinding, udevFinding,
      Finding(.libinput, .ok, "\(libinput), by the functions it has"), loginFinding,
    ]
  }

  private var kernelFinding: Finding {
    let system = kernel.release.isEmpty ? "Linux" : "Linux \(kernel.release)"
    // the reason is given with the devices
    if failure != nil { return Finding(.kernel, .note, "\(system) does not show its devices") }
    if kernel.nodeCount > 0 && kernel.hasInputFolder {
      return Finding(.kernel, .ok, "\(system), \(counted(kernel.nodeCount, "event device"))")
    }
    if kernel.nodeCount > 0 {
      return Finding(
        .kernel, .problem,
        "\(system) has \(counted(kernel.nodeCount, "event device")), but there is no /dev/input",
        advice: kernel.isContainer ? [Self.outside] : [])
    }
    if kernel.inputCount > 0 {
      return Finding(
        .kernel, .problem,
        "\(system) has \(counted(kernel.inputCount, "input device")), but no event nodes",
        advice: [.init("Load the driver that makes them.", commands: ["sudo modprobe evdev"])])
    }
    return Finding(
      .kernel, .problem, "\(system) shows no input devices",
      advice: kernel.isContainer
        ? [Self.outside] : [.init("Servers and virtual machines have none: plug one in.")])
  }

  private static let outside = Finding.Advice(
    "This is a container. Run it outside, or start the container with the devices and what udev knows of them:"
      + " with Docker and Podman --device /dev/input -v /run/udev:/run/udev:ro.")

  private var udevFinding: Finding {
    let unknown = devices.filter { !$0.report.found.isInitialized }.map(\.report.found.nodeName)
    if unknown.isEmpty {
      return isUdevRunning
        ? Finding(.udev, .ok, "it runs and knows all devices")
        : Finding(
          .udev, .note, "it does not run here: devices that are plugged in later are not seen")
    }
    let names = unknown.joined(separator: ", ")
    let consequence = "of these only touchpads can be read"
    guard isUdevRunning else {
      return Finding(
        .udev, .problem, "it does not run and has not set up \(names): \(consequence)",
        advice: [
          .init(
            "Start it; in a container, start that with -v /run/udev:/run/udev:ro.",
            commands: ["sudo systemctl start systemd-udevd"]), Self.trigger,
        ])
    }
    return Finding(
      .udev, .problem, "it has not set up \(names): \(consequence)", advice: [Self.trigger])
  }

  private static let trigger = Finding.Advice(
    "Let it set up the devices that existed before it.",
    commands: ["sudo udevadm trigger --action=add --subsystem-match=input"])

  private var loginFinding: Finding {
    guard hasLogind else {
      return Finding(.session, .note, "logind does not run: nobody is known to sit at a seat")
    }
    guard let login else {
      return Finding(
        .session, .note, "this process belongs to no login: a service, a container or cron")
    }
    let name = "session \(login.id)" + (login.type.isEmpty ? "" : " (\(login.type))")
    if login.isRemote {
      return Finding(
        .session, .note,
        "\(name) came over the network, so it gets no access to the devices of \(seat)")
    }
    guard let own = login.seat else {
      return Finding(.session, .note, "\(name) has no seat")
    }
    if own != seat {
      return Finding(
        .session, .note, "\(name) is at \(own), but \(seat) was examined",
        advice: [.init("Examine its own seat.", commands: ["gliss doctor --seat \(own)"])])
    }
    return login.isActive
      ? Finding(.session, .ok, "\(name) is the active one on \(own)")
      : Finding(.session, .note, "\(name) is not the active one on \(own)")
  }
}

extension Circumstances.Layout {
  /// What is known about the keyboard layout, and what cannot be known.
  var finding: Finding {
    switch self {
    case .found(let layout, let source, let groups):
      let limit =
        groups.count > 1
        ? "the first is used, because the one that the desktop has switched to cannot be read"
        : "whether the desktop uses another cannot be read"
      let origin = source == .standard ? "\(source)" : "\(layout) by \(source)"
      return Finding(
        .layout, groups.count > 1 ? .note : .ok,
        "\(listed(groups)) (\(origin)); \(limit). \(Self.repeating)")
    case .unusable(let source, let error):
      let origin = source.map { ", by \($0)" } ?? ""
      return Finding(
        .layout, .problem, "\(error.place)\(origin): \(error.problem)",
        advice: error.advice.map { [.init($0 + ".")] } ?? [])
    }
  }

  /// Repeats of libinput and the kernel are not used, and the desktop does not publish its rate.
  private static var repeating: String {
    let standard = KeyRepeat.standard
    let rate = 1_000_000 / max(1, standard.interval.microseconds)
    let delay = standard.delay.microseconds / 1000
    return
      "A held key repeats after \(delay) ms, \(rate) times a second, whatever the desktop has set"
  }
}

/// logind's state, read from its files without calling it.
package enum LoginManager {
  /// Whether logind runs here. If it does, it has at least one seat, and its files are below /run.
  package static var isRunning: Bool { access("/run/systemd/seats", F_OK) == 0 }

  /// The login session of this process; `nil` for services, in containers and without logind.
  static var login: Circumstances.Login? {
    guard let id = session else { return nil }
    return Circumstances.Login(
      id: id, seat: text { sd_session_get_seat(id, $0) }, isActive: sd_session_is_active(id) > 0,
      isRemote: sd_session_is_remote(id) > 0, type: text { sd_session_get_type(id, $0) } ?? "")
  }

  private static var session: String? {
    if let id = text({ sd_pid_get_session(0, $0) }) { return id }
    // a terminal started by the user's service manager is in no session, but its user has one
    if let id = environmentVariable("XDG_SESSION_ID"), sd_session_is_active(id) >= 0 {
      return id
    }
    return text { sd_uid_get_display(getuid(), $0) }
  }

  private static func text(
    _ ask: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> String? {
    var answer: UnsafeMutablePointer<CChar>?
    guard ask(&answer) >= 0, let answer else { return nil }
    defer { free(answer) }
    return String(cString: answer)
  }
}

/// The version of the loaded libinput. No function reports it, but newer versions have functions
/// that older ones lack.
enum LibinputVersion {
  /// The version 1.`minor` that introduced each function, as named in libinput's own symbol list.
  static let marks: [(minor: Int, function: String)] = [
    (19, "libinput_event_pointer_get_scroll_value"),
    (21, "libinput_device_config_dwtp_is_available"),
    (23, "libinput_config_accel_create"),
    (26, "libinput_device_get_id_bustype"),
    (27, "libinput_device_config_area_has_rectangle"),
    (28, "libinput_device_config_3fg_drag_get_finger_count"),
    (29, "libinput_tablet_tool_config_eraser_button_get_modes"),
    (30, "libinput_plugin_system_append_path"),
    (31, "libinput_device_config_dwt_get_timeout"),
  ]

  /// The version this process runs with.
  static var loaded: String { words { dlsym(nil, $0) != nil } }

  /// The versions in question: up to the one before the first function that is missing.
  ///
  /// - Parameter has: Whether a function exists. This program requires the first.
  static func words(_ has: (String) -> Bool) -> String {
    let found = marks.dropFirst().prefix { has($0.function) }
    let lowest = (found.last ?? marks[0]).minor
    guard found.endIndex < marks.endIndex else { return "1.\(lowest) or newer" }
    let last = marks[found.endIndex].minor - 1
    return last == lowest ? "1.\(lowest)" : "1.\(lowest) to 1.\(last)"
  }
}
