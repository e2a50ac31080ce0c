public import GlissSession

/// Live devices in a loop of the program's own: a run loop, a dispatch queue, an event loop of a
/// server.
///
/// Wait until ``descriptor`` is readable and call ``step()``, always on the same thread or queue.
/// ``LiveDevices/handle`` stops it from any thread. When this is released, the reading ends like
/// ``LiveDevices/run(into:)``.
public final class EmbeddedDevices {
  private let devices: LiveDevices
  private let session: Session
  private let roster: Roster
  /// Makes the descriptor readable when the session is due.
  private let timer: LoopTimer

  /// Begins to read `devices` into `session`. The descriptor may be readable already.
  ///
  /// - Throws: If devices cannot be listed or udev cannot be listened to.
  public init(_ devices: LiveDevices, into session: Session) throws(DeviceError) {
    self.devices = devices
    self.session = session
    timer = try LoopTimer(on: devices.loop) {}
    roster = devices.makeRoster(session)
    try devices.begin(roster, session)
    timer.due = devices.deadline(roster, session)
  }

  deinit { devices.end(roster, session) }

  /// Readable when ``step()`` has something to do.
  public var descriptor: Int32 { devices.loop.descriptor }

  /// Delivers what has come, and advances the session. It does not wait.
  ///
  /// - Returns: whether to go on: `false` if it was stopped, or all devices that were named are
  ///   gone.
  /// - Throws: If devices cannot be listed, or the system call fails.
  public func step() throws(DeviceError) -> Bool {
    guard !devices.loop.isStopping, !devices.isOver(roster) else { return false }
    try devices.turn(roster, session, mayWait: false)
    timer.due = devices.deadline(roster, session)
    return !devices.loop.isStopping && !devices.isOver(roster)
  }
}
