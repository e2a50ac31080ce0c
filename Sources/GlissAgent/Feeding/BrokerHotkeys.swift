import GlissClient
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys

/// The hotkeys registered at the broker. Those that are still wanted stay registered.
///
/// Several share a connection, because a user may have only a few.
final class BrokerHotkeys {
  var didReceive: ((HotkeyEvent) -> Void)?
  /// Called with the mode that Escape has left.
  var didLeaveMode: ((String) -> Void)?
  var didFail: ((ClientError) -> Void)?
  /// Called when the broker has taken hotkeys away.
  var didChange: (() -> Void)?

  private let path: String
  private let loop: InputLoop
  private var remote: RemoteHotkeys?
  private(set) var ids: [HotkeyRequest: HotkeyID] = [:]
  private var groups: [[HotkeyRequest]] = []
  private var wanted: Set<HotkeyRequest> = []
  private var held: Set<HotkeyID> = []
  private var refusals: [HotkeyRequest: ClientError] = [:]
  /// Hotkeys that are registered but not kept from the desktop, and why.
  private var unconsumed: [HotkeyRequest: ClientError] = [:]

  /// The most hotkeys the broker accepts from a user (`Limits`).
  private static let most = 256
  /// The most connections used for hotkeys. A user may have 32 for all their programs.
  private static let mostGroups = 6

  init(_ path: String, _ loop: InputLoop) {
    self.path = path
    self.loop = loop
  }

  func open() {
    remote = try? RemoteHotkeys(on: loop, path: path)
    remote?.didEnd = { [unowned self] id, error in end(id, error) }
    remote?.didLeaveMode = { [unowned self] in didLeaveMode?($0) }
  }

  func close() {
    remote = nil
    ids = [:]
    groups = []
    held = []
    refusals = [:]
    unconsumed = [:]
  }

  func hasHotkeys(in mode: String?) -> Bool { ids.keys.contains { $0.mode == mode } }

  /// - Returns: whether Escape leaves the mode; `nil` if the broker does not say, or no mode was
  ///   entered.
  func enterMode(_ mode: String?) throws(ClientError) -> Bool? { try remote?.enterMode(mode) }

  /// The rules of `needs` whose hotkeys were refused, and why. Rules with the same reason share a
  /// line.
  func faults(of needs: InputNeeds) -> [String] {
    var faults: [String] = []
    var rules: [String: [Int]] = [:]
    for request in needs.requests {
      guard let fault = fault(request) else { continue }
      if rules[fault] == nil { faults.append(fault) }
      rules[fault, default: []] += needs.rules[request] ?? []
    }
    return faults.map { "\(needs.names(rules[$0] ?? [])): \($0)" }
  }

  private func fault(_ request: HotkeyRequest) -> String? {
    if let refusal = refusals[request] { return refusal.withRest }
    guard let reason = unconsumed[request], ids[request] != nil else { return nil }
    return "acts, but the rest of the desktop gets its keys, too: \(reason.withRest)"
  }

  /// What would have to be granted for hotkeys that were refused.
  var refusedScopes: Set<Scope> {
    var scopes: Set<Scope> = []
    for (request, error) in refusals where error.isAboutGrant {
      let hotkey = request.hotkey
      let needed = Scope.needed(typesNothing: hotkey.typesNothing, isTap: hotkey.isTap)
      if let needed { scopes.insert(needed) }
      if request.consumes { scopes.insert(Scope(tier: .post)) }
    }
    if unconsumed.values.contains(where: \.isAboutGrant) { scopes.insert(Scope(tier: .post)) }
    return scopes
  }

  // MARK: Following

  /// Registers hotkeys that are wanted and missing, and gives back those no longer wanted.
  ///
  /// - Parameter retries: whether what was refused before is requested again.
  func follow(_ requests: [HotkeyRequest], retries: Bool) throws(ClientError) {
    wanted = Set(requests)
    // there may be room now
    refusals = retries ? [:] : refusals.filter { !$0.value.isAboutLimit }
    // each call that adds hotkeys opens a connection; when there are too many, all hotkeys are
    // registered again in as few as possible
    let isGrowing = requests.contains { ids[$0] == nil && refusals[$0] == nil }
    giveBack(all: isGrowing && groups.count >= Self.mostGroups, retries: retries)
    let missing = requests.filter { ids[$0] == nil && refusals[$0] == nil }
    for consumes in [false, true] {
      try register(
        missing.filter { ($0.consumes && unconsumed[$0] == nil) == consumes }, consuming: consumes)
    }
  }

  private func giveBack(all: Bool, retries: Bool) {
    var given: [HotkeyID] = []
    groups = groups.compactMap { group in
      // registering a held hotkey again would release it
      let isHeld = group.contains { ids[$0].map(held.contains) ?? false }
      let isTried = (all && !isHeld) || (retries && group.contains { unconsumed[$0] != nil })
      let kept = isTried ? [] : group.filter(wanted.contains)
      for request in group where isTried || !wanted.contains(request) {
        if let id = ids.removeValue(forKey: request) { given.append(id) }
      }
      return kept.isEmpty ? nil : kept
    }
    if retries { unconsumed = [:] }
    held.subtract(given)
    remote?.unregister(given)
  }

  private func register(_ requests: [HotkeyRequest], consuming: Bool) throws(ClientError) {
    let room = max(0, Self.most - ids.count)
    for request in requests.dropFirst(room) {
      refusals[request] = .limitReached("hotkeys", maximum: Self.most, advice: "leave some out")
    }
    let left = Array(requests.prefix(room))
    guard !left.isEmpty, let remote else { return }
    do throws(ClientError) {
      let given = try remote.register(
        left.map { ("\($0.hotkey)", mode: $0.mode) }, consuming: consuming
      ) { [unowned self] in receive($0) }
      for (request, id) in zip(left, given) {
        ids[request] = id
        if consuming { unconsumed[request] = nil }
      }
      groups.append(left)
    } catch {
      guard error.isRefusal else { throw error }
      try register(left, without: error, consuming: consuming)
    }
  }

  /// Registration is all or nothing: leaves out the refused hotkey and requests the others again.
  private func register(
    _ requests: [HotkeyRequest], without error: ClientError, consuming: Bool
  ) throws(ClientError) {
    let guilty = requests.filter { error.isAbout("\($0.hotkey)") }
    if guilty.isEmpty {
      for request in requests {
        if consuming { unconsumed[request] = error } else { refusals[request] = error }
      }
      // without the right to consume their keys they still work as hotkeys
      if consuming { try register(requests, consuming: false) }
      return
    }
    if guilty.count == 1 {
      refusals[guilty[0]] = error
    } else {
      // the error does not say for which mode it was refused
      for request in guilty { try register([request], consuming: consuming) }
    }
    try register(requests.filter { !guilty.contains($0) }, consuming: consuming)
  }

  private func receive(_ event: HotkeyEvent) {
    var event = event
    // the broker does not say which keyboard it was
    event.device = DeviceID(rawValue: .max)
    if event.phase == .pressed { held.insert(event.hotkey) }
    if event.phase == .released { held.remove(event.hotkey) }
    didReceive?(event)
  }

  private func end(_ id: HotkeyID, _ error: ClientError) {
    guard let request = ids.first(where: { $0.value == id })?.key else { return }
    ids[request] = nil
    held.remove(id)
    guard error.isRefusal else { didFail?(error); return }
    refusals[request] = error
    // a connection ends for all of its hotkeys, one after the other
    guard let group = groups.firstIndex(where: { $0.contains(request) }) else { return }
    groups[group].removeAll { $0 == request }
    guard groups[group].isEmpty else { return }
    groups.remove(at: group)
    didChange?()
  }
}

extension ClientError {
  fileprivate var isAboutLimit: Bool { if case .limitReached = self { true } else { false } }

  var isAboutGrant: Bool {
    switch self {
    case .notGranted, .hotkeyCouldType: true
    case _: false
    }
  }

  fileprivate func isAbout(_ hotkey: String) -> Bool {
    switch self {
    case .hotkeyTaken(let text, _, _), .hotkeyCouldType(let text, _): text == hotkey
    case _: false
    }
  }

  /// The error, and what you must do after its advice: no grant helps a program whose file was
  /// replaced, and nothing reports that the broker may now press keys.
  var withRest: String {
    switch self {
    case .noKeyboard: "\(self); have the rules read again then: gliss reload"
    case _ where isAboutGrant && "\(self)".contains("start it again"):
      "\(self); if systemd runs it: systemctl --user restart gliss"
    case _: "\(self)"
    }
  }
}

/// Takes what comes over a connection to the broker, for as long as this object lives.
final class BrokerWatch {
  private let descriptor: Int32
  private let loop: InputLoop
  private let take: () throws(ClientError) -> Void
  private let didFail: (ClientError) -> Void

  /// - Parameters:
  ///   - take: takes all that has come, without waiting.
  ///   - didFail: called once with the error of `take`, which is not called again.
  init(
    _ descriptor: Int32, on loop: InputLoop, take: @escaping () throws(ClientError) -> Void,
    didFail: @escaping (ClientError) -> Void
  ) throws(ClientError) {
    self.descriptor = descriptor
    self.loop = loop
    self.take = take
    self.didFail = didFail
    do {
      try loop.watch(descriptor) { [weak self] in self?.read() }
    } catch {
      throw .system(error.code)
    }
  }

  deinit { loop.unwatch(descriptor) }

  private func read() {
    // a handler may release this object
    withExtendedLifetime(self) {
      do throws(ClientError) {
        try take()
      } catch {
        loop.unwatch(descriptor)
        didFail(error)
      }
    }
  }
}
