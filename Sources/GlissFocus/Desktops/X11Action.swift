import GlissEvents

/// One action by EWMH's messages: it reads the window manager's properties, sends a message, and
/// asks once more, so that the X server has read the message before the connection ends.
struct X11Action: DesktopMachine {
  /// Atoms, in the order in which they are requested. The first ones are properties to read.
  private enum Atom: String, CaseIterable {
    case supported = "_NET_SUPPORTED"
    case active = "_NET_ACTIVE_WINDOW"
    case desktop = "_NET_CURRENT_DESKTOP"
    case count = "_NET_NUMBER_OF_DESKTOPS"
    case close = "_NET_CLOSE_WINDOW"
    case changeState = "WM_CHANGE_STATE"
    case state = "_NET_WM_STATE"
    case wide = "_NET_WM_STATE_MAXIMIZED_HORZ"
    case high = "_NET_WM_STATE_MAXIMIZED_VERT"
    case fullscreen = "_NET_WM_STATE_FULLSCREEN"

    static let properties: [Atom] = [.supported, .active, .desktop, .count]
  }

  private(set) var report: FocusKind?
  private let action: DesktopAction?
  private let cookie: XAuthority.Cookie?
  private var root: UInt32 = 0
  /// The atoms received so far.
  private var atoms: [UInt32] = []
  private var properties: [X11Property] = []
  private var isSent = false
  private var input = X11Input()

  init(_ action: DesktopAction?, _ cookie: XAuthority.Cookie?) {
    self.action = action
    self.cookie = cookie
  }

  var greeting: [UInt8] { X11Request.setup(cookie) }

  mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    input.append(bytes)
    var answer: [UInt8] = []
    while report == nil, let message = try input.next() {
      switch message {
      case .accepted(let root):
        guard action != nil else {
          report = .x11
          return []
        }
        self.root = root
        answer += Atom.allCases.flatMap { X11Request.internAtom($0.rawValue) }
      case .reply(let reply, _): answer += try take(reply)
      case .propertyChanged, .crossed, .appeared, .other: break
      }
    }
    return answer
  }

  private mutating func take(_ reply: [UInt8]?) throws(DesktopFailure) -> [UInt8] {
    if isSent {
      report = .x11
      return []
    }
    if atoms.count < Atom.allCases.count {
      atoms.append(reply?.number(at: 8) ?? 0)
      guard atoms.count == Atom.allCases.count else { return [] }
      return Atom.properties.flatMap { X11Request.property(atom($0), of: root) }
    }
    properties.append(X11Property(reply))
    guard properties.count == Atom.properties.count else { return [] }
    isSent = true
    return try message() + X11Request.property(atom(.active), of: root)
  }

  private func atom(_ atom: Atom) -> UInt32 {
    zip(Atom.allCases, atoms).first { $0.0 == atom }?.1 ?? 0
  }

  private func message() throws(DesktopFailure) -> [UInt8] {
    let (supported, active, desktop, count) = (
      properties[0], properties[1].number ?? 0, properties[2].number ?? 0, properties[3].number ?? 1
    )
    func send(
      _ type: Atom, needs: Atom? = nil, about window: UInt32, _ data: UInt32...
    ) throws(DesktopFailure) -> [UInt8] {
      if let needs, !supported.bytes.numbers.contains(atom(needs)) {
        throw .refused(
          "the window manager does not know \(needs.rawValue): use keys: with its shortcut")
      }
      return X11Request.message(atom(type), about: window, root: root, data)
    }
    let (toggle, user, iconic): (UInt32, UInt32, UInt32) = (2, 2, 3)
    switch action {
    case .workspace(let target)?:
      let next = Self.desktop(target, from: desktop, of: count)
      guard let next else { throw .refused("there are only \(count) workspaces") }
      return try send(.desktop, needs: .desktop, about: root, next)
    case .window(let action)?:
      // some window managers name the root window while no window has the focus
      guard active != 0, active != root else { throw .refused("no window has the focus") }
      switch action {
      case .close: return try send(.close, needs: .close, about: active, 0, user)
      case .minimize: return try send(.changeState, about: active, iconic)
      case .maximize:
        return try send(
          .state, needs: .high, about: active, toggle, atom(.high), atom(.wide), user)
      case .fullscreen:
        return try send(
          .state, needs: .fullscreen, about: active, toggle, atom(.fullscreen), 0, user)
      case .float, .tileLeft, .tileRight: break
      }
    case nil: break
    }
    throw .refused("X11 has no message for that")
  }

  /// The workspace to switch to: the current one if it is the last or first and has no neighbour on
  /// that side; `nil` if no desktop has that number.
  private static func desktop(
    _ target: WorkspaceTarget, from current: UInt32, of count: UInt32
  ) -> UInt32? {
    switch target {
    case .next: current < UInt32.max && current + 1 < count ? current + 1 : current
    case .previous: current > 0 ? current - 1 : 0
    case .number(let number): number <= count ? UInt32(number - 1) : nil
    }
  }
}
