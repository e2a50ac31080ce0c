import GlissEvents

/// One dispatch for Hyprland, whose connection ends with the answer.
///
/// With a configuration in Lua, since version 0.55, Hyprland takes an expression instead of the words
/// of before, and says nothing of it but the error that the words are. So both are tried.
struct HyprlandAction: ActionMachine {
  private let action: DesktopAction?
  private var isLua = false
  private var answer: [UInt8] = []

  init(_ action: DesktopAction?) { self.action = action }

  var greeting: [UInt8] {
    guard let action else { return Array("version".utf8) }
    return Array("dispatch \(isLua ? Self.expression(for: action) : Self.words(for: action))".utf8)
  }

  /// The special workspace is where windows are put away; moving is what tiling comes to.
  static func words(for action: DesktopAction) -> String {
    switch action {
    case .window(.close): "killactive"
    case .window(.minimize): "movetoworkspacesilent special"
    case .window(.maximize): "fullscreen 1"
    case .window(.fullscreen): "fullscreen 0"
    case .window(.float): "togglefloating"
    case .window(.tileLeft): "movewindow l"
    case .window(.tileRight): "movewindow r"
    case .workspace(let target): "workspace \(selector(of: target))"
    }
  }

  static func expression(for action: DesktopAction) -> String {
    switch action {
    case .window(.close): "hl.dsp.window.close()"
    case .window(.minimize): #"hl.dsp.window.move({ workspace = "special", follow = false })"#
    case .window(.maximize): #"hl.dsp.window.fullscreen({ mode = "maximized" })"#
    case .window(.fullscreen): #"hl.dsp.window.fullscreen({ mode = "fullscreen" })"#
    case .window(.float): #"hl.dsp.window.float({ action = "toggle" })"#
    case .window(.tileLeft): #"hl.dsp.window.move({ direction = "l" })"#
    case .window(.tileRight): #"hl.dsp.window.move({ direction = "r" })"#
    case .workspace(let target): "hl.dsp.focus({ workspace = \"\(selector(of: target))\" })"
    }
  }

  /// Of those that exist, as its own example does.
  private static func selector(of target: WorkspaceTarget) -> String {
    switch target {
    case .next: "e+1"
    case .previous: "e-1"
    case .number(let number): "\(number)"
    }
  }

  mutating func receive(_ bytes: [UInt8]) throws(ActionFailure) -> ActionStep {
    answer += bytes
    return .send([])
  }

  mutating func ended() throws(ActionFailure) -> ActionStep {
    let text = String(decoding: answer, as: UTF8.self)
    answer = []
    if text.isEmpty { throw .absent(.closed) }
    if action == nil || text.hasPrefix("ok") { return .done }
    guard !isLua, text.hasPrefix("error") else {
      throw .refused("Hyprland: \(text.prefix { !$0.isNewline })")
    }
    isLua = true
    return .reconnect
  }
}
