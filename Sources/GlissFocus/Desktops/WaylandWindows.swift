import GlissEvents

/// A Wayland client that only lists windows.
///
/// First it asks for the compositor's globals, then for the list, each followed by a `sync`, whose
/// answer says that all of it has come.
package struct WaylandMachine: FocusMachine {
  /// The numbers of our objects. The compositor chooses those of the windows.
  private enum Object {
    static let display: UInt32 = 1
    static let registry: UInt32 = 2
    static let globalsSync: UInt32 = 3
    static let manager: UInt32 = 4
    static let listSync: UInt32 = 5
  }

  private struct Window {
    var title = ""
    var name = ""
    var isActivated = false
    /// Whether it had the focus at its last `done`.
    var hasFocus = false
  }

  package private(set) var focus = Focus.unknown
  private var found: (list: ToplevelProtocol, global: UInt32)?
  private var windows: [UInt32: Window] = [:]
  /// The window that was activated last. With several seats there may be others.
  private var focused: UInt32?
  private var isListed = false
  private var input = InputBuffer()
  package init() {}

  package var greeting: [UInt8] {
    WaylandMessage.bytes(to: Object.display, 1, .number(Object.registry))
      + WaylandMessage.bytes(to: Object.display, 0, .number(Object.globalsSync))
  }

  package mutating func receive(_ bytes: [UInt8]) throws(FocusFailure) -> [UInt8] {
    input.append(bytes)
    var answer: [UInt8] = []
    while var message = try WaylandMessage(from: &input) {
      switch (message.object, message.operation) {
      case (Object.display, 0):
        throw .malformed("a Wayland error")
      case (Object.registry, 0): try add(&message)
      case (Object.globalsSync, 0): answer += try bind()
      case (Object.listSync, 0): isListed = true
      case (Object.manager, 0): windows[try message.number()] = Window()
      case (Object.manager, 1): throw .closed
      case _: answer += try takeWindow(&message)
      }
    }
    if isListed { focus = focused.flatMap { windows[$0] }.map(Self.focus) ?? .nothing }
    return answer
  }

  /// The compositor has one more global. COSMIC's list is preferred.
  private mutating func add(_ message: inout WaylandMessage) throws(FocusFailure) {
    let global = try message.number()
    guard let list = ToplevelProtocol(interface: try message.text()) else { return }
    if found == nil || list == .cosmic { found = (list, global) }
  }

  private func bind() throws(FocusFailure) -> [UInt8] {
    guard let found else {
      throw .unsupported("this Wayland compositor does not say which window has the focus")
    }
    return WaylandMessage.bytes(
      to: Object.registry, 0, .number(found.global), .text(found.list.interface),
      .number(found.list.version), .number(Object.manager))
      + WaylandMessage.bytes(to: Object.display, 0, .number(Object.listSync))
  }

  /// Events of a window that was closed, or of anything else, are ignored.
  private mutating func takeWindow(
    _ message: inout WaylandMessage
  ) throws(FocusFailure) -> [UInt8] {
    let number = message.object
    guard let list = found?.list, var window = windows[number] else { return [] }
    switch list.event(message.operation) {
    case .title: window.title = try message.text().limited(toBytes: FocusedWindow.longestTitle)
    case .name: window.name = try message.text()
    case .state: window.isActivated = Self.isActivated(try message.array())
    case .done:
      // the latest one counts
      if window.isActivated, !window.hasFocus { focused = number }
      window.hasFocus = window.isActivated
      windows[number] = window
      if focused == number, !window.hasFocus { chooseOther() }
      return []
    case .closed:
      windows[number] = nil
      if focused == number { chooseOther() }
      return WaylandMessage.bytes(to: number, list.destroy)
    case nil: return []
    }
    windows[number] = window
    return []
  }

  private mutating func chooseOther() { focused = windows.first { $0.value.hasFocus }?.key }

  private static func isActivated(_ state: ArraySlice<UInt8>) -> Bool {
    stride(from: 0, to: state.count, by: 4).contains {
      state.number(at: $0, UInt32.self) == ToplevelProtocol.activated
    }
  }

  private static func focus(_ window: Window) -> Focus {
    .window(FocusedWindow(names: [window.name], title: window.title))
  }
}

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
