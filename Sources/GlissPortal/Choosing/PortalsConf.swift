/// The text of a `portals.conf`, of which one key is changed. All other lines stay as they are.
///
/// A user's own file replaces the desktop's wholly, so what is in force is copied into it first.
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

  /// For a desktop without a file: what the portal would use there without one.
  ///
  /// - Parameter backends: those that say they are for this desktop, and then those for any.
  package init(using backends: [String]) {
    lines = [Self.section, "default=" + (backends + ["*"]).joined(separator: ";")]
  }

  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// The backends that are chosen for global shortcuts; `nil` if the file names none, and its
  /// default applies.
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

  /// Takes our backend out, and the line with it if nothing else is on it.
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

  /// A copy of another file, which says so.
  package func copied(from path: String) -> PortalsConf {
    var copy = self
    copy.lines.insert(Self.mark + path, at: 0)
    return copy
  }

  /// The file that this one was copied from; `nil` if it is the user's own.
  package var source: String? {
    lines.first.flatMap { $0.hasPrefix(Self.mark) ? String($0.dropFirst(Self.mark.count)) : nil }
  }

  /// Whether it differs from `original` only by the mark.
  package func isCopy(of original: PortalsConf) -> Bool {
    source != nil && Array(lines.dropFirst()) == original.lines
  }

  // MARK: Lines

  /// The line with our key. Of several the last one counts, as GLib's key files have it.
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
    // behind the section's last line that is not empty
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

extension String {
  /// Its lines, which may end with a carriage return, too: to Swift that is one character with the line
  /// feed.
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
