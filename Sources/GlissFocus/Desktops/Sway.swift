import GlissEvents

/// The protocol of sway and i3: frames of JSON (sway-ipc(7)).
package struct SwayMachine: FocusMachine {
  fileprivate enum Kind {
    static let runCommand: UInt32 = 0
    static let subscribe: UInt32 = 2
    static let tree: UInt32 = 4
    static let version: UInt32 = 7
    static let workspaceEvent: UInt32 = 0x8000_0000
    static let windowEvent: UInt32 = 0x8000_0003
  }

  private static let magic = Array("i3-ipc".utf8)
  /// Magic, length and kind.
  private static let headLength = 14

  package private(set) var focus = Focus.unknown
  /// The number of the focused container.
  private var focused: JSON?
  private var input = InputBuffer()
  /// Whether the tree was asked for and has not come yet. Only one request is open at a time,
  /// because the tree covers all changes up to then.
  private var isAsking = true
  private var mustAsk = false

  package init() {}

  /// Events begin before the tree is made, so none is missed.
  package var greeting: [UInt8] {
    Self.message(Kind.subscribe, #"["window","workspace"]"#) + Self.message(Kind.tree)
  }

  static func message(_ kind: UInt32, _ text: String = "") -> [UInt8] {
    magic + UInt32(text.utf8.count).nativeBytes + kind.nativeBytes + Array(text.utf8)
  }

  package mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    input.append(bytes)
    while let frame = try Self.takeFrame(from: &input) { try take(frame.kind, frame.payload) }
    guard mustAsk, !isAsking else { return [] }
    (mustAsk, isAsking) = (false, true)
    return Self.message(Kind.tree)
  }

  typealias Frame = (kind: UInt32, payload: [UInt8])

  /// The next frame; `nil` if it is not complete.
  static func takeFrame(from input: inout InputBuffer) throws(DesktopFailure) -> Frame? {
    guard let head = input.peek(headLength) else { return nil }
    guard head.starts(with: magic), let length: UInt32 = head.number(at: 6),
      let kind: UInt32 = head.number(at: 10), length <= JSON.longestMessage
    else { throw .malformed("something else than i3's protocol") }
    return input.take(headLength + Int(length)).map { (kind, Array($0[headLength...])) }
  }

  private mutating func take(_ kind: UInt32, _ payload: [UInt8]) throws(DesktopFailure) {
    let message = JSON(desktop: payload)
    switch kind {
    case Kind.subscribe:
      guard message?["success"]?.bool == true else {
        throw .unsupported("sway or i3 refuses its events")
      }
    case Kind.tree:
      guard let message else { throw .malformed("a tree of windows that is not JSON") }
      isAsking = false
      setFocus(to: Self.focusedNode(in: message))
    case Kind.windowEvent: takeWindow(message?["change"]?.string, message?["container"])
    case Kind.workspaceEvent: takeWorkspace(message?["change"]?.string, message?["current"])
    case _: break
    }
  }

  private mutating func takeWindow(_ change: String?, _ container: JSON?) {
    guard let change, let container, let number = container["id"] else {
      // an event that cannot be read may have changed anything
      mustAsk = true
      return
    }
    switch change {
    case "focus": setFocus(to: container)
    case "title" where number == focused: setFocus(to: container)
    case "close" where number == focused: setFocus(to: nil)
    // the window may have gone to another workspace or into the scratchpad
    case "move" where number == focused: mustAsk = true
    case _: break
    }
  }

  /// An empty workspace has no window to report.
  private mutating func takeWorkspace(_ change: String?, _ current: JSON?) {
    guard change == nil || change == "focus" else { return }
    if current?["focus"]?.array?.isEmpty == true { setFocus(to: nil) } else { mustAsk = true }
  }

  private mutating func setFocus(to node: JSON?) {
    let window = node.flatMap(Self.window)
    focused = window == nil ? nil : node?["id"]
    focus = window.map(Focus.window) ?? .nothing
  }

  fileprivate static func focusedNode(in tree: JSON) -> JSON? {
    var waiting = [tree]
    while let node = waiting.popLast() {
      if node["focused"]?.bool == true { return node }
      waiting += (node["nodes"]?.array ?? []) + (node["floating_nodes"]?.array ?? [])
    }
    return nil
  }

  /// `nil` for a workspace, an output or a container of windows.
  fileprivate static func window(_ node: JSON) -> FocusedWindow? {
    guard node["pid"] != nil || node["window"] != nil || node["app_id"] != nil else { return nil }
    let properties = node["window_properties"]
    let names = [node["app_id"], properties?["class"], properties?["instance"]].map { $0?.string }
    return FocusedWindow(names: names, describedBy: node, title: "name")
  }
}

/// Combines sway's socket with Wayland's list of windows.
///
/// sway's events describe a window completely, but do not report that a launcher or lock screen
/// takes the focus away. In the list no window is activated then.
final class LauncherAwareFocus: DesktopConnection {
  private let events: any DesktopConnection<Focus>
  private let list: any DesktopConnection<Focus>
  private var named = Focus.unknown
  /// `nil` if there is no list.
  private var listed: Focus? = .unknown
  private var report: DesktopReporting<Focus>?

  init(_ events: any DesktopConnection<Focus>, list: any DesktopConnection<Focus>) {
    self.events = events
    self.list = list
  }

  func start(_ report: @escaping DesktopReporting<Focus>) throws(DesktopFailure) {
    self.report = report
    try events.start { [weak self] in
      switch $0 {
      case .success(let focus): self?.named = focus
      case .failure: return report($0)
      }
      self?.reportFocus()
    }
    do throws(DesktopFailure) {
      try list.start { [weak self] in self?.takeListed($0) }
    } catch {
      listed = nil
    }
  }

  private func takeListed(_ result: Result<Focus, DesktopFailure>) {
    switch result {
    case .success(let focus): listed = focus
    case .failure where listed == .unknown: listed = nil
    // sway ends the connection of a client that reads too slowly: reconnect both
    case .failure:
      report?(result)
      return
    }
    reportFocus()
  }

  private func reportFocus() {
    let focus: Focus =
      switch listed {
      case .unknown: .unknown
      case .nothing: .nothing
      case .window, nil: named
      }
    if focus != .unknown { report?(.success(focus)) }
  }
}

/// One command for sway or i3 (sway-ipc(7)).
///
/// A command without criteria acts on what is focused, even a whole workspace, and on the window
/// behind a launcher or lock screen. So the tree is asked for first, and the criterion
/// `__focused__` matches nothing while sway gives the keyboard to a layer.
struct SwayAction: DesktopMachine {
  private enum Step {
    /// Asks for the version, which both know, if there is no action.
    case version
    /// Asks for the tree before the command for a window.
    case tree(command: String)
    case run(command: String)
  }

  private typealias Kind = SwayMachine.Kind

  private(set) var report: FocusKind?
  private var step: Step
  private var input = InputBuffer()

  init(_ action: DesktopAction?) {
    switch (action, action.flatMap(Self.command)) {
    case (.window, let command?): step = .tree(command: "[con_id=__focused__] " + command)
    case (_, let command?): step = .run(command: command)
    case (_, nil): step = .version
    }
  }

  var greeting: [UInt8] { request }

  private var request: [UInt8] {
    switch step {
    case .version: SwayMachine.message(Kind.version)
    case .tree: SwayMachine.message(Kind.tree)
    case .run(let command): SwayMachine.message(Kind.runCommand, command)
    }
  }

  /// `nil` if they cannot do it. The scratchpad and the left half are the nearest they have.
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

  mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    input.append(bytes)
    while report == nil, let frame = try SwayMachine.takeFrame(from: &input) {
      let answer = JSON(desktop: frame.payload)
      switch step {
      case .version: report = .sway
      case .tree(let command):
        guard let answer else { throw .malformed("a tree of windows that is not JSON") }
        let node = SwayMachine.focusedNode(in: answer)
        guard let node, SwayMachine.window(node) != nil else { throw .refused(Self.noFocus) }
        step = .run(command: command)
        return request
      case .run:
        try check(answer?.array ?? [])
        report = .sway
      }
    }
    return []
  }

  private static let noFocus = "no window has the focus"

  private func check(_ results: [JSON]) throws(DesktopFailure) {
    guard !results.isEmpty else { throw .refused("sway or i3 gave no answer that can be read") }
    for result in results where result["success"]?.bool != true {
      let error = result["error"]?.string ?? "refused"
      // what sway says if nothing has the focus that __focused__ could match
      throw .refused(error == "Criteria is empty" ? Self.noFocus : "sway or i3: \(error)")
    }
  }
}
