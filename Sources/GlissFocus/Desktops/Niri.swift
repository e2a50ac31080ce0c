import GlissEvents

/// niri's protocol: each event is a line of JSON, and the first ones give the whole state.
///
/// Unknown fields and events are ignored, because any version of niri may add some.
package struct NiriMachine: FocusMachine {
  package private(set) var focus = Focus.unknown
  private var windows: [JSON: FocusedWindow] = [:]
  private var focused: JSON?
  private var input = InputBuffer()
  package init() {}

  package var greeting: [UInt8] { Array("\"EventStream\"\n".utf8) }

  package mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    input.append(bytes)
    while let line = try input.takeLine() {
      // ignore a line that cannot be read: its event, or a title in it, is not needed
      guard case .object(let members)? = JSON(desktop: line) else { continue }
      for member in members { try take(member.name, member.value) }
    }
    return []
  }

  private mutating func take(_ event: String, _ value: JSON) throws(DesktopFailure) {
    switch event {
    case "Err": throw .unsupported("niri has no events, which begin with version 0.1.9")
    case "WindowsChanged":
      windows = [:]
      focused = nil
      for window in value["windows"]?.array ?? [] { add(window) }
      focus = .nothing
    case "WindowOpenedOrChanged": if let window = value["window"] { add(window) }
    case "WindowClosed": if let number = value["id"] { windows[number] = nil }
    case "WindowFocusChanged": focused = value["id"]
    case _: return
    }
    // nothing is known before the first list
    guard focus != .unknown else { return }
    focus = focused.flatMap { windows[$0] }.map(Focus.window) ?? .nothing
  }

  private mutating func add(_ window: JSON) {
    guard let number = window["id"] else { return }
    windows[number] = FocusedWindow(names: [window["app_id"]?.string], describedBy: window)
    switch window["is_focused"]?.bool {
    case true: focused = number
    case false where focused == number: focused = nil
    case false, nil: break
    }
  }
}

/// One action for niri: a line of JSON each way.
struct NiriAction: DesktopMachine {
  private(set) var report: FocusKind?
  private let request: JSON?
  private var input = InputBuffer()

  init(_ action: DesktopAction?) { request = action.flatMap(Self.request) }

  var greeting: [UInt8] {
    let line: JSON = request.map { ["Action": $0] } ?? "Version"
    return line.encoded + [0x0a]
  }

  /// `nil` if niri cannot do it. Its workspaces are stacked, and its windows are side by side.
  static func request(for action: DesktopAction) -> JSON? {
    switch action {
    case .window(.close): ["CloseWindow": ["id": .null]]
    case .window(.minimize): nil
    case .window(.maximize): ["MaximizeColumn": [:]]
    case .window(.fullscreen): ["FullscreenWindow": ["id": .null]]
    case .window(.float): ["ToggleWindowFloating": ["id": .null]]
    case .window(.tileLeft): ["MoveColumnLeft": [:]]
    case .window(.tileRight): ["MoveColumnRight": [:]]
    case .workspace(.next): ["FocusWorkspaceDown": [:]]
    case .workspace(.previous): ["FocusWorkspaceUp": [:]]
    case .workspace(.number(let number)):
      ["FocusWorkspace": ["reference": ["Index": .integer(Int64(number))]]]
    }
  }

  mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    input.append(bytes)
    guard let line = try input.takeLine() else { return [] }
    let answer = JSON(desktop: line)
    guard request == nil || answer?["Ok"] != nil else {
      throw .refused("niri: \(answer?["Err"]?.string ?? "gave no answer that can be read")")
    }
    report = .niri
    return []
  }
}
