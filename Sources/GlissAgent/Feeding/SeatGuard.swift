import GlissBroker
import GlissDevices
import GlissEvents

/// Whether rules may act now, and whether keys may be kept from the desktop: not behind a locked screen, in front of another
/// user's session, or asleep.
///
/// Where logind runs it is asked. As long as it has not answered nothing is kept, and rules act; where nobody's session is
/// active, as on a machine without a screen, too. Without logind nobody tells.
final class SeatGuard {
  /// Called when ``mayConsume``, ``rest``, ``problem`` or ``deadline`` may have changed.
  var didChange: (() -> Void)?
  private(set) var mayConsume: Bool
  /// Why rules rest; `nil` where they act.
  var rest: Rest? { problem == nil ? observed.flatMap { Self.rest($0, of: user) } : nil }
  /// Why that cannot be told.
  private(set) var problem: String?

  private let watch: SeatWatch
  private let user: UInt32
  private var observed: SeatObservation?

  enum Rest: String {
    case locked = "the screen is locked"
    case asleep = "the machine is asleep"
    case elsewhere = "another user's session is active"
  }

  init(_ rule: SeatWatch.Rule, user: UInt32) {
    watch = SeatWatch(rule)
    self.user = user
    mayConsume = rule == .none
    watch.didChange = { [unowned self] in
      observed = $0
      mayConsume = Self.mayConsume($0, of: user)
      didChange?()
    }
    watch.didFail = { [unowned self] reason in
      problem = reason
      didChange?()
    }
    watch.didChangeDeadline = { [unowned self] in didChange?() }
  }

  /// Begins to watch.
  func start(on loop: EventLoop) throws(DeviceError) { try watch.start(on: loop) }

  var deadline: EventTime? { watch.deadline }
  func advance(to time: EventTime) { watch.advance(to: time) }

  /// Root is at home in every session.
  static func mayConsume(_ seat: SeatObservation, of user: UInt32) -> Bool {
    !seat.isLocked && !seat.isAsleep && (user == 0 || seat.activeUser == user)
  }

  /// Root's rules are the machine's.
  static func rest(_ seat: SeatObservation, of user: UInt32) -> Rest? {
    if user == 0 { return nil }
    if let active = seat.activeUser, active != user { return .elsewhere }
    return seat.isAsleep ? .asleep : seat.isLocked ? .locked : nil
  }
}
