import Gliss

/// Says on standard error which devices are read and which cannot be.
final class DeviceNotices {
  /// What is known of the devices once all that are there were looked at.
  enum Situation {
    case reading
    /// None can be read, and there are some.
    case refused
    /// There is none.
    case empty
  }

  private let mask: EventMask
  /// Whose devices are waited for; `nil` where devices were named.
  private let seat: String?
  /// A broker might show more than devices that cannot be read.
  private let mayUseBroker: Bool
  /// Also says what is as it should be.
  private let isTalkative: Bool
  private var names: [DeviceID: String] = [:]
  /// Those that can give what is wanted.
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
    // udev may know nothing of a touchpad
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

  /// What a newcomer does first.
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
      // said of each already
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
