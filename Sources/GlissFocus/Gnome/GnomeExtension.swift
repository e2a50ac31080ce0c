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

  var method: String { "ActiveWindow" }

  var signal: String? {
    switch self {
    case .gliss, .appmatcher: "ActiveWindowChanged"
    case .xremap: nil
    }
  }

  /// What all of them send: an object, which is empty without a window.
  static func focus(_ text: String) -> Focus {
    guard let value = JSON(desktop: Array(text.utf8)), value.object?.isEmpty == false else {
      return .nothing
    }
    let names = ["app_id", "wm_class", "wm_class_instance"].map { value[$0]?.string }
    let window = FocusedWindow(
      names: names, title: value["title"]?.string,
      pid: value["pid"]?.integer.flatMap { Int32(exactly: $0) })
    return window.names.isEmpty && window.title.isEmpty ? .nothing : .window(window)
  }
}
