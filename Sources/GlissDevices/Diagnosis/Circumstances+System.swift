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
    "Let it set up what was there before it.",
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
        "\(name) came over the network: nothing is given to it because of who sits at \(seat)")
    }
    guard let own = login.seat else {
      return Finding(.session, .note, "\(name) has no seat")
    }
    if own != seat {
      return Finding(
        .session, .note, "\(name) is at \(own), and \(seat) was looked at",
        advice: [.init("Look at its own seat.", commands: ["gliss doctor --seat \(own)"])])
    }
    return login.isActive
      ? Finding(.session, .ok, "\(name) is in front on \(own)")
      : Finding(.session, .note, "\(name) is not the one in front on \(own)")
  }
}
