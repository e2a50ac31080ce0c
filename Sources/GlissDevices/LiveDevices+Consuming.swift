import GlissHotkeys
import GlissSession

// Keys that are kept from the rest of the desktop.
extension LiveDevices {
  /// After the panic chord, or where the loop had stalled: keyboards are grabbed again where hotkeys need it.
  public func resumeConsuming() { grabs?.resume(afterPanic: true) }

  /// The same after a stall only: what the person at the keyboard has ended stays so.
  package func resumeConsumingAfterStall() { grabs?.resume(afterPanic: false) }

  /// Whether keys could be kept from the desktop.
  ///
  /// - Throws: why not, and what to do about it.
  public func checkConsuming() throws(DeviceError) { try VirtualDevice.checkAccess() }

  /// Chords that `keyboard` presses are pressed by a grabbed keyboard's twin while modifiers are down on that, which are
  /// lifted meanwhile.
  public func lendTwins(to keyboard: UinputKeyboard) {
    keyboard.elsewhere = { [weak self] in self?.grabs?.press($0) ?? false }
  }

  /// Hands on which keys are kept from now on.
  func tellWishes(_ roster: Roster, _ session: Session) {
    hasNewWishes = false
    roster.grabs.want(mayConsume ? consumed.union(session.hotkeys.consumedKeys) : .none)
  }
}
