import GlissEvents

extension Circumstances {
  /// Findings about the seat's devices.
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
      findings = [Finding(.grab, .ok, "no other process has a device for itself\(open)")]
    }
    return findings
  }

  private func grabbed(_ device: Examined) -> Finding {
    let suspects =
      device.holders.isEmpty
      ? isRoot ? "" : "; root can see which" : "; open in \(Self.list(device.holders))"
    let text = "another process has \(device.name) for itself\(suspects)"
    guard device.report.isTouchDevice else {
      return Finding(
        .grab, .note, text + ". Its keys are read where that process passes them on",
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
