import GlissEvents
import GlissSession

// Moving keyboards between libinput and ``Grabs``.
extension Roster {
  var lender: Grabs.Lender {
    Grabs.Lender(
      keyboards: { [unowned self] in others },
      take: { [unowned self] path in
        handed[path].map(DeviceNode.copy) ?? DeviceNode.open(path, isLit: true)
      },
      letGo: { [unowned self] path in libinput?.remove(path) },
      giveBack: { [unowned self] path, identifier in takeBack(path, identifier) },
      ready: { [unowned self] keyboard in ready.add(keyboard) },
      forget: { [unowned self] keyboard in ready.remove(keyboard) })
  }

  /// Lets libinput read the keyboard again. Keys that were down on it are cancelled.
  private func takeBack(_ path: String, _ identifier: DeviceID) {
    session.cancel(identifier, at: EventLoop.now)
    guard let libinput, libinput.add(path, introduce: { _ in (identifier, nil) }) != nil else {
      return remove(path)
    }
    ready.add(libinput)
  }
}
