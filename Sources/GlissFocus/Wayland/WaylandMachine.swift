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
