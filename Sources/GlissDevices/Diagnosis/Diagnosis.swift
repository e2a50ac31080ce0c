import CLinux
import Glibc
import GlissEvents

/// Whether this process can recognize gestures on this machine now, and if not, what to do about
/// it.
///
/// Each fact is checked once, when the value is created. To learn whether another process has
/// grabbed a device, the initializer grabs it for some microseconds; it changes nothing else.
package struct Diagnosis: Hashable, Sendable {
  package var seat: String
  package var findings: [Finding]
  /// Whether a gesture could be recognized: at least one touchpad or touchscreen of the seat can be
  /// read, its positions are meaningful, and no other process has grabbed it.
  package var isReady: Bool
  /// The same as one sentence, with the devices or the reason.
  package var summary: String
  /// Whether the seat has a touchpad or touchscreen, readable or not.
  package let hasTouchDevice: Bool
  /// Whether the seat has any device that this process can see.
  package let hasDevice: Bool

  /// Examines this machine. This may take some milliseconds per device. Without a `layout`, in the
  /// form ``KeyboardLayout/init(parsing:)`` takes, it looks for one.
  package init(of seat: String = "seat0", layout: String? = nil) {
    self.init(Circumstances(gatheredFor: seat, layout: layout))
  }

  init(_ circumstances: Circumstances) {
    seat = circumstances.seat
    findings = circumstances.systemFindings + circumstances.deviceFindings
    if let layout = circumstances.layout { findings.append(layout.finding) }
    findings.append(circumstances.pressingFinding)
    let usable = circumstances.touchDevices.filter(\.isUsable)
    isReady = !usable.isEmpty
    hasTouchDevice = !circumstances.touchDevices.isEmpty
    hasDevice = !circumstances.devices.isEmpty
    summary =
      isReady
      ? "Gestures can be recognized now, on \(listed(usable.map(\.name)))."
      : "No gesture can be recognized now: \(circumstances.obstacle)."
  }
}

extension Circumstances {
  fileprivate var obstacle: String {
    if let failure { return "the devices cannot be listed (\(failure.place): \(failure.problem))" }
    if touchDevices.isEmpty { return "\(seat) has no touchpad or touchscreen" }
    let readable = touchDevices.filter(\.isReadable)
    if readable.isEmpty { return "no touchpad or touchscreen of \(seat) can be read" }
    if readable.contains(where: { $0.hasExtent && $0.isAccepted }) {
      return "another process has grabbed the devices that could be read"
    }
    return "the devices that can be read report no usable positions"
  }
}

/// `a, b and c`.
func listed(_ names: [String]) -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}

/// One checked item, the result, and what to do about it.
package struct Finding: Hashable, Sendable {
  package enum Subject: String, Hashable, Sendable, CaseIterable {
    case kernel, udev, libinput, session, devices, access, keyboards, grab, size, slots, layout,
      pressing
    case focus
    /// Whether the desktop leaves out the strokes that rules consume.
    case desktop
    /// The broker. The command adds this finding, because it asks the broker.
    case broker
    /// Global shortcuts of applications.
    case portal
  }

  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case ok
    /// Worth knowing: something is less exact, or something is missing that not everybody needs.
    case note
    case problem
  }

  package struct Advice: Hashable, Sendable {
    package var text: String
    package var commands: [String]

    package init(_ text: String, commands: [String] = []) {
      self.text = text
      self.commands = commands
    }
  }

  package var subject: Subject
  package var verdict: Verdict
  /// A sentence without its full stop. Device names appear as they were read.
  package var text: String
  package var path: String?
  /// The ways to fix it, best first.
  package var advice: [Advice]

  package init(
    _ subject: Subject, _ verdict: Verdict, _ text: String, path: String? = nil,
    advice: [Advice] = []
  ) {
    self.subject = subject
    self.verdict = verdict
    self.text = text
    self.path = path
    self.advice = advice
  }
}

extension SystemError {
  var findingAdvice: [Finding.Advice] { advice.map { [.init($0 + ".")] } ?? [] }
}

extension Circumstances {
  /// How to make devices readable, with the smallest grant of access first.
  func advice(on reason: RefusedDevice.Reason, for classes: DeviceClasses) -> [Finding.Advice] {
    let rules = rules(for: classes)
    switch reason {
    case .notPermitted("root", _): return rules
    case .notPermitted(let group, isMember: true):
      let returning = Finding.Advice(
        "You are in the group '\(group)', but this login is older than that: log out and in again. Until then, for one"
          + " command:",
        commands: ["sg \(group) -c 'gliss doctor'"])
      return [returning] + rules
    case .notPermitted(let group, isMember: false):
      let joining = Finding.Advice(
        "\(rules.isEmpty ? "Join" : "Or join") the group '\(group)' and log in again. Then every program of yours can read"
          + " every key that is typed, passwords too.",
        commands: ["sudo usermod -aG \(group) $USER"])
      return rules + [joining]
    case .notAllowedHere, .missing, .notInput, .unknownToUdev, .notSupported, .own, .failed:
      return RefusedDevice(path: "", name: "", reason: reason).error.findingAdvice
    }
  }

  /// One rule for each device class, so that no more is granted than needed. Without logind nobody
  /// is known to be at a seat, so nobody can be given access.
  private func rules(for classes: DeviceClasses) -> [Finding.Advice] {
    let rules: [(DeviceClasses, text: String, property: String, file: String)] = [
      (
        .touchpad,
        "Let the user at the seat read touchpads, and no key. It works at once and after every start.",
        "ID_INPUT_TOUCHPAD", "72-gliss-touchpads.rules"
      ),
      (
        .touchscreen,
        "Let the user at the seat read touchscreens. Touches on a screen keyboard reveal what is typed there.",
        "ID_INPUT_TOUCHSCREEN", "72-gliss-touchscreens.rules"
      ),
    ]
    return rules.filter { hasLogind && classes.contains($0.0) }
      .map { .init($0.text, commands: Self.adding($0.property, $0.file)) }
  }

  /// - Parameter file: Must sort after `60-input-id.rules`, which detect touchpads, and before
  ///   `73-seat-late.rules`, which give tagged devices to the active user.
  private static func adding(_ property: String, _ file: String) -> [String] {
    let rule = #"SUBSYSTEM=="input", KERNEL=="event*", ENV{\#(property)}=="1", TAG+="uaccess""#
    return [
      "echo '\(rule)' | sudo tee /etc/udev/rules.d/\(file)", "sudo udevadm control --reload",
      "sudo udevadm trigger --subsystem-match=input",
    ]
  }

  /// For users who can read keys and may not want to.
  static let leaving = Finding.Advice(
    "Where gestures are enough, leave the group and let the user at the seat read touchpads alone: docs/access.md.",
    commands: ["sudo gpasswd -d $USER input"])
}

enum DeviceHolders {
  /// Whether another process has grabbed the device. The kernel reveals this only to a process that
  /// tries to grab it too.
  ///
  /// If nobody has, this process holds the grab for some microseconds, and other readers of the
  /// node would miss events in that time. So it is not tried while a key is down or a finger
  /// touches: a missed release would leave them stuck. Releasing the grab takes the kernel some
  /// milliseconds. During these, only readers that are not event nodes (the text console) get
  /// nothing.
  static func grab(of path: String) -> Circumstances.Grab {
    guard let descriptor = try? DeviceNode.open(path) else { return .unknown }
    defer { close(descriptor) }
    guard let keys = Set<Key>(down: descriptor) else { return .unknown }
    guard keys.isEmpty else { return .busy }
    guard gliss_evdev_grab(descriptor, 1) == 0 else { return errno == EBUSY ? .taken : .unknown }
    _ = gliss_evdev_grab(descriptor, 0)
    return .free
  }

  /// The processes that have one of `paths` open, among those this one may inspect: all of them for
  /// root, the user's own for others.
  static func holders(of paths: Set<String>) -> [String: [Circumstances.Holder]] {
    var holders: [String: [Circumstances.Holder]] = [:]
    if paths.isEmpty { return holders }
    let own = getpid()
    for entry in Folder.names(in: "/proc") {
      guard let process = Int32(entry), process != own else { continue }
      for path in open(by: process).intersection(paths) {
        holders[path, default: []].append(
          Circumstances.Holder(name: name(of: process), process: process))
      }
    }
    return holders.mapValues { $0.sorted { $0.process < $1.process } }
  }

  private static func open(by process: Int32) -> Set<String> {
    let folder = "/proc/\(process)/fd"
    return Set(Folder.names(in: folder).compactMap { Folder.target(of: "\(folder)/\($0)") })
  }

  private static func name(of process: Int32) -> String {
    let line = FileBytes.start(of: "/proc/\(process)/comm", upTo: 256) ?? []
    let name = String(decoding: line.prefix { $0 != 0x0a }, as: UTF8.self)
    return name.isEmpty ? "process" : name
  }
}
