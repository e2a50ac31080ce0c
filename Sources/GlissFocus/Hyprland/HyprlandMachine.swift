import GlissEvents

/// Hyprland's events: a line for each.
///
/// An event gives class and title separated by a comma, cut at 1024 bytes. Both may contain commas, so
/// Hyprland is asked what they are; only if it does not answer, the event is taken as it is.
struct HyprlandMachine {
  private(set) var focus = Focus.unknown
  /// The focus has changed since Hyprland was asked.
  private(set) var mustAsk = true
  /// What the last event said.
  private var event = Focus.unknown
  private var input = InputBuffer()

  static let question = Array("j/activewindow".utf8)
  /// Of one line, with room for longer ones than Hyprland sends.
  private static let longestLine = 1 << 20

  mutating func receive(_ bytes: [UInt8]) throws(FocusFailure) {
    input.append(bytes)
    while let line = input.takeLine() {
      guard let separator = line.firstIndex(of: UInt8(ascii: ">")) else { continue }
      guard line[..<separator].elementsEqual("activewindow".utf8) else { continue }
      event = Self.focus(line[separator...].dropFirst(2))
      // nothing needs no question
      if event == .nothing { focus = event }
      mustAsk = event != .nothing
    }
    guard input.count <= Self.longestLine else { throw .malformed("a line without an end") }
  }

  private static func focus(_ data: ArraySlice<UInt8>) -> Focus {
    let parts = data.split(
      separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(cut: parts[0])
    let title = parts.count > 1 ? String(cut: parts[1]) : ""
    if name.isEmpty, title.isEmpty { return .nothing }
    return .window(FocusedWindow(names: [name], title: title))
  }

  mutating func asked() { mustAsk = false }

  /// Whether the last event said that nothing has the focus, which no earlier answer changes.
  var isCertain: Bool { event == .nothing }

  /// Takes the answer to ``question``, or `nil` if Hyprland gave none.
  ///
  /// - Returns: `false` if nothing is known, neither from the answer nor from an event.
  mutating func answered(_ bytes: [UInt8]?) -> Bool {
    guard let answer = bytes.flatMap(JSON.init(desktop:)), case .object(let members) = answer else {
      focus = event
      return event != .unknown
    }
    guard !members.isEmpty else {
      focus = .nothing
      return true
    }
    focus = .window(
      FocusedWindow(
        names: [answer["class"]?.string, answer["initialClass"]?.string],
        title: answer["title"]?.string, pid: answer["pid"]?.integer.flatMap { Int32(exactly: $0) }))
    return true
  }
}
