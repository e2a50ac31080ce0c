import GlissEvents

extension Circumstances {
  var deviceFindings: [Finding] {
    if let failure {
      return [
        Finding(
          .devices, .problem, "they cannot be listed: \(failure.place): \(failure.problem)",
          advice: failure.advice.map { [.init($0 + ".")] } ?? [])
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
    var rest = ours.map(\.report.classes)
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

  /// The other seats that have touch devices.
  private var otherSeats: [Finding.Advice] {
    let seats = Set(devices.filter(\.report.isTouchDevice).map(\.report.found.seat))
      .subtracting([seat]).sorted()
    return seats.map {
      .init("\($0) has a touchpad or touchscreen.", commands: ["gliss doctor --seat \($0)"])
    }
  }

  // MARK: Read access

  private var accessFindings: [Finding] {
    let readable = touchDevices.filter(\.isReadable)
    var findings: [Finding] = []
    if !readable.isEmpty {
      findings.append(Finding(.access, .ok, "\(listed(readable.map(\.name))) can be read"))
    }
    var reasons: [RefusedDevice.Reason] = []
    for reason in touchDevices.compactMap(\.report.refusal?.reason) where !reasons.contains(reason)
    {
      reasons.append(reason)
    }
    return findings + reasons.compactMap(refusal)
  }

  private func refusal(_ reason: RefusedDevice.Reason) -> Finding? {
    let refused = touchDevices.filter { $0.report.refusal?.reason == reason }
    guard let problem = refused.first?.report.refusal?.problem else { return nil }
    let classes = refused.reduce(into: DeviceClasses()) { $0.formUnion($1.report.classes) }
    return Finding(
      .access, .problem, "\(listed(refused.map(\.name))) cannot be read: \(problem)",
      advice: AccessAdvice(classes: classes, hasLogind: hasLogind).advice(on: reason))
  }

  // MARK: Keyboards

  private var keyboardFindings: [Finding] {
    if keyboards.isEmpty { return [] }
    let readable = keyboards.filter(\.isReadable)
    let count = counted(keyboards.count, "keyboard")
    if readable.isEmpty {
      return [
        Finding(
          .keyboards, .note,
          "\(count) cannot be read: gestures need none, but hotkeys do, and so does ignoring touches while you type"
        )
      ]
    }
    if isRoot { return [Finding(.keyboards, .ok, "\(count) can be read")] }
    return [
      Finding(
        .keyboards, .note,
        "\(counted(readable.count, "keyboard")) can be read, by every other program of yours too: all that is typed",
        advice: [AccessAdvice.leaving])
    ]
  }

  // MARK: Other users of the devices

  private var grabFindings: [Finding] {
    let tried = (touchDevices + keyboards).filter { $0.grab != .unknown }
    if tried.isEmpty { return [] }
    let taken = tried.filter { $0.grab == .taken }.map(grabbed)
    let busy = tried.filter { $0.grab == .busy }.map(\.report.found.nodeName)
    var findings = taken
    if !busy.isEmpty {
      findings.append(
        Finding(
          .grab, .note,
          "not tried on \(busy.joined(separator: ", ")): something is pressed or touches it",
          advice: [.init("Let go, and ask again.")]))
    }
    if findings.isEmpty {
      let holders = Set(tried.flatMap(\.holders)).sorted { $0.process < $1.process }
      let open = holders.isEmpty ? "" : "; open in \(Self.list(holders))"
      findings = [Finding(.grab, .ok, "no other process has grabbed a device\(open)")]
    }
    return findings
  }

  private func grabbed(_ device: Examined) -> Finding {
    if device.hasTwin {
      return Finding(
        .grab, .note,
        "glissd has grabbed \(device.name), and the desktop reads its twin; programs get its gestures from glissd",
        path: device.report.found.path)
    }
    let suspects =
      device.holders.isEmpty
      ? isRoot ? "" : "; root can see which" : "; open in \(Self.list(device.holders))"
    let text = "another process has grabbed \(device.name)\(suspects)"
    guard device.report.isTouchDevice else {
      return Finding(
        .grab, .note, text + ". Its keys are read if that process passes them on",
        path: device.report.found.path)
    }
    return Finding(
      .grab, .problem, text, path: device.report.found.path,
      advice: [
        .init(
          "End it: nobody else gets its touches. On X11, the old driver xserver-xorg-input-synaptics does this; xserver-xorg-input-libinput does not."
        )
      ])
  }

  /// At most six holders, and the number of the rest.
  private static func list(_ holders: [Holder]) -> String {
    let shown = holders.prefix(6).map(\.description).joined(separator: ", ")
    return holders.count > 6 ? "\(shown) and \(holders.count - 6) more" : shown
  }
}

extension Circumstances.Examined {
  /// Findings about a touch device's size and slots; empty if it cannot be read.
  var padFindings: [Finding] {
    guard isReadable, let device = report.device else { return [] }
    guard hasExtent else {
      return [
        finding(
          .size, .problem, "its axes have no extent: there are no positions", advice: [])
      ]
    }
    if !isTaken {
      return [
        finding(
          .access, .problem,
          "libinput does not support it, and touchscreens are read through libinput", advice: [])
      ]
    }
    return [sizeFinding(device), slotFinding(device)]
  }

  private func finding(
    _ subject: Finding.Subject, _ verdict: Finding.Verdict, _ text: String,
    advice: [Finding.Advice] = []
  ) -> Finding {
    Finding(
      subject, verdict, "\(report.found.nodeName): \(text)", path: report.found.path, advice: advice
    )
  }

  // MARK: Size

  private func sizeFinding(_ device: Device) -> Finding {
    let size = device.size
    guard size.isAssumed else { return finding(.size, .ok, "\(size)") }
    return finding(
      .size, .note,
      "it does not say how large it is; \(size) is assumed, and all thresholds are in mm of it",
      advice: [measuring(device), loading])
  }

  private func measuring(_ device: Device) -> Finding.Advice {
    if report.classes.contains(.touchpad) {
      return .init(
        "Measure it with a ruler. This prints an entry for udev's database (here for 105 by 67 mm):",
        commands: ["sudo libinput measure touchpad-size 105x67 \(report.found.path)"])
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
      commands: ["sudo systemd-hwdb update", "sudo udevadm trigger \(report.found.path)"])
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
