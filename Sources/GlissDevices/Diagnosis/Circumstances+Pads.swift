import GlissEvents

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
          .access, .problem, "libinput does not take it, and it is read through that", advice: [])
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
      "Measure it with a ruler: it has \(units[0]) by \(units[1]) units. What each mm has of them is for EVDEV_ABS_00 and _35 (across) and _01 and _36 (down), as /usr/lib/udev/hwdb.d/60-evdev.hwdb shows."
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
        "it tells only the box around two fingers: they drag and pinch, and never rotate")
    }
    switch count {
    case 1: return finding(.slots, .note, "it tells one finger only: no pinch, no rotation")
    case 2...4:
      let countsMore = [Key.toolTripleTap, .toolQuadTap, .toolQuintTap].contains(
        where: device.keys.contains)
      return finding(
        .slots, .note,
        "it tells \(count) fingers apart; more "
          + (countsMore ? "are counted, but not seen" : "are not noticed"))
    case _: return finding(.slots, .ok, "it tells \(count) fingers apart")
    }
  }
}
