import GlissDevices

/// One desktop's way to report who has the focus.
///
/// A source lives on the loop of its ``FocusWatch`` and wakes it only when the desktop says
/// something. It makes one attempt: when it fails, a new one is made.
package protocol FocusSource: AnyObject {
  /// Begins to report, now or when the desktop has answered. Nothing is reported any more after a
  /// failure, which may come at any time, or once the source is released.
  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure)
}

/// The window that a source follows.
package enum FollowedWindow: String, Hashable, Sendable, CaseIterable {
  /// The one that has the keyboard focus.
  case focused
  case underPointer

  /// What is asked, in words.
  package var question: String {
    switch self {
    case .focused: "which application has the focus"
    case .underPointer: "which application is under the pointer"
    }
  }
}

/// What a source reports.
package enum FocusReport {
  case focus(Focus)
  case failed(FocusFailure)
}

/// The kinds of source.
package enum FocusKind: String, Hashable, Sendable, CaseIterable {
  case niri
  case hyprland
  case sway
  case wayland
  case kwin
  case gnome
  case x11

  /// What it is, in words.
  package var name: String {
    switch self {
    case .niri: "niri's socket"
    case .hyprland: "Hyprland's socket"
    case .sway: "the socket of sway or i3"
    case .wayland: "the Wayland compositor"
    case .kwin: "a script in KWin"
    case .gnome: "an extension of GNOME"
    case .x11: "the X server"
    }
  }
}

/// Why a source reports nothing, or nothing any more.
package enum FocusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody answers there.
  case unreachable(String, code: Int32)
  /// Another user's program answers there.
  case foreign(String, user: UInt32)
  /// The desktop is there but does not report this.
  case unsupported(String)
  /// The desktop ended the connection.
  case closed
  /// It did not answer in time.
  case silent
  /// It sent something that makes no sense.
  case malformed(String)

  package var description: String {
    switch self {
    case .unreachable(let place, let code):
      "\(place): \(SystemError("", failed: code).problem)"
    case .foreign(let place, let user): "\(place): user \(user) serves it, not you or root"
    case .unsupported(let text): text
    case .closed: "the desktop ended the connection"
    case .silent: "the desktop does not answer"
    case .malformed(let text): "the desktop sent \(text)"
    }
  }
}
