/// The text of a `portals.conf`, in which one key is changed. All other lines stay as they are.
///
/// A user's own file completely replaces the desktop's, so the file in force is copied first.
package struct PortalsConf: Hashable, Sendable {
  package static let key = "org.freedesktop.impl.portal.GlobalShortcuts"
  package static let backend = "gliss"
  private static let section = "[preferred]"

  /// Without their line ends.
  private var lines: [String]

  package init(_ text: String) {
    lines = text.lines
    if lines.last == "" { lines.removeLast() }
  }

  /// For a desktop without a file: the backends that the portal uses there anyway.
  ///
  /// - Parameter backends: first those for this desktop, and then those for any.
  package init(using backends: [String]) {
    lines = [Self.section, "default=" + (backends + ["*"]).joined(separator: ";")]
  }

  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// The backends chosen for global shortcuts; `nil` if the file names none, so that its default
  /// applies.
  package var backends: [String]? { place.map { Self.value(lines[$0]) } }

  /// Whether ours comes first.
  package var isOn: Bool { backends?.first == Self.backend }

  /// Puts our backend first.
  package mutating func turnOn() {
    guard !isOn else { return }
    guard let place else { return add("\(Self.key)=\(Self.backend)") }
    let others = Self.value(lines[place]).filter { $0 != Self.backend && $0 != "none" }
    lines[place] = "\(Self.key)=" + ([Self.backend] + others).joined(separator: ";")
  }

  /// Removes our backend, and the line if it names no other.
  package mutating func turnOff() {
    guard let place else { return }
    let names = Self.value(lines[place])
    let others = names.filter { $0 != Self.backend }
    guard others != names else { return }
    if others.isEmpty {
      lines.remove(at: place)
    } else {
      lines[place] = "\(Self.key)=" + others.joined(separator: ";")
    }
  }

  // MARK: Copies

  private static let mark = "# Copied by 'gliss portal on' from "

  /// A copy that says which file it is from.
  package func copied(from path: String) -> PortalsConf {
    var copy = self
    copy.lines.insert(Self.mark + path, at: 0)
    return copy
  }

  /// Whether it differs from `original` only by the first line, which says that it is a copy.
  package func isCopy(of original: PortalsConf) -> Bool {
    lines.first?.hasPrefix(Self.mark) == true && Array(lines.dropFirst()) == original.lines
  }

  // MARK: Lines

  /// The line with our key. If there are several, the last one counts, as in GLib's key files.
  private var place: Int? {
    var isInside = false
    var found: Int?
    for (index, line) in lines.enumerated() {
      let line = line.trimmed
      if line.hasPrefix("[") { isInside = line == Self.section }
      if isInside, !line.hasPrefix("#"), let sign = line.firstIndex(of: "="),
        String(line[..<sign]).trimmed == Self.key
      {
        found = index
      }
    }
    return found
  }

  private mutating func add(_ line: String) {
    guard let start = lines.lastIndex(where: { $0.trimmed == Self.section }) else {
      if let last = lines.last, !last.isEmpty { lines.append("") }
      lines += [Self.section, line]
      return
    }
    // after the section's last line that is not empty
    let after = lines[(start + 1)...]
    let end = after.firstIndex { $0.trimmed.hasPrefix("[") } ?? lines.count
    let last = lines[..<end].lastIndex { !$0.trimmed.isEmpty } ?? start
    lines.insert(line, at: last + 1)
  }

  private static func value(_ line: String) -> [String] {
    guard let sign = line.firstIndex(of: "=") else { return [] }
    return line[line.index(after: sign)...].split(separator: ";").map { String($0).trimmed }
      .filter { !$0.isEmpty }
  }
}

/// Where the portal looks for its files, in its order.
package struct PortalPlaces {
  /// The names of this desktop, most particular first, in lower case.
  package let desktops: [String]
  /// The user's own folder for settings.
  private let ownFolder: String
  private let configurationFolders: [String]
  private let dataFolders: [String]
  private let read: (String) -> String?
  private let list: (String) -> [String]

  /// - Parameters:
  ///   - read: the text of a file; `nil` if there is none.
  ///   - list: the names in a folder.
  package init(
    environment: (String) -> String?, home: String, read: @escaping (String) -> String?,
    list: @escaping (String) -> [String]
  ) {
    func folders(_ name: String, _ standard: String) -> [String] {
      let value = environment(name) ?? ""
      return (value.isEmpty ? standard : value).split(separator: ":").map(String.init)
        .filter { $0.hasPrefix("/") }
    }
    desktops = (environment("XDG_CURRENT_DESKTOP") ?? "").lowercased().split(separator: ":")
      .map(String.init)
    ownFolder = folders("XDG_CONFIG_HOME", home + "/.config").first ?? home + "/.config"
    configurationFolders = folders("XDG_CONFIG_DIRS", "/etc/xdg") + ["/etc"]
    dataFolders =
      folders("XDG_DATA_HOME", home + "/.local/share")
      + folders("XDG_DATA_DIRS", "/usr/local/share:/usr/share") + ["/usr/share"]
    (self.read, self.list) = (read, list)
  }

  private static let folder = "xdg-desktop-portal"

  /// Desktops whose own backend serves applications.
  private static let others = ["kde": "KDE", "gnome": "GNOME", "hyprland": "Hyprland"]

  /// The desktop, if it has a backend of its own.
  package var desktopWithBackend: String? { desktops.lazy.compactMap { Self.others[$0] }.first }

  // MARK: portals.conf

  private func names(in folder: String) -> [String] {
    (desktops.map { "\($0)-portals.conf" } + ["portals.conf"]).map {
      "\(folder)/\(Self.folder)/\($0)"
    }
  }

  private func first(in folders: [String]) -> (path: String, conf: PortalsConf)? {
    for path in folders.flatMap(names) {
      if let text = read(path) { return (path, PortalsConf(text)) }
    }
    return nil
  }

  /// The file in force; `nil` without one.
  package var inForce: (path: String, conf: PortalsConf)? { own ?? inherited }

  /// The user's own file, if it is the one in force.
  package var own: (path: String, conf: PortalsConf)? { first(in: [ownFolder]) }

  /// The file that is in force without the user's own.
  package var inherited: (path: String, conf: PortalsConf)? {
    first(in: configurationFolders + dataFolders)
  }

  // MARK: .portal files

  /// Where our backend is described; `nil` if it is not installed.
  package var description: String? {
    dataFolders.map { "\($0)/\(Self.folder)/portals/\(PortalsConf.backend).portal" }
      .first { read($0) != nil }
  }

  /// The backends for this desktop, and then gtk's, which is for any.
  private var backends: [String] {
    var found: [String] = []
    var hasGtk = false
    for folder in dataFolders.map({ "\($0)/\(Self.folder)/portals" }) {
      for name in list(folder).sorted() where name.hasSuffix(".portal") {
        let backend = String(name.dropLast(".portal".count))
        guard backend != PortalsConf.backend, !found.contains(backend),
          let text = read("\(folder)/\(name)")
        else { continue }
        if backend == "gtk" {
          hasGtk = true
        } else if isForThisDesktop(text) {
          found.append(backend)
        }
      }
    }
    return found + (hasGtk ? ["gtk"] : [])
  }

  private func isForThisDesktop(_ text: String) -> Bool {
    text.lines.contains { line in
      guard line.hasPrefix("UseIn=") else { return false }
      return line.dropFirst(6).lowercased().split(separator: ";")
        .contains { desktops.contains(String($0)) }
    }
  }

  // MARK: Changes

  /// A file to write, or to remove if there is no text.
  package struct Change: Hashable, Sendable {
    package var path: String
    package var text: String?
    /// The file that was copied; `nil` if the file is changed in place.
    package var source: String?

    package init(path: String, text: String?, source: String? = nil) {
      self.path = path
      self.text = text
      self.source = source
    }
  }

  /// The change that turns our backend on; `nil` if it is on.
  package var turningOn: Change? {
    if let (path, conf) = own {
      var next = conf
      next.turnOn()
      return next == conf ? nil : Change(path: path, text: next.text)
    }
    let name = desktops.first.map { "\($0)-portals.conf" } ?? "portals.conf"
    let path = "\(ownFolder)/\(Self.folder)/\(name)"
    var next: PortalsConf
    let source = inherited
    if let source {
      if source.conf.isOn { return nil }
      next = source.conf.copied(from: source.path)
    } else {
      next = PortalsConf(using: backends)
    }
    next.turnOn()
    return Change(path: path, text: next.text, source: source?.path)
  }

  /// The change that turns our backend off; `nil` if it is off. A mere copy is removed.
  package var turningOff: Change? {
    guard let (path, conf) = own else { return nil }
    var next = conf
    next.turnOff()
    guard next != conf else { return nil }
    let isBare = inherited == nil && next == PortalsConf(using: backends)
    if isBare || inherited.map({ next.isCopy(of: $0.conf) }) == true {
      return Change(path: path, text: nil)
    }
    return Change(path: path, text: next.text)
  }
}

extension String {
  /// Its lines, split at line feeds in UTF-8, because for Swift a carriage return and line feed are
  /// one character.
  var lines: [String] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  fileprivate var trimmed: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    return String(text)
  }
}
