package import GlissEvents

/// The window that has the keyboard focus, as the desktop describes it.
public struct FocusedWindow: Hashable, Sendable {
  /// The names of its application: the app id, or the class and then the instance of an X11 window.
  ///
  /// Desktops spell them differently, so compare them without regard to case. It is empty if the
  /// desktop knows none.
  public let names: [String]
  /// The title, or an empty text. Titles can be private: keep them out of logs.
  public let title: String
  /// The process that shows it, if the desktop says so.
  public let pid: Int32?

  /// The longest name and title, in bytes. Some programs put a whole document there.
  static let longestName = 1024
  static let longestTitle = 4096

  /// A window. Names that are `nil`, empty or repeated are left out, and long texts are cut.
  public init(names: [String?], title: String? = nil, pid: Int32? = nil) {
    self.names = names.compactMap { $0?.limited(toBytes: Self.longestName) }.reduce(into: []) {
      if !$1.isEmpty, !$0.contains($1) { $0.append($1) }
    }
    self.title = (title ?? "").limited(toBytes: Self.longestTitle)
    // some desktops write 0 or less for an unknown process
    self.pid = pid.flatMap { $0 > 0 ? $0 : nil }
  }

  /// A window that an object with `pid` and a title describes.
  init(names: [String?], describedBy value: JSON, title: String = "title") {
    self.init(
      names: names, title: value[title]?.string,
      pid: value["pid"]?.integer.flatMap { Int32(exactly: $0) })
  }
}

/// The names only, because descriptions end up in logs.
extension FocusedWindow: CustomStringConvertible {
  public var description: String {
    names.isEmpty ? "a window without a name" : names.joined(separator: ", ")
  }
}

/// What has the focus, as far as it is known.
package enum Focus: Hashable, Sendable {
  /// The desktop has not said yet.
  case unknown
  /// No window: an empty workspace, a launcher or a lock screen.
  case nothing
  case window(FocusedWindow)

  /// A window without any known property does not count.
  init(_ window: FocusedWindow) {
    self = window.names.isEmpty && window.title.isEmpty ? .nothing : .window(window)
  }

  package var window: FocusedWindow? {
    switch self {
    case .window(let window): window
    case .unknown, .nothing: nil
    }
  }
}

extension String {
  /// The longest beginning of at most `limit` bytes that does not split a character's code.
  func limited(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end > startIndex, utf8[end] & 0xc0 == 0x80 { utf8.formIndex(before: &end) }
    return String(self[..<end])
  }
}

extension String {
  /// Decodes text that may have been cut within a character, which is then left out. Other invalid
  /// UTF-8 is replaced.
  init(cut bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    let last = bytes.lastIndex { $0 & 0xc0 != 0x80 } ?? 0
    let length = bytes.isEmpty ? 0 : (~bytes[last]).leadingZeroBitCount
    let isCut = (2...4).contains(length) && bytes.count - last < length
    self = String(decoding: isCut ? bytes[..<last] : bytes[...], as: UTF8.self)
  }
}

extension FollowedWindow {
  package var question: String {
    switch self {
    case .focused: "which application has the focus"
    case .underPointer: "which application is under the pointer"
    }
  }
}

/// The kinds of desktop, by how they are reached.
package enum FocusKind: String, Hashable, Sendable, CaseIterable {
  case niri
  case hyprland
  case sway
  case wayland
  case kwin
  case gnome
  case x11

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

  /// Why this kind of desktop does not do `action`, and an alternative; `nil` if it does.
  package func refusal(of action: DesktopAction) -> String? {
    switch (self, action) {
    case (.niri, .window(.minimize)):
      "niri minimizes no windows: use workspace: next or window: close"
    case (.sway, .window(.maximize)): "sway and i3 maximize no windows: use window: fullscreen"
    case (.wayland, .window(.float)), (.wayland, .window(.tileLeft)),
      (.wayland, .window(.tileRight)):
      "this Wayland compositor lets no program place windows: use keys: with its shortcut"
    case (.wayland, .workspace):
      "this Wayland compositor lets no program switch workspaces: use keys: with its shortcut"
    case (.kwin, .window(.float)), (.gnome, .window(.float)):
      "all windows float on this desktop: use window: maximize, or remove the action"
    case (.x11, .window(.float)):
      "X11 window managers float no window for other programs: use keys: with your shortcut"
    case (.x11, .window(.tileLeft)), (.x11, .window(.tileRight)):
      "X11 window managers tile no window for other programs: use keys: with your shortcut"
    case (.niri, _), (.hyprland, _), (.sway, _), (.wayland, _), (.kwin, _), (.gnome, _),
      (.x11, _):
      nil
    }
  }
}
