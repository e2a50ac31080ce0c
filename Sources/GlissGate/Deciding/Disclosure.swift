package import GlissEvents

/// What a client may see of the input: its entitlements, applied to the state of the seat.
/// Everything sent to a client passes through ``visible(_:device:in:)`` and nothing else.
package struct Disclosure: Hashable, Sendable {
  package let uid: UInt32
  package let entitlements: [Entitlement]
  /// The kinds of event it may see in the best case.
  package let mask: EventMask
  /// The classes of keys it may see in the best case.
  private let classes: KeyClasses

  package init(uid: UInt32, entitlements: [Entitlement]) {
    self.uid = uid
    self.entitlements = entitlements
    let shown = entitlements.reduce(into: EventMask()) { $0.formUnion($1.scope.shownEvents) }
    mask = shown.isEmpty ? [] : shown.union(.lost)
    classes = entitlements.reduce(into: KeyClasses()) { $0.formUnion($1.scope.shownKeys) }
  }

  /// The part of `event` that the client may see: the event, possibly with less in it, or `nil`.
  package func visible(_ event: InputEvent, device: String, in state: SeatState) -> InputEvent? {
    guard uid == state.activeUser, !state.isAsleep, !state.isPaused, mask.contains(event.mask)
    else { return nil }
    switch event {
    case .key(let key): return visible(key, device, state).map { .key($0) }
    case .gesture(let gesture):
      if state.isLocked { return nil }
      if shows(.gesture, .raw, device) { return event }
      return shows(.gesture, .gesture, device) ? .gesture(gesture.withoutCentroid) : nil
    case .touch(var frame):
      guard !state.isLocked, shows(.touch, .raw, device) else { return nil }
      // the pad's button belongs to the pointer
      if !shows(.pointer, .raw, device) { frame.isButtonDown = false }
      return .touch(frame)
    case .button, .motion, .scroll, .device:
      return !state.isLocked && shows(event.mask, .raw, device) ? event : nil
    case .lost(let loss): return visible(loss, device, state).map { .lost($0) }
    case .hotkey: return nil
    }
  }

  private func shows(_ kind: EventMask, _ tier: Tier, _ device: String) -> Bool {
    entitlements.contains {
      $0.scope.tier == tier && $0.scope.events.contains(kind) && $0.scope.isOn(device)
    }
  }

  /// A loss is reported only to clients that might have been shown some of the lost events. It
  /// never reveals that keys of a secret were among them. The time of the device's last event may
  /// be a key's, so only clients that are shown all keys get it.
  private func visible(_ loss: LossEvent, _ device: String, _ state: SeatState) -> LossEvent? {
    guard !state.isLocked else { return nil }
    var left = loss
    var shown: EventMask = []
    var keys: KeyClasses = []
    for entitlement in entitlements where entitlement.scope.isOn(device) {
      shown.formUnion(entitlement.scope.shownEvents)
      keys.formUnion(entitlement.scope.shownKeys)
    }
    if state.isInputSecure {
      shown.remove(.key)
      keys = []
    }
    if loss.kinds.contains(.key), !keys.isSuperset(of: .all) { left.since = nil }
    left.kinds.formIntersection(shown)
    return left.kinds.isEmpty ? nil : left
  }

  /// The key, if its classes are granted, without anything that reveals keys of other classes.
  ///
  /// Modifiers belong to the seat, not to a device. A grant for some devices does not reveal what
  /// is held on the others.
  private func visible(_ key: KeyEvent, _ device: String, _ state: SeatState) -> KeyEvent? {
    let own = key.key.classes
    guard classes.isSuperset(of: own), !state.isInputSecure,
      !state.isLocked || KeyClasses.whileLocked.contains(own)
    else { return nil }
    var granted: KeyClasses = []
    var grantedEverywhere: KeyClasses = []
    for entitlement in entitlements
    where entitlement.scope.showsKeys && entitlement.availability.holds(in: state) {
      guard let devices = entitlement.scope.devices else {
        grantedEverywhere.formUnion(entitlement.scope.keys)
        continue
      }
      if devices.contains(device) { granted.formUnion(entitlement.scope.keys) }
    }
    granted.formUnion(grantedEverywhere)
    guard granted.isSuperset(of: own) else { return nil }
    var left = key
    if state.isLocked || !granted.contains(.typing) {
      (left.keysym, left.base, left.typed) = (0, KeyBase(), .none)
    }
    if state.isLocked || !grantedEverywhere.contains(.modifiers) { left.modifiers = [] }
    return left
  }
}

extension KeyClasses {
  /// The only input that is shown to anyone while the screen is locked.
  static let whileLocked: KeyClasses = .media
}

// `events` counts only in the tiers gesture and raw, `keys` only in raw with the key event
extension Scope {
  fileprivate var shownEvents: EventMask {
    switch tier {
    case .raw: events
    case .gesture: events.intersection(.gesture)
    case .hotkey, .post: []
    }
  }

  fileprivate var showsKeys: Bool { tier == .raw && events.contains(.key) }

  fileprivate var shownKeys: KeyClasses { showsKeys ? keys : [] }

  fileprivate func isOn(_ device: String) -> Bool { devices?.contains(device) ?? true }
}

extension Availability {
  /// Whether it holds now. The caller limits it to media keys while the screen is locked.
  fileprivate func holds(in state: SeatState) -> Bool {
    switch self {
    case .whenUnlocked: !state.isLocked
    case .afterFirstUnlock: !state.isLocked || state.wasUnlocked
    case .always: true
    }
  }
}

/// The state of the seat at one instant, apart from the grants.
package struct SeatState: Hashable, Sendable {
  /// The user whose session is active; `nil` if no session is active or its user is unknown.
  package var activeUser: UInt32?
  package var session: String?
  package var isLocked = false
  /// The screen has been unlocked since this session began.
  package var wasUnlocked = true
  /// The machine is asleep or about to sleep.
  package var isAsleep = false
  package var isPaused = false
  package var isInputSecure = false

  package init(activeUser: UInt32? = nil, session: String? = nil) {
    self.activeUser = activeUser
    self.session = session
  }

  /// Whether hotkeys are reported to `uid` now. Secure input stops those that could type, as it
  /// stops raw keys.
  package func reportsHotkeys(of uid: UInt32, couldType: Bool) -> Bool {
    uid == activeUser && !isLocked && !isAsleep && !isPaused && !(couldType && isInputSecure)
  }
}
