import Gliss

/// Reports on standard error which devices are read and which cannot be.
final class DeviceNotices {
  /// The situation once all present devices have been examined.
  enum Situation {
    case reading
    /// There are devices, but none can be read.
    case refused
    /// There are no devices.
    case empty
  }

  private let mask: EventMask
  /// The seat whose devices are awaited; `nil` if devices were named.
  private let seat: String?
  /// Whether to mention that a broker might show more than the unreadable devices.
  private let mayUseBroker: Bool
  /// Whether to report successes too.
  private let isTalkative: Bool
  private var names: [DeviceID: String] = [:]
  /// The devices that provide wanted events.
  private var usefulCount = 0
  private var refusedCount = 0

  init(mask: EventMask, seat: String?, mayUseBroker: Bool, isTalkative: Bool) {
    self.mask = mask
    self.seat = seat
    self.mayUseBroker = mayUseBroker
    self.isTalkative = isTalkative
  }

  var situation: Situation {
    if usefulCount > 0 { return .reading }
    return refusedCount > 0 ? .refused : .empty
  }

  func add(_ found: FoundDevice, _ identifier: DeviceID, _ device: Device?) {
    let name = device.map { EventSentence.describe($0) } ?? found.name.printable
    names[identifier] = name
    let need = DeviceNeed(found.classes, for: mask)
    // udev may not know a touchpad
    let isUseful = need == .wanted || found.classes.isEmpty
    if isUseful { usefulCount += 1 }
    guard isTalkative else { return }
    switch need {
    case .helpful:
      Diagnostics.say("reading \(found.path) (\(name)), only for when you type".printable)
    case .wanted, .none:
      Diagnostics.say("reading \(found.path) (\(name))".printable)
      if !isUseful { sayUseless("it gives") }
    }
  }

  func remove(_ identifier: DeviceID) {
    guard let name = names.removeValue(forKey: identifier), isTalkative else { return }
    Diagnostics.say("gone: \(name)")
  }

  func refuse(_ refused: RefusedDevice) {
    refusedCount += 1
    Diagnostics.say("\(refused)".printable)
  }

  func warn(_ text: String) { Diagnostics.say(text.printable) }

  /// Suggests a first step to new users.
  func invite() {
    guard isTalkative, mask.contains(.gesture) else { return }
    Diagnostics.say("put two fingers on the pad and move them; Ctrl-C ends")
  }

  func explainRefusal() {
    Diagnostics.say("no device can be read: 'gliss doctor' says what to do")
    if mayUseBroker, BrokerAsking.isThere {
      Diagnostics.say("a broker is running: 'gliss watch --broker' asks it for the same")
    }
  }

  func explainEmptiness() {
    guard let seat else {
      // already reported for each device
      if !isTalkative { sayUseless("the named devices give") }
      return
    }
    Diagnostics.say("\(seat) has no \(missing) yet: waiting for one to be plugged in".printable)
    Diagnostics.say("'gliss doctor' and 'gliss devices --all' say what there is; Ctrl-C ends")
  }

  private var missing: String {
    if mask == .key { return "keyboard" }
    let isForTouch = mask.isDisjoint(with: [.key, .pointer, .scroll])
    return isForTouch ? "touchpad or touchscreen" : "device for these events"
  }

  private func sayUseless(_ what: String) {
    Diagnostics.say("\(what) nothing of what is printed; 'gliss watch --help' lists --events")
  }
}
