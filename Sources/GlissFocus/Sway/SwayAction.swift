import GlissEvents

/// One command for sway or i3 (sway-ipc(7)).
struct SwayAction: ActionMachine {
  private static let runCommand: UInt32 = 0

  private let action: DesktopAction?
  private var input = InputBuffer()

  init(_ action: DesktopAction?) { self.action = action }

  /// Without an action a version is asked for, which both know.
  var greeting: [UInt8] {
    guard let action else { return SwayMachine.message(7) }
    return SwayMachine.message(Self.runCommand, Self.command(for: action) ?? "nop")
  }

  /// `nil` if they have no such thing. Scratchpad and left half are what comes nearest.
  static func command(for action: DesktopAction) -> String? {
    switch action {
    case .window(.close): "kill"
    case .window(.minimize): "move scratchpad"
    case .window(.maximize): nil
    case .window(.fullscreen): "fullscreen toggle"
    case .window(.float): "floating toggle"
    case .window(.tileLeft): "floating disable, move left"
    case .window(.tileRight): "floating disable, move right"
    case .workspace(.next): "workspace next"
    case .workspace(.previous): "workspace prev"
    case .workspace(.number(let number)): "workspace number \(number)"
    }
  }

  mutating func receive(_ bytes: [UInt8]) throws(ActionFailure) -> ActionStep {
    input.append(bytes)
    let frame: SwayMachine.Frame?
    do throws(FocusFailure) { frame = try SwayMachine.takeFrame(from: &input) } catch {
      throw .absent(error)
    }
    guard let frame else { return .send([]) }
    guard let action else { return .done }
    if let refusal = FocusKind.sway.refusal(of: action) { throw .refused(refusal) }
    let results = JSON(desktop: frame.payload)?.array ?? []
    guard !results.isEmpty else { throw .refused("sway or i3 gave no answer that can be read") }
    for result in results where result["success"]?.bool != true {
      throw .refused("sway or i3: \(result["error"]?.string ?? "refused")")
    }
    return .done
  }
}
