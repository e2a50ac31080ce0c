import GlissBroker
import GlissDevices
import GlissEvents
import GlissHotkeys

/// The hotkeys that are registered at the broker: those that stay wanted stay registered.
///
/// Several share a connection, for a user may have few of those.
final class BrokerHotkeys {
  var didHear: ((HotkeyEvent) -> Void)?
  /// Called with the mode that Escape has left.
  var didLeaveMode: ((String) -> Void)?
  /// Called where the broker is lost.
  var didFail: ((ClientError) -> Void)?

  private let path: String
  private let loop: EventLoop
  private var remote: RemoteHotkeys?
  private(set) var ids: [HotkeyWish: HotkeyID] = [:]
  /// Hotkeys that share a connection.
  private var groups: [[HotkeyWish]] = []
  private var wanted: Set<HotkeyWish> = []
  private var refusals: [HotkeyWish: ClientError] = [:]
  /// Those that are registered, but not kept from the desktop, and why.
  private var unconsumed: [HotkeyWish: ClientError] = [:]

  /// What the broker takes of a user (`Limits`).
  private static let most = 256
  /// So many connections at most are for hotkeys; a user may have 32 for all his programs.
  private static let mostGroups = 6

  init(_ path: String, _ loop: EventLoop) {
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
    refusals = [:]
    unconsumed = [:]
  }

  func hasHotkeys(in mode: String?) -> Bool { ids.keys.contains { $0.mode == mode } }

  /// - Returns: whether Escape leaves it; `nil` where that is not told, or none was entered.
  func enterMode(_ mode: String?) throws(ClientError) -> Bool? { try remote?.enterMode(mode) }

  private struct Fault: Hashable {
    var reason: ClientError
    /// It is only not kept from the desktop.
    var acts: Bool
  }

  /// What rules of `demand` do not get, and why; those that share a reason are told together.
  func faults(of demand: FeedDemand) -> [String] {
    var faults: [Fault] = []
    var rules: [Fault: [Int]] = [:]
    for wish in demand.wishes {
      guard let fault = fault(wish) else { continue }
      if rules[fault] == nil { faults.append(fault) }
      rules[fault, default: []] += demand.rules[wish] ?? []
    }
    return faults.map { fault in
      let names = demand.names(rules[fault] ?? [])
      return fault.acts
        ? "\(names): acts, but the rest of the desktop gets its keys, too: \(fault.reason)"
        : "\(names): \(fault.reason)"
    }
  }

  private func fault(_ wish: HotkeyWish) -> Fault? {
    if let refusal = refusals[wish] { return Fault(reason: refusal, acts: false) }
    guard let reason = unconsumed[wish], ids[wish] != nil else { return nil }
    return Fault(reason: reason, acts: true)
  }

  // MARK: Following

  /// Registers what is wanted and not there, and gives back what can be given back.
  func follow(_ demand: FeedDemand) throws(ClientError) {
    wanted = Set(demand.wishes)
    refusals = [:]
    // each time hotkeys come there is one more connection: now and then all begin anew in as few as can be
    giveBack(all: groups.count >= Self.mostGroups)
    for consumes in [false, true] {
      try register(
        demand.wishes.filter { ids[$0] == nil && $0.consumes == consumes }, consuming: consumes)
    }
  }

  private func giveBack(all: Bool) {
    var given: [HotkeyID] = []
    groups = groups.compactMap { group in
      // what was not granted before may be now
      let isTried = all || group.contains { unconsumed[$0] != nil }
      let kept = isTried ? [] : group.filter(wanted.contains)
      for wish in group where isTried || !wanted.contains(wish) {
        unconsumed[wish] = nil
        if let id = ids.removeValue(forKey: wish) { given.append(id) }
      }
      return kept.isEmpty ? nil : kept
    }
    remote?.unregister(given)
  }

  private func register(_ wishes: [HotkeyWish], consuming: Bool) throws(ClientError) {
    var left = wishes
    var failure: ClientError?
    while !left.isEmpty {
      let room = Self.most - ids.count
      let refused = left.dropFirst(max(0, room))
      for wish in refused {
        refusals[wish] = .limitReached(
          "hotkeys", maximum: Self.most, advice: "leave some out")
      }
      left = Array(left.prefix(max(0, room)))
      guard !left.isEmpty, let remote else { return }
      do throws(ClientError) {
        let given = try remote.register(
          left.map { ("\($0.hotkey)", mode: $0.mode) }, consuming: consuming && failure == nil
        ) { [unowned self] in
          hear($0)
        }
        for (wish, id) in zip(left, given) { ids[wish] = id }
        if let failure { for wish in left { unconsumed[wish] = failure } }
        groups.append(left)
        return
      } catch {
        guard error.isAboutRights else { throw error }
        // all or none: the one that is refused is left out, and the others are asked for again
        let guilty = left.filter { error.isAbout("\($0.hotkey)") }
        guard let first = guilty.first else {
          // without the right to keep their keys from others they are still hotkeys
          if consuming, failure == nil {
            failure = error
            continue
          }
          for wish in left { refusals[wish] = error }
          return
        }
        left.removeAll { guilty.contains($0) }
        // in which mode it is refused is not told
        if guilty.count == 1 {
          refusals[first] = error
        } else {
          for wish in guilty { try register([wish], consuming: consuming) }
        }
      }
    }
  }

  private func hear(_ event: HotkeyEvent) {
    var event = event
    // the broker does not say on which keyboard it was
    event.device = DeviceID(rawValue: .max)
    didHear?(event)
  }

  private func end(_ id: HotkeyID, _ error: ClientError) {
    guard let wish = ids.first(where: { $0.value == id })?.key else { return }
    ids[wish] = nil
    guard error.isAboutRights else { didFail?(error); return }
    refusals[wish] = error
  }
}

extension ClientError {
  /// Whether the hotkey with this text is what the broker refuses.
  fileprivate func isAbout(_ hotkey: String) -> Bool {
    switch self {
    case .hotkeyTaken(let text, _), .hotkeyCouldType(let text, _): text == hotkey
    case _: false
    }
  }
}
