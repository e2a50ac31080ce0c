/// sway's sockets, and its list of windows.
///
/// sway's own events name a window fully but do not say when a launcher or a lock screen takes the focus
/// away; then no window of the list is activated.
final class LauncherAwareSource: FocusSource {
  private let events: any FocusSource
  private let list: any FocusSource
  private var named = Focus.unknown
  /// `nil` if there is no list.
  private var listed: Focus? = .unknown
  private var reported = Focus.unknown
  private var report: ((FocusReport) -> Void)?

  init(_ events: any FocusSource, list: any FocusSource) {
    self.events = events
    self.list = list
  }

  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure) {
    self.report = report
    try events.start { [weak self] in
      guard let self else { return }
      switch $0 {
      case .focus(let focus):
        named = focus
        reportChange()
      case .failed: self.report?($0)
      }
    }
    do throws(FocusFailure) {
      try list.start { [weak self] in
        guard let self else { return }
        switch $0 {
        case .focus(let focus): listed = focus
        case .failed where listed == .unknown: listed = nil
        // sway ends the connection of a client that reads too slowly: both are made anew
        case .failed: self.report?($0)
        }
        reportChange()
      }
    } catch {
      listed = nil
    }
  }

  private func reportChange() {
    let focus: Focus =
      switch listed {
      case .unknown: .unknown
      case .nothing: .nothing
      case .window, nil: named
      }
    guard focus != reported, focus != .unknown else { return }
    reported = focus
    report?(.focus(focus))
  }
}
