package import GlissEvents

/// An X client that follows a window and its properties: the window named by the root window's
/// `_NET_ACTIVE_WINDOW`, or the one under the pointer.
///
/// The server reports when the pointer enters or leaves a top-level window, but not its motion. So
/// nothing is sent while the pointer moves within one window.
///
/// The X server of a Wayland desktop would only see X11 windows, and would report nothing while a
/// Wayland window has the focus. So it is refused, even if no variable names a Wayland desktop.
///
/// Replies come in the order of the requests. A change that comes while replies are still awaited
/// leads to new questions only after the last of them.
package struct X11Machine: FocusMachine {
  private enum Property: String, CaseIterable {
    case active = "_NET_ACTIVE_WINDOW"
    case windowClass = "WM_CLASS"
    case title = "_NET_WM_NAME"
    case oldTitle = "WM_NAME"
    case pid = "_NET_WM_PID"
    case application = "_GTK_APPLICATION_ID"
    /// Window managers set this on the windows they manage.
    case state = "WM_STATE"

    /// The properties to read of a window.
    static let ofWindow: [Property] = [.windowClass, .title, .oldTitle, .pid, .application]
  }

  private enum Question: Hashable {
    /// Newer servers of Wayland desktops have an extension of this name, older ones an output.
    case xwayland
    case randr
    case outputs(UInt8)
    case output(UInt32, UInt8)
    case atom(Property)
    case active
    case property(Property, of: UInt32)
    case frames
    case pointer
    case isManaged(X11Search)
    case children(X11Search)
  }

  package private(set) var focus = Focus.unknown
  package let greeting: [UInt8]
  private let followed: FollowedWindow
  private var root: UInt32 = 0
  private var atoms: [Property: UInt32] = [:]
  /// The questions whose replies are still to come, with the numbers of their requests.
  private var questions: ArraySlice<(request: UInt16, question: Question)> = []
  /// The number of the last request.
  private var sent: UInt16 = 0
  private var mustAskActive = false
  private var mustAskWindow = false
  private var active: UInt32 = 0
  /// What was read of the active window so far.
  private var properties: [Property: X11Property] = [:]
  private var input = X11Input()

  package init(_ cookie: [UInt8]?, following window: FollowedWindow = .focused) {
    greeting = X11Request.setup(cookie)
    followed = window
  }

  package mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    input.append(bytes)
    var answer: [UInt8] = []
    while let message = try input.next() {
      switch message {
      case .accepted(let root):
        self.root = root
        answer += ask(.xwayland) + ask(.randr)
      case .reply(let reply, let request):
        // any other is the error of a request without a reply: its window is gone
        guard let first = questions.first, first.request == request else { continue }
        questions.removeFirst()
        answer += try take(reply, to: first.question)
      case .propertyChanged(let window, let atom): note(window, atom)
      case .crossed: if followed == .underPointer { mustAskActive = true }
      case .appeared(let window, let parent): answer += noteFrame(window, in: parent)
      case .other: break
      }
    }
    return answer + askAgain()
  }

  private mutating func ask(_ question: Question) -> [UInt8] {
    let request =
      switch question {
      case .xwayland: X11Request.findExtension("XWAYLAND")
      case .randr: X11Request.findExtension("RANDR")
      case .outputs(let randr): X11Request.outputs(of: root, randr)
      case .output(let output, let randr): X11Request.output(output, randr)
      case .atom(let property): X11Request.internAtom(property.rawValue)
      case .active: X11Request.property(atoms[.active] ?? 0, of: root)
      case .property(let property, let window):
        X11Request.property(atoms[property] ?? 0, of: window)
      case .frames: X11Request.children(of: root)
      case .pointer: X11Request.pointer(in: root)
      case .isManaged(let search): X11Request.property(atoms[.state] ?? 0, of: search.window ?? 0)
      case .children(let search): X11Request.children(of: search.window ?? 0)
      }
    let sent = send(request)
    questions.append((self.sent, question))
    return sent
  }

  /// Counts a request, because replies contain its number.
  private mutating func send(_ request: [UInt8]) -> [UInt8] {
    sent &+= 1
    return request
  }

  private mutating func note(_ window: UInt32, _ atom: UInt32) {
    if window == root {
      if atom == atoms[.active] { mustAskActive = true }
    } else if window == active, Property.ofWindow.contains(where: { atoms[$0] == atom }) {
      mustAskWindow = true
    }
  }

  /// Asks for what has changed, unless replies are still to come.
  private mutating func askAgain() -> [UInt8] {
    guard questions.isEmpty else { return [] }
    if mustAskActive {
      mustAskActive = false
      return ask(followed == .focused ? .active : .pointer)
    }
    guard mustAskWindow else { return [] }
    mustAskWindow = false
    properties = [:]
    let window = active
    return Property.ofWindow.flatMap { ask(.property($0, of: window)) }
  }

  private mutating func take(
    _ reply: [UInt8]?, to question: Question
  ) throws(DesktopFailure) -> [UInt8] {
    switch question {
    case .xwayland:
      if reply?.extensionNumber != nil { throw Self.isOfWayland }
      return []
    case .randr: return reply?.extensionNumber.map { ask(.outputs($0)) } ?? askForAtoms()
    case .outputs(let randr):
      return reply?.firstOutput.map { ask(.output($0, randr)) } ?? askForAtoms()
    case .output:
      if reply?.outputName?.hasPrefix("XWAYLAND") == true { throw Self.isOfWayland }
      return askForAtoms()
    case .atom(let property):
      atoms[property] = reply?.number(at: 8)
      guard property == Property.allCases.last else { return [] }
      mustAskActive = true
      switch followed {
      case .focused: return send(X11Request.watch(root, for: .properties))
      case .underPointer:
        return send(X11Request.watch(root, for: [.crossings, .children])) + ask(.frames)
      }
    case .active: return activate(X11Property(reply).number ?? 0)
    case .frames:
      return (reply?.childWindows ?? []).flatMap { send(X11Request.watch($0, for: .crossings)) }
    case .pointer: return goOn(X11Search(reply?.windowUnderPointer ?? 0))
    case .isManaged(let search):
      return X11Property(reply).bytes.isEmpty
        ? ask(.children(search)) : activate(search.window ?? 0)
    case .children(var search):
      search.goOn(with: reply?.childWindows ?? [])
      return goOn(search)
    case .property(let property, _):
      properties[property] = X11Property(reply)
      if properties.count == Property.ofWindow.count { finish() }
      return []
    }
  }

  private static let isOfWayland = DesktopFailure.unsupported(
    "this X server is part of a Wayland desktop, and knows its X11 windows only")

  private mutating func askForAtoms() -> [UInt8] {
    Property.allCases.flatMap { ask(.atom($0)) }
  }

  private mutating func activate(_ window: UInt32) -> [UInt8] {
    // some window managers name the root window while no window has the focus
    let window = window == root ? 0 : window
    guard window != active || focus == .unknown else { return [] }
    let old = active
    active = window
    mustAskWindow = window != 0
    if window == 0 { focus = .nothing }
    let others: X11Request.Events = followed == .focused ? [] : .crossings
    return (old == 0 ? [] : send(X11Request.watch(old, for: others)))
      + (window == 0 ? [] : send(X11Request.watch(window, for: others.union(.properties))))
  }

  // MARK: The pointer

  /// Watches a new top-level window, and looks again.
  private mutating func noteFrame(_ window: UInt32, in parent: UInt32) -> [UInt8] {
    guard followed == .underPointer, parent == root else { return [] }
    mustAskActive = true
    return window == active ? [] : send(X11Request.watch(window, for: .crossings))
  }

  private mutating func goOn(_ search: X11Search) -> [UInt8] {
    search.window == nil ? activate(search.frame) : ask(.isManaged(search))
  }

  private mutating func finish() {
    let names = properties[.windowClass]?.texts ?? []
    // a window without any property is gone; the next one is reported soon
    focus = Focus(
      FocusedWindow(
        names: [properties[.application]?.text] + names.reversed(),
        title: properties[.title]?.text ?? properties[.oldTitle]?.text,
        pid: properties[.pid]?.number.flatMap { Int32(exactly: $0) }))
  }
}

/// Searches the window under the pointer, which is usually a frame made by the window manager, for
/// the application's window.
///
/// Windows are examined level by level, topmost first, until one has the property that window
/// managers set on managed windows. Frames are one or two levels deep.
struct X11Search: Hashable {
  /// The window under the pointer. If no window in it is managed, it counts itself, as a menu does.
  let frame: UInt32
  private var waiting: ArraySlice<UInt32>
  private var count = 0
  private static let most = 64

  init(_ frame: UInt32) {
    self.frame = frame
    waiting = frame == 0 ? [] : [frame]
  }

  /// The window to examine; `nil` if none is left.
  var window: UInt32? { count < Self.most ? waiting.first : nil }

  /// Continues after a window that is not managed, with the windows in it.
  mutating func goOn(with children: [UInt32]) {
    waiting.removeFirst()
    count += 1
    waiting += children.prefix(Self.most)
  }
}

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
  let greeting: [UInt8]
  private var root: UInt32 = 0
  /// The atoms received so far.
  private var atoms: [UInt32] = []
  private var properties: [X11Property] = []
  private var isSent = false
  private var input = X11Input()

  init(_ action: DesktopAction?, _ cookie: [UInt8]?) {
    self.action = action
    greeting = X11Request.setup(cookie)
  }

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
        return try send(.state, needs: .high, about: active, toggle, atom(.high), atom(.wide), user)
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
