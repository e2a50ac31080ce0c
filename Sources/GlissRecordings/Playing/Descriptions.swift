import GlissEvents

/// Finds and reads the file that describes the device of a recording without a description.
enum Descriptions {
  private static let extensions = ["desc", "device", "touchpad"]

  /// The description next to a recording: the one whose name is a prefix of the recording's,
  /// otherwise the only one in the folder.
  static func path(beside recording: String) -> String? {
    let (folder, name) = split(recording)
    let found = RecordingInput.names(in: folder).filter { candidate in
      candidate != name && extensions.contains { candidate.hasSuffix(".\($0)") }
    }
    return best(of: found, for: name).map { "\(folder)/\($0)" }
  }

  /// Chooses among the names of the descriptions in one folder.
  static func best(of candidates: [String], for name: String) -> String? {
    let named = candidates.filter { candidate in
      let base = baseName(candidate)
      guard name.hasPrefix(base) else { return false }
      let next = name.dropFirst(base.count).first
      return next.map { ". -_".contains($0) } ?? true
    }
    if let longest = named.max(by: { $0.count < $1.count }) { return longest }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// The device that a file describes; any recording with a description is valid.
  static func read(_ path: String) throws(RecordingError) -> Device {
    do throws(RecordingError) {
      let input = try RecordingInput.open(path)
      var cursor = EventCursor(RecordingReader(description: nil, mayLackDescription: true))
      var buffer = [UInt8](repeating: 0, count: RecordingInput.chunk)
      cursor.fillUntilEvent(from: input, with: &buffer)
      if let device = cursor.devices.first { return device }
      throw cursor.error ?? RecordingError("the file describes no device")
    } catch {
      var error = error
      error.file = path
      throw error
    }
  }

  /// A path's last component without its extension.
  static func baseName(_ path: String) -> String {
    let name = split(path).name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }
}
