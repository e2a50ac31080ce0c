import GlissEvents

/// The text of a `portals.conf`, in which one key is changed. A user's own file completely replaces
/// the desktop's, so the file in force is copied first.
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

  /// Without a file: the backends that the portal uses anyway, first those for this desktop.
  package init(using backends: [String]) {
    lines = [Self.section, "default=" + (backends + ["*"]).joined(separator: ";")]
  }

  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// Chosen for global shortcuts; `nil` if the file names none, so that its default applies.
  package var backends: [String]? { lines.values(of: Self.key, in: Self.section) }
  /// The backends for all interfaces that have no line of their own.
  var defaults: [String] { lines.values(of: "default", in: Self.section) ?? [] }
  /// Without a key the portal looks for another file.
  var hasKeys: Bool { !lines.keys(in: Self.section).isEmpty }

  /// Whether ours comes first. Anywhere in the list, `none` is for no backend at all.
  package var isOn: Bool {
    backends?.first == Self.backend && backends?.contains("none") == false
  }
  package var namesOurs: Bool { (backends ?? defaults).contains(Self.backend) }

  package mutating func turnOn() {
    guard !isOn else { return }
    let others = (backends ?? []).filter { $0 != Self.backend && $0 != "none" }
    set([Self.backend] + others)
  }

  /// Removes our backend, and the line if it names no other.
  package mutating func turnOff() {
    guard let backends, backends.contains(Self.backend) else { return }
    set(backends.filter { $0 != Self.backend })
  }

  /// Leaves global shortcuts to that backend only; `nil` for none.
  mutating func choose(_ backend: String?) { set([backend ?? "none"]) }

  // MARK: Copies

  private static let mark = "# Copied by 'gliss portal on' from "

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

  /// Writes the line for global shortcuts, or removes it if there are no backends.
  private mutating func set(_ backends: [String]) {
    let line = "\(Self.key)=" + backends.joined(separator: ";")
    if let place = lines.place(of: Self.key, in: Self.section) {
      lines.replaceSubrange(place...place, with: backends.isEmpty ? [] : [line])
      return
    }
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
}

/// A backend as its `.portal` file describes it, with the desktops that it is for in lower case.
private typealias PortalBackend = (name: String, interfaces: [String], desktops: [String])

extension [String] {
  /// The keys of a section of a key file, and the indices of their lines.
  fileprivate func keys(in section: String) -> [(key: String, line: Int)] {
    var isInside = false
    var found: [(String, Int)] = []
    for (index, line) in enumerated() {
      let line = line.trimmed
      if line.hasPrefix("[") { isInside = line == section }
      if isInside, !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") {
        found.append((String(line[..<sign]).trimmed, index))
      }
    }
    return found
  }

  /// The line with that key. If there are several, the last one counts, as in GLib's key files.
  fileprivate func place(of key: String, in section: String) -> Int? {
    keys(in: section).last { $0.key == key }?.line
  }

  /// The values of that key, separated by semicolons; `nil` without a line for it.
  fileprivate func values(of key: String, in section: String) -> [String]? {
    place(of: key, in: section).map { place in
      self[place].drop { $0 != "=" }.dropFirst().split(separator: ";").map { String($0).trimmed }
        .filter { !$0.isEmpty }
    }
  }
}

/// Where the portal looks for its files, in its order.
package struct PortalPlaces {
  /// The names of this desktop, most particular first, in lower case.
  package let desktops: [String]
  private let ownFolder: String
  private let configurationFolders: [String]
  private let dataFolders: [String]
  /// Whether the portal reads `portals.conf`: from 1.17 on.
  package var hasConf = true
  private let read: (String) -> String?
  private let list: (String) -> [String]

  /// `read` returns the text of a file if it exists, and `list` the names in a folder.
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

  /// The portal's program, as D-Bus starts it; `nil` if it is not installed.
  package var program: String? {
    let file = "dbus-1/services/org.freedesktop.portal.Desktop.service"
    let text = dataFolders.lazy.compactMap { read("\($0)/\(file)") }.first
    let line = text?.lines.values(of: "Exec", in: "[D-BUS Service]")?.first
    return line?.split(separator: " ").first.map(String.init)
  }

  // MARK: portals.conf

  private func names(in folder: String) -> [String] {
    (desktops.map { "\($0)-portals.conf" } + ["portals.conf"]).map {
      "\(folder)/\(Self.folder)/\($0)"
    }
  }

  private func first(in folders: [String]) -> (path: String, conf: PortalsConf)? {
    guard hasConf else { return nil }
    for path in folders.flatMap(names) {
      if let conf = read(path).map(PortalsConf.init), conf.hasKeys { return (path, conf) }
    }
    return nil
  }

  package var inForce: (path: String, conf: PortalsConf)? { own ?? inherited }

  /// The user's own file, if it is the one in force.
  package var own: (path: String, conf: PortalsConf)? { first(in: [ownFolder]) }

  /// The file that is in force without the user's own.
  package var inherited: (path: String, conf: PortalsConf)? {
    first(in: configurationFolders + dataFolders)
  }

  // MARK: .portal files

  package var description: String? {
    dataFolders.map { "\($0)/\(Self.folder)/portals/\(PortalsConf.backend).portal" }
      .first { read($0) != nil }
  }

  /// All backends in the portal's order: first those for this desktop.
  private var installed: [PortalBackend] {
    var found: [PortalBackend] = []
    for folder in dataFolders.map({ "\($0)/\(Self.folder)/portals" }) {
      for file in list(folder) where file.hasSuffix(".portal") {
        let name = String(file.dropLast(".portal".count))
        guard !found.contains(where: { $0.name == name }), let text = read("\(folder)/\(file)")
        else { continue }
        let interfaces = text.lines.values(of: "Interfaces", in: "[portal]") ?? []
        let desktops = text.lines.values(of: "UseIn", in: "[portal]") ?? []
        found.append((name, interfaces, desktops.map { $0.lowercased() }))
      }
    }
    let ranks = found.map { backend in
      desktops.firstIndex { backend.desktops.contains($0) } ?? desktops.count
    }
    return zip(ranks, found).sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }.map(\.1)
  }

  /// The backends for this desktop other than ours, and then gtk's, which is for any.
  private var backends: [String] {
    let others = installed.filter { $0.name != PortalsConf.backend }
    let gtk = others.map { $0.name }.filter { $0 == "gtk" }
    return others.filter { $0.name != "gtk" && !Set($0.desktops).isDisjoint(with: desktops) }
      .map { $0.name } + gtk
  }

  // MARK: The portal's choice

  /// Whether the portal uses ours for global shortcuts.
  package var isOn: Bool { choice(of: installed, by: inForce?.conf) == PortalsConf.backend }

  /// The backend that the portal would use without ours; `nil` without one.
  package var other: String? { other(by: inForce?.conf) }

  private func other(by conf: PortalsConf?) -> String? {
    choice(of: installed.filter { $0.name != PortalsConf.backend }, by: conf)
  }

  /// By the portal's file, or else the first backend that names this desktop.
  private func choice(of installed: [PortalBackend], by conf: PortalsConf?) -> String? {
    let able = installed.filter { $0.interfaces.contains(PortalsConf.key) }
    if (conf?.backends ?? conf?.defaults ?? []).contains("none") { return nil }
    for name in conf?.backends ?? [] {
      if name == "*" { return able.first?.name }
      if able.contains(where: { $0.name == name }) { return name }
    }
    // here the portal finds nothing for *
    for name in conf?.defaults ?? [] where able.contains(where: { $0.name == name }) {
      return name
    }
    let own = able.first { !Set($0.desktops).isDisjoint(with: desktops) }
    // an old portal takes anything at last
    return (own ?? able.first { !hasConf || $0.name == "gtk" })?.name
  }

  // MARK: Changes

  /// A file to write, or to remove if there is no text.
  package struct Change: Hashable, Sendable {
    package var path: String
    package var text: String?
    /// The file that was copied; `nil` if the file is changed in place.
    package var source: String?
  }

  /// The change that turns our backend on; `nil` if a file says so already.
  package var turningOn: Change? {
    guard inForce?.conf.isOn != true else { return nil }
    return changing { $0.turnOn() }
  }

  /// The change that turns our backend off; `nil` if it is off. A mere copy is removed.
  package var turningOff: Change? {
    if let (path, conf) = own {
      var next = conf
      next.turnOff()
      let isBare = inherited == nil && next == PortalsConf(using: backends)
      let isNeeded = !isBare && inherited.map { next.isCopy(of: $0.conf) } != true
      // without our line, the portal may still choose ours
      let rest = isNeeded ? next : inherited?.conf
      if next != conf, choice(of: installed, by: rest) != PortalsConf.backend {
        return Change(path: path, text: isNeeded ? next.text : nil)
      }
    }
    guard isOn || inForce?.conf.isOn == true else { return nil }
    return changing { conf in
      conf.turnOff()
      conf.choose(other(by: conf))
    }
  }

  /// Changes the user's own file. A new one begins as a copy of the file in force.
  private func changing(_ change: (inout PortalsConf) -> Void) -> Change? {
    guard hasConf else { return nil }
    if let own {
      var conf = own.conf
      change(&conf)
      return Change(path: own.path, text: conf.text)
    }
    let source = inherited
    var conf = source.map { $0.conf.copied(from: $0.path) } ?? PortalsConf(using: backends)
    change(&conf)
    let name = desktops.first.map { "\($0)-portals.conf" } ?? "portals.conf"
    let path = "\(ownFolder)/\(Self.folder)/\(name)"
    // a file without keys, which is not in force, may have comments
    let kept = read(path).map { PortalsConf($0).text } ?? ""
    return Change(path: path, text: kept + conf.text, source: source?.path)
  }
}

extension String {
  /// Split in UTF-8, because for Swift a carriage return and line feed are one character.
  var lines: [String] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
