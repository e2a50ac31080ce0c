/// What can be done so that a device can be read, the way that gives away the least first.
struct AccessAdvice {
  /// What the devices are that cannot be read.
  var classes: DeviceClasses
  /// Without it nobody is known to sit at a seat, and nothing can be given to them.
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

  /// One rule for each class of devices, so that no more is given than is wanted.
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

  /// - Parameter file: it must come after `60-input-id.rules`, which say what is a touchpad, and before
  ///   `73-seat-late.rules`, which give what is tagged to the user in front.
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

  /// For those who can read keys and may not want to.
  static let leaving = Finding.Advice(
    "Where gestures are enough, leave the group and let whoever sits at the seat read touchpads alone: docs/access.md.",
    commands: ["sudo gpasswd -d $USER input"])
}
