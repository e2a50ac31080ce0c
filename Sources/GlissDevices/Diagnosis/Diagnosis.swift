/// Whether gestures can be recognized on this machine by this process now, and if not what to do about it.
///
/// Each fact is looked at once, when the value is made. To learn whether another process keeps a device for itself, this
/// one does so for some microseconds; nothing else is changed.
public struct Diagnosis: Hashable, Sendable {
  /// The seat whose devices were looked at.
  public var seat: String
  /// What was found, from the system to its devices.
  public var findings: [Finding]
  /// Whether a gesture could be recognized: at least one touchpad or touchscreen of the seat can be read, its positions
  /// mean something, and no other process has it for itself.
  public var isReady: Bool
  /// The same in a sentence, with the devices or the reason.
  public var summary: String

  /// Looks at this machine, which may take some milliseconds for each device.
  ///
  /// - Parameters:
  ///   - seat: whose devices matter.
  ///   - layout: a keyboard layout to try, as ``KeyboardLayout/init(parsing:)`` takes it; `nil` for the one that is
  ///     found.
  public init(of seat: String = "seat0", layout: String? = nil) {
    self.init(Circumstances(gatheredFor: seat, layout: layout))
  }

  /// Judges what was gathered.
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
  /// The first thing that stands in the way of gestures.
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
