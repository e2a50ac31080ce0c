import GlissEvents

/// One action for niri: a line of JSON each way.
struct NiriAction: ActionMachine {
  private let action: DesktopAction?
  private var input = InputBuffer()

  init(_ action: DesktopAction?) { self.action = action }

  var greeting: [UInt8] {
    guard let action, let request = Self.request(for: action) else {
      return Array("\"Version\"\n".utf8)
    }
    return JSON.object([.init("Action", request)]).encoded + [0x0a]
  }

  /// `nil` if niri has no such thing. Workspaces are below each other, and windows beside each other.
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

  mutating func receive(_ bytes: [UInt8]) throws(ActionFailure) -> ActionStep {
    input.append(bytes)
    guard let line = input.takeLine() else { return .send([]) }
    guard let action else { return .done }
    if let refusal = FocusKind.niri.refusal(of: action) { throw .refused(refusal) }
    let answer = JSON(desktop: line)
    if answer?["Ok"] != nil { return .done }
    throw .refused("niri: \(answer?["Err"]?.string ?? "gave no answer that can be read")")
  }
}
