/// Whether this process can recognize gestures on this machine now, and if not, what to do about
/// it.
///
/// Each fact is checked once, when the value is created. To learn whether another process has
/// grabbed a device, the initializer grabs it for some microseconds; it changes nothing else.
public struct Diagnosis: Hashable, Sendable {
  /// The seat that was examined.
  public var seat: String
  /// The findings, from the system down to its devices.
  public var findings: [Finding]
  /// Whether a gesture could be recognized: at least one touchpad or touchscreen of the seat can be
  /// read, its positions are meaningful, and no other process has grabbed it.
  public var isReady: Bool
  /// The same as one sentence, with the devices or the reason.
  public var summary: String

  /// Examines this machine. This may take some milliseconds per device.
  ///
  /// - Parameters:
  ///   - seat: The seat to examine.
  ///   - layout: A keyboard layout to try, in the form ``KeyboardLayout/init(parsing:)`` takes;
  ///     `nil` to find one.
  public init(of seat: String = "seat0", layout: String? = nil) {
    self.init(Circumstances(gatheredFor: seat, layout: layout))
  }

  /// Derives the findings from what was gathered.
  init(_ circumstances: Circumstances) {
    seat = circumstances.seat
    findings = circumstances.systemFindings + circumstances.deviceFindings
    if let layout = circumstances.layout { findings.append(layout.finding) }
    if let pressing = circumstances.pressing { findings.append(pressing.finding) }
    let usable = circumstances.touchDevices.filter(\.isUsable)
    isReady = !usable.isEmpty
    summary =
      isReady
      ? "Gestures can be recognized now, on \(listed(usable.map(\.name)))."
      : "No gesture can be recognized now: \(circumstances.obstacle)."
  }
}

extension Circumstances {
  /// The first obstacle to gestures.
  fileprivate var obstacle: String {
    if let failure { return "the devices cannot be listed (\(failure.place): \(failure.problem))" }
    if touchDevices.isEmpty { return "\(seat) has no touchpad or touchscreen" }
    let readable = touchDevices.filter(\.isReadable)
    if readable.isEmpty { return "no touchpad or touchscreen of \(seat) can be read" }
    if readable.contains(where: { $0.hasExtent && $0.isTaken }) {
      return "another process has what could be read for itself"
    }
    return "what can be read gives no positions that make sense"
  }
}

/// `a, b and c`.
func listed(_ names: [String]) -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}

/// `1 device`, `2 devices`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
