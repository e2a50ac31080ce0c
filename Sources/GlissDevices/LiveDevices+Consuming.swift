import GlissHotkeys
import GlissSession

// Keeping keys from the rest of the desktop.
extension LiveDevices {
  /// Grabs the keyboards hotkeys need again, after the panic chord or a stall of the loop.
  public func resumeConsuming() { grabs?.resume(afterPanic: true) }

  /// Does the same, but only after a stall: it does not undo the user's panic chord.
  package func resumeConsumingAfterStall() { grabs?.resume(afterPanic: false) }

  /// Checks whether keys can be kept from the desktop.
  ///
  /// - Throws: Why not, and what to do about it.
  public func checkConsuming() throws(DeviceError) { try VirtualDevice.checkAccess() }

  /// While modifiers are down on a grabbed keyboard, its twin presses the chords of `keyboard` and
  /// lifts these modifiers meanwhile.
  public func lendTwins(to keyboard: UinputKeyboard) {
    keyboard.elsewhere = { [weak self] in self?.grabs?.press($0) ?? false }
  }

  /// Passes on the keys to consume from now on.
  func tellWishes(_ roster: Roster, _ session: Session) {
    hasNewWishes = false
    roster.grabs.want(mayConsume ? consumed.union(session.hotkeys.consumedKeys) : .none)
  }
}
