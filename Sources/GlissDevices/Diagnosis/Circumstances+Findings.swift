import CSystemd
import Glibc
import GlissEvents
import GlissSession

extension Circumstances {
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
    func problem(_ text: String, _ advice: Finding.Advice?) -> Finding {
      Finding(.kernel, .problem, "\(system) \(text)", advice: advice.map { [$0] } ?? [])
    }
    let outside = kernel.isContainer ? Self.outside : nil
    let nodes = counted(kernel.nodeCount, "event device")
    if kernel.nodeCount > 0 {
      return kernel.hasInputFolder
        ? Finding(.kernel, .ok, "\(system), \(nodes)")
        : problem("has \(nodes), but there is no /dev/input", outside)
    }
    if kernel.inputCount > 0 {
      return problem(
        "has \(counted(kernel.inputCount, "input device")), but no event nodes",
        Finding.Advice("Load the driver that makes them.", commands: ["sudo modprobe evdev"]))
    }
    return problem(
      "shows no input devices",
      outside ?? Finding.Advice("Servers and virtual machines have none: plug one in."))
  }

  private static let outside = Finding.Advice(
    "This is a container. Run it outside, or start the container with the devices and what udev knows of them:"
      + " with Docker and Podman --device /dev/input -v /run/udev:/run/udev:ro.")

  private var udevFinding: Finding {
    let unknown = devices.filter { !$0.found.isInitialized }.map(\.found.nodeName)
    if unknown.isEmpty {
      return isUdevRunning
        ? Finding(.udev, .ok, "it runs and knows all devices")
        : Finding(
          .udev, .note, "it does not run here: devices that are plugged in later are not seen")
    }
    let starting = Finding.Advice(
      "Start it; in a container, start the container with -v /run/udev:/run/udev:ro.",
      commands: ["sudo systemctl start systemd-udevd"])
    let trigger = Finding.Advice(
      "Let it set up the devices that existed before it.",
      commands: ["sudo udevadm trigger --action=add --subsystem-match=input"])
    return Finding(
      .udev, .problem,
      "it \(isUdevRunning ? "" : "does not run and ")has not set up "
        + "\(unknown.joined(separator: ", ")): only the touchpads among them can be read",
      advice: isUdevRunning ? [trigger] : [starting, trigger])
  }

  private var loginFinding: Finding {
    func note(_ text: String, advice: [Finding.Advice] = []) -> Finding {
      Finding(.session, .note, text, advice: advice)
    }
    guard hasLogind else { return note("logind does not run: nobody is known to sit at a seat") }
    guard let login else {
      return note("this process belongs to no login: a service, a container or cron")
    }
    let name = "session \(login.id)" + (login.type.isEmpty ? "" : " (\(login.type))")
    if login.isRemote {
      return note("\(name) came over the network, so it gets no access to the devices of \(seat)")
    }
    guard let own = login.seat else { return note("\(name) has no seat") }
    if own != seat {
      return note(
        "\(name) is at \(own), but \(seat) was examined",
        advice: [.init("Examine its own seat.", commands: ["gliss doctor --seat \(own)"])])
    }
    if !login.isActive { return note("\(name) is not the active one on \(own)") }
    return Finding(.session, .ok, "\(name) is the active one on \(own)")
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
        advice: error.findingAdvice)
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

  static var loaded: String { words { dlsym(nil, $0) != nil } }

  /// The possible versions: from that of the last function found, to before that of the first one
  /// missing. The first function is required.
  static func words(_ has: (String) -> Bool) -> String {
    let found = marks.dropFirst().prefix { has($0.function) }
    let lowest = (found.last ?? marks[0]).minor
    guard found.endIndex < marks.endIndex else { return "1.\(lowest) or newer" }
    let last = marks[found.endIndex].minor - 1
    return last == lowest ? "1.\(lowest)" : "1.\(lowest) to 1.\(last)"
  }
}

extension Circumstances {
  var deviceFindings: [Finding] {
    if let failure {
      return [
        Finding(
          .devices, .problem, "they cannot be listed: \(failure.place): \(failure.problem)",
          advice: failure.findingAdvice)
      ]
    }
    return [inventory] + accessFindings + touchDevices.flatMap(\.padFindings) + grabFindings
      + keyboardFindings
  }

  // MARK: Present devices

  private var inventory: Finding {
    let kinds: [(noun: String, classes: DeviceClasses)] = [
      ("touchpad", .touchpad), ("touchscreen", .touchscreen), ("keyboard", .keyboard),
    ]
    var parts: [String] = []
    var rest = ours.map(\.classes)
    for (noun, classes) in kinds {
      let count = rest.count { $0.contains(classes) }
      if count > 0 { parts.append(counted(count, noun)) }
      rest.removeAll { $0.contains(classes) }
    }
    if !rest.isEmpty { parts.append(counted(rest.count, parts.isEmpty ? "device" : "other")) }
    let list = parts.isEmpty ? "no devices" : parts.joined(separator: ", ")
    guard touchDevices.isEmpty else { return Finding(.devices, .ok, "\(seat) has \(list)") }
    return Finding(
      .devices, .problem,
      parts.isEmpty
        ? "\(seat) has no devices" : "\(seat) has no touchpad or touchscreen, only \(list)",
      advice: otherSeats)
  }

  private var otherSeats: [Finding.Advice] {
    let seats = Set(devices.filter(\.isTouchDevice).map(\.found.seat))
      .subtracting([seat]).sorted()
    return seats.map {
      .init("\($0) has a touchpad or touchscreen.", commands: ["gliss doctor --seat \($0)"])
    }
  }

  // MARK: Read access

  private var accessFindings: [Finding] {
    let readable = touchDevices.filter(\.isReadable).map(\.name)
    var findings: [Finding] =
      readable.isEmpty ? [] : [Finding(.access, .ok, "\(listed(readable)) can be read")]
    var refused = touchDevices.filter { !$0.isReadable }
    while let refusal = refused.first?.refusal {
      let alike = refused.filter { $0.refusal?.reason == refusal.reason }
      refused.removeAll { $0.refusal?.reason == refusal.reason }
      let classes = alike.reduce(into: DeviceClasses()) { $0.formUnion($1.classes) }
      findings.append(
        Finding(
          .access, .problem, "\(listed(alike.map(\.name))) cannot be read: \(refusal.problem)",
          advice: advice(on: refusal.reason, for: classes)))
    }
    return findings
  }

  // MARK: Keyboards

  private var keyboardFindings: [Finding] {
    if keyboards.isEmpty { return [] }
    let readable = keyboards.count(where: \.isReadable)
    let count = counted(readable == 0 ? keyboards.count : readable, "keyboard")
    if readable == 0 {
      let text =
        "\(count) cannot be read: gestures need none, but hotkeys do, and so does ignoring touches while you type"
      return [Finding(.keyboards, .note, text)]
    }
    if isRoot { return [Finding(.keyboards, .ok, "\(count) can be read")] }
    let text = "\(count) can be read, so all your programs can read what is typed"
    return [Finding(.keyboards, .note, text, advice: [Self.leaving])]
  }

  // MARK: Other users of the devices

  private var grabFindings: [Finding] {
    let tried = (touchDevices + keyboards).filter { $0.grab != .unknown }
    if tried.isEmpty { return [] }
    var findings = tried.filter { $0.grab == .taken }.map(grabbed)
    let busy = tried.filter { $0.grab == .busy }.map(\.found.nodeName)
    if !busy.isEmpty {
      findings.append(
        Finding(
          .grab, .note,
          "not tried on \(busy.joined(separator: ", ")): something is pressed or touches it",
          advice: [.init("Let go, and ask again.")]))
    }
    if !findings.isEmpty { return findings }
    let holders = Set(tried.flatMap(\.holders)).sorted { $0.process < $1.process }
    let text = "no other process has grabbed a device\(Self.open(holders))"
    return [Finding(.grab, .ok, text)]
  }

  private func grabbed(_ device: DeviceReport) -> Finding {
    if device.hasTwin {
      return Finding(
        .grab, .note,
        "glissd has grabbed \(device.name), and the desktop reads its twin; programs get its gestures from glissd",
        path: device.found.path)
    }
    let unknown = device.holders.isEmpty && !isRoot ? "; root can see which" : ""
    let text =
      "another process has grabbed \(device.name)\(unknown)\(Self.open(device.holders))"
    guard device.isTouchDevice else {
      return Finding(
        .grab, .note, text + ". Its keys are read if that process passes them on",
        path: device.found.path)
    }
    return Finding(
      .grab, .problem, text, path: device.found.path,
      advice: [
        .init(
          "End that process: no other one gets the touches. On X11, the old driver xserver-xorg-input-synaptics does this; xserver-xorg-input-libinput does not."
        )
      ])
  }

  private static func open(_ holders: [Holder]) -> String {
    if holders.isEmpty { return "" }
    let shown = holders.prefix(6).map(\.description).joined(separator: ", ")
    return "; open in \(shown)" + (holders.count > 6 ? " and \(holders.count - 6) more" : "")
  }
}

extension DeviceReport {
  /// Findings about a touch device's size and slots; empty if it cannot be read.
  var padFindings: [Finding] {
    guard isReadable, let device else { return [] }
    guard hasExtent else {
      return [finding(.size, .problem, "its axes have no extent: there are no positions")]
    }
    if !isAccepted {
      return [
        finding(
          .access, .problem,
          "libinput does not support it, and touchscreens are read through libinput")
      ]
    }
    return [sizeFinding(device), slotFinding(device)]
  }

  private func finding(
    _ subject: Finding.Subject, _ verdict: Finding.Verdict, _ text: String,
    advice: [Finding.Advice] = []
  ) -> Finding {
    Finding(subject, verdict, "\(found.nodeName): \(text)", path: found.path, advice: advice)
  }

  // MARK: Size

  private func sizeFinding(_ device: Device) -> Finding {
    let size = device.size
    guard size.isAssumed else { return finding(.size, .ok, "\(size)") }
    return finding(
      .size, .note,
      "it does not say how large it is; \(size) is assumed, and all thresholds depend on it",
      advice: [measuring(device), loading])
  }

  private func measuring(_ device: Device) -> Finding.Advice {
    if classes.contains(.touchpad) {
      return .init(
        "Measure it with a ruler. This prints an entry for udev's database (here for 105 by 67 mm):",
        commands: ["sudo libinput measure touchpad-size 105x67 \(found.path)"])
    }
    let units = [device.horizontal, device.vertical].map { axis in
      axis.map { "\(Int64($0.maximum) - Int64($0.minimum))" } ?? "0"
    }
    return .init(
      "Measure it with a ruler: it has \(units[0]) by \(units[1]) units. Write the units per mm into EVDEV_ABS_00 and _35 (across) and _01 and _36 (down), as /usr/lib/udev/hwdb.d/60-evdev.hwdb shows."
    )
  }

  private var loading: Finding.Advice {
    .init(
      "Put the entry into /etc/udev/hwdb.d/61-evdev-local.hwdb and load it.",
      commands: ["sudo systemd-hwdb update", "sudo udevadm trigger \(found.path)"])
  }

  // MARK: Slots

  private func slotFinding(_ device: Device) -> Finding {
    let count = device.slotCount
    if device.properties.contains(.semiMultitouch) {
      return finding(
        .slots, .note,
        "it reports only the box around two fingers: they drag and pinch, and never rotate")
    }
    switch count {
    case 1: return finding(.slots, .note, "it reports one finger only: no pinch, no rotation")
    case 2...4:
      let countsMore = [Key.toolTripleTap, .toolQuadTap, .toolQuintTap].contains(
        where: device.keys.contains)
      return finding(
        .slots, .note,
        "it reports \(count) fingers apart; more "
          + (countsMore ? "are counted, but not seen" : "are not noticed"))
    case _: return finding(.slots, .ok, "it reports \(count) fingers apart")
    }
  }
}
