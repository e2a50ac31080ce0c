/// How to make a device readable, with the smallest grant of access first.
struct AccessAdvice {
  /// The classes of the unreadable devices.
  var classes: DeviceClasses
  /// Without logind nobody is known to be at a seat, so nobody can be given access.
  var hasLogind: Bool

  func advice(on reason: RefusedDevice.Reason) -> [Finding.Advice] {
    switch reason {
    case .notPermitted("root", _): return rules
    case .notPermitted(let group, isMember: true): return [Self.returning(to: group)] + rules
    case .notPermitted(let group, isMember: false):
      return rules + [Self.joining(group, isOther: !rules.isEmpty)]
    case .notAllowedHere, .missing, .notInput, .unknownToUdev, .notTaken, .own, .failed:
      let refused = RefusedDevice(path: "", name: "", reason: reason)
      return refused.advice.map { [.init($0 + ".")] } ?? []
    }
  }

  // MARK: The seat's user

  /// One rule for each device class, so that no more is granted than needed.
  private var rules: [Finding.Advice] {
    guard hasLogind else { return [] }
    var rules: [Finding.Advice] = []
    if classes.contains(.touchpad) {
      rules.append(
        .init(
          "Let whoever sits at the seat read touchpads, and no key. It works at once and after every start.",
          commands: Self.adding("ID_INPUT_TOUCHPAD", "72-gliss-touchpads.rules")))
    }
    if classes.contains(.touchscreen) {
      rules.append(
        .init(
          "Let whoever sits at the seat read touchscreens. Touches on a screen keyboard tell what is typed there.",
          commands: Self.adding("ID_INPUT_TOUCHSCREEN", "72-gliss-touchscreens.rules")))
    }
    return rules
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

  // MARK: The group

  private static func joining(_ group: String, isOther: Bool) -> Finding.Advice {
    .init(
      "\(isOther ? "Or join" : "Join") the group '\(group)' and log in again. Then every program of yours can read"
        + " every key that is typed, passwords too.",
      commands: ["sudo usermod -aG \(group) $USER"])
  }

  private static func returning(to group: String) -> Finding.Advice {
    .init(
      "You are in the group '\(group)', but this login is older than that: log out and in again. Until then, for one"
        + " command:",
      commands: ["sg \(group) -c 'gliss doctor'"])
  }

  /// For users who can read keys and may not want to.
  static let leaving = Finding.Advice(
    "Where gestures are enough, leave the group and let whoever sits at the seat read touchpads alone: docs/access.md.",
    commands: ["sudo gpasswd -d $USER input"])
}
