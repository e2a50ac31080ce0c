import GlissEvents

/// A Wayland client that lists windows.
///
/// It asks for the compositor's globals, and then for the list. A `sync` follows each request; its
/// answer shows that everything has come.
struct WaylandWindows {
  /// The numbers of our objects. The compositor chooses those of the windows.
  enum Object {
    static let display: UInt32 = 1
    static let registry: UInt32 = 2
    static let globalsSync: UInt32 = 3
    static let manager: UInt32 = 4
    static let listSync: UInt32 = 5
    static let actionSync: UInt32 = 6
  }

  struct Window {
    fileprivate(set) var title = ""
    fileprivate(set) var name = ""
    fileprivate(set) var state: Set<UInt32> = []
    /// Whether it had the focus at its last `done`.
    fileprivate(set) var hasFocus = false
  }

  /// A protocol that the compositor offers: the number of its global, and its version.
  typealias Offer = (global: UInt32, version: UInt32)

  private(set) var offers: [ToplevelProtocol: Offer] = [:]
  private var list: ToplevelProtocol?
  private var windows: [UInt32: Window] = [:]
  /// The window that was activated last. With several seats, others may be activated too.
  private var focused: UInt32?
  private var input = InputBuffer()

  var focus: (number: UInt32, window: Window)? {
    focused.flatMap { number in windows[number].map { (number, $0) } }
  }

  static var greeting: [UInt8] {
    WaylandMessage.bytes(to: Object.display, 1, Object.registry.nativeBytes)
      + sync(Object.globalsSync)
  }

  static func sync(_ object: UInt32) -> [UInt8] {
    WaylandMessage.bytes(to: Object.display, 0, object.nativeBytes)
  }

  mutating func bind(_ list: ToplevelProtocol, _ offer: Offer, upTo version: UInt32) -> [UInt8] {
    self.list = list
    return WaylandMessage.bytes(
      to: Object.registry, 0, offer.global.nativeBytes, WaylandMessage.bytes(of: list.rawValue),
      min(offer.version, version).nativeBytes, Object.manager.nativeBytes)
      + Self.sync(Object.listSync)
  }

  mutating func append(_ bytes: [UInt8]) { input.append(bytes) }

  /// Takes the next message, and adds the bytes to send back to `answer`. Returns the object that
  /// sent it; `nil` if the message is not complete.
  mutating func takeNext(_ answer: inout [UInt8]) throws(DesktopFailure) -> UInt32? {
    guard var message = try WaylandMessage(from: &input) else { return nil }
    switch (message.object, message.operation) {
    case (Object.display, 0): throw .malformed("a Wayland error")
    case (Object.registry, 0):
      let global = try message.number()
      if let list = ToplevelProtocol(rawValue: try message.text()) {
        offers[list] = (global, try message.number())
      }
    case (Object.manager, 0): windows[try message.number()] = Window()
    case (Object.manager, 1): throw .closed
    case _: answer += try takeWindow(&message)
    }
    return message.object
  }

  /// Events of a window that was closed, or of anything else, are ignored.
  private mutating func takeWindow(
    _ message: inout WaylandMessage
  ) throws(DesktopFailure) -> [UInt8] {
    let number = message.object
    guard let list, var window = windows[number] else { return [] }
    switch (list, message.operation) {
    // title
    case (.wlroots, 0), (.cosmic, 2):
      window.title = try message.text().limited(toBytes: FocusedWindow.longestTitle)
    // app_id
    case (.wlroots, 1), (.cosmic, 3): window.name = try message.text()
    // state
    case (.wlroots, 4), (.cosmic, 8): window.state = Set(try message.numbers())
    // done: the preceding changes take effect
    case (.wlroots, 5), (.cosmic, 1):
      let isActivated = window.state.contains(ToplevelProtocol.State.activated)
      // the window activated last counts
      if isActivated, !window.hasFocus { focused = number }
      window.hasFocus = isActivated
    // closed
    case (.wlroots, 6), (.cosmic, 0):
      windows[number] = nil
      if focused == number { chooseOther() }
      return WaylandMessage.bytes(to: number, list.destroy)
    case (.wlroots, _), (.cosmic, _): return []
    }
    windows[number] = window
    if focused == number, !window.hasFocus { chooseOther() }
    return []
  }

  private mutating func chooseOther() { focused = windows.first { $0.value.hasFocus }?.key }
}

package struct WaylandMachine: FocusMachine {
  private typealias Object = WaylandWindows.Object

  package private(set) var focus = Focus.unknown
  private var windows = WaylandWindows()
  private var isListed = false

  package init() {}

  package var greeting: [UInt8] { WaylandWindows.greeting }

  package mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    windows.append(bytes)
    var answer: [UInt8] = []
    while let object = try windows.takeNext(&answer) {
      switch object {
      case Object.globalsSync: answer += try bind()
      case Object.listSync: isListed = true
      case _: break
      }
    }
    guard isListed else { return answer }
    focus = .nothing
    if let window = windows.focus?.window {
      focus = .window(FocusedWindow(names: [window.name], title: window.title))
    }
    return answer
  }

  /// COSMIC's list is preferred. Its later versions add nothing that is needed here.
  private mutating func bind() throws(DesktopFailure) -> [UInt8] {
    for list in [ToplevelProtocol.cosmic, .wlroots] {
      if let offer = windows.offers[list] { return windows.bind(list, offer, upTo: 1) }
    }
    throw .unsupported("this Wayland compositor does not say which window has the focus")
  }
}

/// One action by wlr-foreign-toplevel-management: it lists the windows, sends the request for the
/// activated one, and waits until the compositor has read it.
struct WaylandAction: DesktopMachine {
  private typealias Object = WaylandWindows.Object

  /// The requests of a window. Those for full screen came with version 2.
  private enum Request {
    static let setMaximized: UInt16 = 0
    static let unsetMaximized: UInt16 = 1
    static let setMinimized: UInt16 = 2
    static let close: UInt16 = 5
    static let setFullscreen: UInt16 = 8
    static let unsetFullscreen: UInt16 = 9
  }

  private(set) var report: FocusKind?
  private let action: DesktopAction?
  private var windows = WaylandWindows()

  init(_ action: DesktopAction?) { self.action = action }

  var greeting: [UInt8] { WaylandWindows.greeting }

  mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    windows.append(bytes)
    var answer: [UInt8] = []
    while report == nil, let object = try windows.takeNext(&answer) {
      switch object {
      case Object.globalsSync: answer += try bind()
      case Object.listSync: answer += try act()
      case Object.actionSync: report = .wayland
      case _: break
      }
    }
    return answer
  }

  private mutating func bind() throws(DesktopFailure) -> [UInt8] {
    guard let offer = windows.offers[.wlroots] else {
      // other desktops, such as KWin, may still be reached in their own way
      guard windows.offers[.cosmic] != nil else {
        throw .unsupported("this Wayland compositor lets no program act on its windows")
      }
      throw .refused("COSMIC takes no actions from Gliss yet: use keys: with its shortcut")
    }
    guard action != nil else {
      report = .wayland
      return []
    }
    return windows.bind(.wlroots, offer, upTo: 2)
  }

  private func act() throws(DesktopFailure) -> [UInt8] {
    guard let (number, window) = windows.focus else { throw .refused("no window has the focus") }
    guard case .window(let action)? = action,
      let request = Self.request(for: action, window.state)
    else { throw .refused("this Wayland compositor does not do that") }
    if action == .fullscreen, windows.offers[.wlroots]?.version ?? 0 < 2 {
      throw .refused("this Wayland compositor is too old to make windows fill the screen")
    }
    // let the compositor choose the output
    let output = request == Request.setFullscreen ? UInt32(0).nativeBytes : []
    return WaylandMessage.bytes(to: number, request, output)
      + WaylandWindows.sync(Object.actionSync)
  }

  /// `nil` if the protocol has no such request.
  private static func request(for action: WindowAction, _ state: Set<UInt32>) -> UInt16? {
    switch action {
    case .close: Request.close
    case .minimize: Request.setMinimized
    case .maximize:
      state.contains(ToplevelProtocol.State.maximized)
        ? Request.unsetMaximized : Request.setMaximized
    case .fullscreen:
      state.contains(ToplevelProtocol.State.fullscreen)
        ? Request.unsetFullscreen : Request.setFullscreen
    case .float, .tileLeft, .tileRight: nil
    }
  }
}

/// A message of Wayland's protocol: to or from an object, with an operation and its arguments.
struct WaylandMessage {
  let object: UInt32
  let operation: UInt16
  private let body: [UInt8]
  private var offset = 0

  private static let headLength = 8

  /// Takes the next message; `nil` if it is not complete.
  init?(from input: inout InputBuffer) throws(DesktopFailure) {
    guard let head = input.peek(Self.headLength), let object: UInt32 = head.number(at: 0),
      let word: UInt32 = head.number(at: 4)
    else { return nil }
    let size = Int(word >> 16)
    guard size >= Self.headLength, size % 4 == 0 else {
      throw .malformed("a Wayland message of \(size) bytes")
    }
    guard let message = input.take(size) else { return nil }
    self.object = object
    operation = UInt16(truncatingIfNeeded: word)
    body = Array(message[Self.headLength...])
  }

  // MARK: Reading arguments in order

  mutating func number() throws(DesktopFailure) -> UInt32 {
    guard let number: UInt32 = body.number(at: offset) else { throw Self.short }
    offset += 4
    return number
  }

  /// A text. Invalid UTF-8 in it is replaced.
  mutating func text() throws(DesktopFailure) -> String {
    // the length includes the NUL at the end; a length of 0 means no text
    String(decoding: try array().dropLast(), as: UTF8.self)
  }

  private mutating func array() throws(DesktopFailure) -> ArraySlice<UInt8> {
    let length = Int(try number())
    let padded = (length + 3) & ~3
    guard padded <= body.count - offset else { throw Self.short }
    defer { offset += padded }
    return body[offset..<offset + length]
  }

  mutating func numbers() throws(DesktopFailure) -> [UInt32] { try array().numbers }

  private static var short: DesktopFailure { .malformed("a Wayland message that ends too early") }

  // MARK: Writing

  static func bytes(of text: String) -> [UInt8] {
    let bytes = Array(text.utf8) + [0]
    return UInt32(bytes.count).nativeBytes + bytes.padded
  }

  static func bytes(to object: UInt32, _ operation: UInt16, _ arguments: [UInt8]...) -> [UInt8] {
    let body = arguments.flatMap { $0 }
    let word = UInt32(headLength + body.count) << 16 | UInt32(operation)
    return object.nativeBytes + word.nativeBytes + body
  }
}

/// Protocols that list windows and say which is activated, by their interface: the same events,
/// numbered differently.
enum ToplevelProtocol: String {
  /// wlr-foreign-toplevel-management-unstable-v1.
  case wlroots = "zwlr_foreign_toplevel_manager_v1"
  /// cosmic-toplevel-info-unstable-v1, in its version 1: later ones need a second protocol.
  case cosmic = "zcosmic_toplevel_info_v1"

  /// Elements of a window's state.
  enum State {
    static let maximized: UInt32 = 0
    /// The window has the focus.
    static let activated: UInt32 = 2
    static let fullscreen: UInt32 = 3
  }

  var destroy: UInt16 {
    switch self {
    case .wlroots: 7
    case .cosmic: 0
    }
  }
}
