import GlissEvents

/// One action by the messages of EWMH: it reads what the window manager says, sends a message, and asks
/// once more, so that the X server has read the message before the connection ends.
struct X11Action: ActionMachine {
  /// Atoms, in the order in which they are asked for. The first ones are properties that are read.
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

  private enum Phase {
    case setup
    case atoms([UInt32])
    case properties([UInt32], [X11Property])
    case sent
  }

  private let action: DesktopAction?
  private let cookie: XAuthority.Cookie?
  private var root: UInt32 = 0
  private var phase = Phase.setup
  private var input = InputBuffer()

  init(_ action: DesktopAction?, _ cookie: XAuthority.Cookie?) {
    self.action = action
    self.cookie = cookie
  }

  var greeting: [UInt8] { X11Request.setup(cookie) }

  mutating func receive(_ bytes: [UInt8]) throws(ActionFailure) -> ActionStep {
    input.append(bytes)
    var answer: [UInt8] = []
    while let message = try next() {
      switch message {
      case .accepted(let root):
        guard let action else { return .done }
        if let refusal = FocusKind.x11.refusal(of: action) { throw .refused(refusal) }
        self.root = root
        phase = .atoms([])
        answer += Atom.allCases.flatMap { X11Request.internAtom($0.rawValue) }
      case .refused:
        throw .refused("the X server does not admit this user: is XAUTHORITY set?")
      case .reply(let reply, _):
        if case .sent = phase { return .done }
        answer += try take(reply)
      case .propertyChanged, .crossed, .appeared, .other: break
      }
    }
    return .send(answer)
  }

  private mutating func next() throws(ActionFailure) -> X11Message? {
    do throws(FocusFailure) {
      guard case .setup = phase else { return try X11Message(from: &input) }
      return try X11Message(setupFrom: &input)
    } catch {
      throw .absent(error)
    }
  }

  private mutating func take(_ reply: [UInt8]?) throws(ActionFailure) -> [UInt8] {
    switch phase {
    case .setup, .sent: return []
    case .atoms(var atoms):
      atoms.append(reply?.number(at: 8) ?? 0)
      phase = .atoms(atoms)
      guard atoms.count == Atom.allCases.count else { return [] }
      phase = .properties(atoms, [])
      return Atom.properties.flatMap { X11Request.property(Self.atom($0, in: atoms), of: root) }
    case .properties(let atoms, var properties):
      properties.append(X11Property(reply))
      phase = .properties(atoms, properties)
      guard properties.count == Atom.properties.count else { return [] }
      let message = try message(atoms, properties)
      phase = .sent
      return message + X11Request.property(Self.atom(.active, in: atoms), of: root)
    }
  }

  private static func atom(_ atom: Atom, in atoms: [UInt32]) -> UInt32 {
    zip(Atom.allCases, atoms).first { $0.0 == atom }?.1 ?? 0
  }

  private func message(
    _ atoms: [UInt32], _ properties: [X11Property]
  ) throws(ActionFailure) -> [UInt8] {
    func atom(_ name: Atom) -> UInt32 { Self.atom(name, in: atoms) }
    let (supported, active, desktop, count) = (
      properties[0], properties[1].number ?? 0, properties[2].number ?? 0, properties[3].number ?? 1
    )
    func send(
      _ type: Atom, needs: Atom? = nil, about window: UInt32, _ data: UInt32...
    ) throws(ActionFailure) -> [UInt8] {
      if let needs, !supported.numbers.contains(atom(needs)) {
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
      // some window managers name the root window while none has the focus
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

  /// The first and the last one have no neighbour; `nil` if there is no such number.
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
