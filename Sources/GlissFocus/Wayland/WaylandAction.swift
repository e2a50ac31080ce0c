import GlissEvents

/// One action by wlr-foreign-toplevel-management: it lists the windows, asks for what is done with the
/// activated one, and waits until the compositor has read that.
struct WaylandAction: ActionMachine {
  private enum Object {
    static let display: UInt32 = 1
    static let registry: UInt32 = 2
    static let globalsSync: UInt32 = 3
    static let manager: UInt32 = 4
    static let listSync: UInt32 = 5
    static let lastSync: UInt32 = 6
  }

  /// The elements of a window's state.
  private enum State {
    static let maximized: UInt32 = 0
    static let fullscreen: UInt32 = 3
  }

  /// The requests of a window. Those for full screen came with version 2.
  private enum Request {
    static let setMaximized: UInt16 = 0
    static let unsetMaximized: UInt16 = 1
    static let setMinimized: UInt16 = 2
    static let close: UInt16 = 5
    static let setFullscreen: UInt16 = 8
    static let unsetFullscreen: UInt16 = 9
  }

  private let action: DesktopAction?
  private var found: (global: UInt32, version: UInt32)?
  private var hasCosmic = false
  private var states: [UInt32: Set<UInt32>] = [:]
  /// The window that was activated last.
  private var activated: UInt32?
  private var input = InputBuffer()

  init(_ action: DesktopAction?) { self.action = action }

  var greeting: [UInt8] { WaylandMachine().greeting }

  mutating func receive(_ bytes: [UInt8]) throws(ActionFailure) -> ActionStep {
    input.append(bytes)
    var answer: [UInt8] = []
    while let message = try next() {
      switch try take(message) {
      case .send(let bytes): answer += bytes
      case .reconnect, .done: return .done
      }
    }
    return .send(answer)
  }

  private mutating func next() throws(ActionFailure) -> WaylandMessage? {
    do throws(FocusFailure) { return try WaylandMessage(from: &input) } catch {
      throw .absent(error)
    }
  }

  private mutating func take(_ message: WaylandMessage) throws(ActionFailure) -> ActionStep {
    switch (message.object, message.operation) {
    case (Object.display, 0): throw .absent(.malformed("a Wayland error"))
    case (Object.globalsSync, 0): return try bind()
    case (Object.listSync, 0): return .send(try act())
    case (Object.lastSync, 0): return .done
    case _:
      do throws(FocusFailure) { try note(message) } catch { throw .absent(error) }
      return .send([])
    }
  }

  /// A global, a new window, or the state of one.
  private mutating func note(_ message: WaylandMessage) throws(FocusFailure) {
    var message = message
    switch (message.object, message.operation) {
    case (Object.registry, 0):
      let global = try message.number()
      switch ToplevelProtocol(interface: try message.text()) {
      case .wlroots: found = (global, try message.number())
      case .cosmic: hasCosmic = true
      case nil: break
      }
    case (Object.manager, 0): states[try message.number()] = []
    case (let window, let operation) where states[window] != nil:
      switch ToplevelProtocol.wlroots.event(operation) {
      case .state:
        let bytes = try message.array()
        let state = stride(from: 0, to: bytes.count, by: 4).compactMap {
          bytes.number(at: $0, UInt32.self)
        }
        states[window] = Set(state)
        if state.contains(ToplevelProtocol.activated) { activated = window }
      case .closed: states[window] = nil
      case .title, .name, .done, nil: break
      }
    case _: break
    }
  }

  private func bind() throws(ActionFailure) -> ActionStep {
    guard let found else {
      // other desktops of this session, such as KWin, are reached in their own way
      guard hasCosmic else {
        throw .absent(.unsupported("this Wayland compositor lets no program act on its windows"))
      }
      throw .refused("COSMIC takes no actions from Gliss yet: use keys: with its shortcut")
    }
    guard let action else { return .done }
    if let refusal = FocusKind.wayland.refusal(of: action) { throw .refused(refusal) }
    return .send(
      WaylandMessage.bytes(
        to: Object.registry, 0, .number(found.global),
        .text(ToplevelProtocol.wlroots.interface), .number(min(found.version, 2)),
        .number(Object.manager))
        + WaylandMessage.bytes(to: Object.display, 0, .number(Object.listSync)))
  }

  private func act() throws(ActionFailure) -> [UInt8] {
    guard let activated, let state = states[activated] else {
      throw .refused("no window has the focus")
    }
    guard case .window(let action)? = action, let request = Self.request(for: action, state) else {
      throw .refused("this Wayland compositor does not do that")
    }
    if action == .fullscreen, found?.version ?? 0 < 2 {
      throw .refused("this Wayland compositor is too old to make windows fill the screen")
    }
    // the output is the compositor's choice
    let bytes =
      request == Request.setFullscreen
      ? WaylandMessage.bytes(to: activated, request, .number(0))
      : WaylandMessage.bytes(to: activated, request)
    return bytes + WaylandMessage.bytes(to: Object.display, 0, .number(Object.lastSync))
  }

  /// `nil` if the protocol has no such request.
  private static func request(for action: WindowAction, _ state: Set<UInt32>) -> UInt16? {
    switch action {
    case .close: Request.close
    case .minimize: Request.setMinimized
    case .maximize:
      state.contains(State.maximized) ? Request.unsetMaximized : Request.setMaximized
    case .fullscreen:
      state.contains(State.fullscreen) ? Request.unsetFullscreen : Request.setFullscreen
    case .float, .tileLeft, .tileRight: nil
    }
  }
}
