import GlissEvents

/// The extensions of GNOME Shell that report the focus: ours, and those of two other tools.
enum GnomeExtension: CaseIterable {
  /// packaging/gnome.
  case gliss
  /// fusuma's Appmatcher. It reports no change of a title.
  case appmatcher
  /// xremap's. It reports no change at all, so it is asked.
  case xremap

  var path: String {
    switch self {
    case .gliss: "/org/gliss/Focus"
    case .appmatcher: "/dev/iberianpig/Appmatcher"
    case .xremap: "/com/k0kubun/Xremap"
    }
  }

  var interface: String {
    switch self {
    case .gliss: "org.gliss.Focus"
    case .appmatcher: "dev.iberianpig.Appmatcher"
    case .xremap: "com.k0kubun.Xremap"
    }
  }

  /// Those that report this window.
  static func all(reporting window: FollowedWindow) -> [GnomeExtension] {
    switch window {
    case .focused: allCases
    case .underPointer: [.gliss]
    }
  }

  /// For the pointer, it also makes our extension follow it until the caller leaves the bus.
  func method(for window: FollowedWindow) -> String {
    switch window {
    case .focused: "ActiveWindow"
    case .underPointer: "FollowPointer"
    }
  }

  func signal(for window: FollowedWindow) -> String? {
    switch (self, window) {
    case (.gliss, .underPointer): "WindowUnderPointerChanged"
    case (.gliss, .focused), (.appmatcher, .focused): "ActiveWindowChanged"
    case (.xremap, _), (.appmatcher, .underPointer): nil
    }
  }

  /// Our extension has been enabled again, and has forgotten who follows the pointer.
  func mustCallAgain(after text: String) -> Bool { self == .gliss && text.isEmpty }

  /// A title may be long, and is escaped.
  private static let longestText = 1 << 20

  /// What all of them send: an object, which is empty without a window.
  static func focus(_ text: String) -> Focus {
    guard text.utf8.count <= longestText, let value = JSON(desktop: Array(text.utf8)),
      value.object?.isEmpty == false
    else {
      return .nothing
    }
    let names = ["app_id", "wm_class", "wm_class_instance"].map { value[$0]?.string }
    let window = FocusedWindow(
      names: names, title: value["title"]?.string,
      pid: value["pid"]?.integer.flatMap { Int32(exactly: $0) })
    return window.names.isEmpty && window.title.isEmpty ? .nothing : .window(window)
  }
}
