import GlissBroker
import GlissDevices
import GlissEvents

/// Whether keys may be kept from the desktop now: not behind a locked screen, in front of another user's session, or asleep.
///
/// Where logind runs it is asked, and as long as it has not answered nothing is kept. Without it nobody tells.
final class SeatGuard {
  /// Called when ``mayConsume``, ``problem`` or ``deadline`` may have changed.
  var didChange: (() -> Void)?
  private(set) var mayConsume: Bool
  /// Why that cannot be told.
  private(set) var problem: String?

  private let watch: SeatWatch
  private let user: UInt32

  init(_ rule: SeatWatch.Rule, user: UInt32) {
    watch = SeatWatch(rule)
    self.user = user
    mayConsume = rule == .none
    watch.didChange = { [unowned self] in
      mayConsume = Self.mayConsume($0, of: user)
      didChange?()
    }
    watch.didFail = { [unowned self] reason in
      problem = reason.map { "no hotkey is consumed: \($0)" }
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
}
