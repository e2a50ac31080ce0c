public import GlissDevices
package import GlissEvents

/// The window that has the keyboard focus, as the desktop describes it.
public struct FocusedWindow: Hashable, Sendable {
  /// The names of its application: the app id, or the class and then the instance of an X11 window.
  ///
  /// Desktops spell them differently, so compare them without regard to case. It is empty if the
  /// desktop knows none.
  public let names: [String]
  /// The title, or an empty text. Titles can be private: keep them out of logs.
  public let title: String
  /// The process that shows it, if the desktop says so.
  public let pid: Int32?

  /// The longest name and title, in bytes. Some programs put a whole document there.
  static let longestName = 1024
  static let longestTitle = 4096

  /// A window. Names that are `nil`, empty or repeated are left out, and long texts are cut.
  public init(names: [String?], title: String? = nil, pid: Int32? = nil) {
    self.names = names.compactMap { $0?.limited(toBytes: Self.longestName) }.reduce(into: []) {
      if !$1.isEmpty, !$0.contains($1) { $0.append($1) }
    }
    self.title = (title ?? "").limited(toBytes: Self.longestTitle)
    // some desktops write 0 or less for an unknown process
    self.pid = pid.flatMap { $0 > 0 ? $0 : nil }
  }

  /// A window that an object with `pid` and a title describes.
  init(names: [String?], describedBy value: JSON, title: String = "title") {
    self.init(
      names: names, title: value[title]?.string,
      pid: value["pid"]?.integer.flatMap { Int32(exactly: $0) })
  }
}

/// The names only, because descriptions end up in logs.
extension FocusedWindow: CustomStringConvertible {
  public var description: String {
    names.isEmpty ? "a window without a name" : names.joined(separator: ", ")
  }
}

/// What has the focus, as far as it is known.
package enum Focus: Hashable, Sendable {
  /// The desktop has not said yet.
  case unknown
  /// No window: an empty workspace, a launcher or a lock screen.
  case nothing
  case window(FocusedWindow)

  /// A window without any known property does not count.
  init(_ window: FocusedWindow) {
    self = window.names.isEmpty && window.title.isEmpty ? .nothing : .window(window)
  }

  package var window: FocusedWindow? {
    switch self {
    case .window(let window): window
    case .unknown, .nothing: nil
    }
  }
}

extension String {
  /// The longest beginning of at most `limit` bytes that does not split a character's code.
  func limited(toBytes limit: Int) -> String {
    utf8.count > limit ? String(cut: utf8.prefix(limit)) : self
  }

  /// Decodes text that may have been cut within a character, which is then left out. Other invalid
  /// UTF-8 is replaced.
  init(cut bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    let last = bytes.lastIndex { $0 & 0xc0 != 0x80 } ?? 0
    let length = bytes.isEmpty ? 0 : (~bytes[last]).leadingZeroBitCount
    let isCut = (2...4).contains(length) && bytes.count - last < length
    self = String(decoding: isCut ? bytes[..<last] : bytes[...], as: UTF8.self)
  }
}

extension FollowedWindow {
  package var question: String {
    switch self {
    case .focused: "which application has the focus"
    case .underPointer: "which application is under the pointer"
    }
  }
}

/// The kinds of desktop, by how they are reached.
package enum FocusKind: String, Hashable, Sendable, CaseIterable {
  case niri
  case hyprland
  case sway
  case wayland
  case kwin
  case gnome
  case x11

  package var name: String {
    switch self {
    case .niri: "niri's socket"
    case .hyprland: "Hyprland's socket"
    case .sway: "the socket of sway or i3"
    case .wayland: "the Wayland compositor"
    case .kwin: "a script in KWin"
    case .gnome: "an extension of GNOME"
    case .x11: "the X server"
    }
  }

  /// Why this kind of desktop does not do `action`, and an alternative; `nil` if it does.
  package func refusal(of action: DesktopAction) -> String? {
    switch (self, action) {
    case (.niri, .window(.minimize)):
      "niri minimizes no windows: use workspace: next or window: close"
    case (.sway, .window(.maximize)): "sway and i3 maximize no windows: use window: fullscreen"
    case (.wayland, .window(.float)), (.wayland, .window(.tileLeft)),
      (.wayland, .window(.tileRight)):
      "this Wayland compositor lets no program place windows: use keys: with its shortcut"
    case (.wayland, .workspace):
      "this Wayland compositor lets no program switch workspaces: use keys: with its shortcut"
    case (.kwin, .window(.float)), (.gnome, .window(.float)):
      "all windows float on this desktop: use window: maximize, or remove the action"
    case (.x11, .window(.float)):
      "X11 window managers float no window for other programs: use keys: with your shortcut"
    case (.x11, .window(.tileLeft)), (.x11, .window(.tileRight)):
      "X11 window managers tile no window for other programs: use keys: with your shortcut"
    case (.niri, _), (.hyprland, _), (.sway, _), (.wayland, _), (.kwin, _), (.gnome, _),
      (.x11, _):
      nil
    }
  }
}

/// Watches which window has the keyboard focus.
///
/// It uses whatever the desktop offers: the sockets of sway, i3, Hyprland and niri, Wayland's list
/// of windows, a script in KWin, an extension of GNOME, or the X server. The desktop reports each
/// change; otherwise nothing wakes the loop. If the desktop restarts, the watch reconnects.
///
/// ```swift
/// let loop = try InputLoop()
/// let watch = try FocusWatch(on: loop)
/// watch.didChange = { window in print(window?.names.first ?? "nothing") }
/// while !loop.isStopping { try loop.wait(until: nil) }
/// ```
public final class FocusWatch {
  /// The focused window; `nil` if no window has the focus, or if it is not known.
  public var window: FocusedWindow? { focus.window }
  /// Called with each change, from the loop's wait.
  public var didChange: ((FocusedWindow?) -> Void)?

  /// Whether the focus is reported, and by which kind of desktop.
  package enum Status: Hashable, Sendable {
    /// Not yet: the desktop is being looked for.
    case searching
    case watching(FocusKind)
    /// No desktop reports it, for these reasons. All are retried later.
    case missing([Attempt])
  }

  /// A source that was tried, and why it does not report.
  package struct Attempt: Hashable, Sendable {
    package let kind: FocusKind
    package let failure: DesktopFailure
  }

  package private(set) var focus = Focus.unknown
  /// The kind of source that reported last; `nil` if none has.
  package private(set) var source: FocusKind?
  package private(set) var status = Status.searching {
    didSet { if status != oldValue { didChangeStatus?(status) } }
  }
  package var didChangeStatus: ((Status) -> Void)?

  /// How long a source may take to answer. A running desktop needs milliseconds.
  package static let patience = EventInterval.milliseconds(2000)
  /// A source that has reported for this long is not one that keeps restarting.
  static let settlingTime = EventInterval.milliseconds(5000)
  /// The longest wait before looking again for a desktop that was not found.
  static let longestWait = EventInterval.milliseconds(60_000)

  private let loop: InputLoop
  private let followed: FollowedWindow
  private let choices: () -> [FocusChoice]
  private var timer: LoopTimer?
  private var backoff = Backoff(at: .zero, longest: longestWait)
  private var current: (source: any DesktopConnection<Focus>, kind: FocusKind)?
  private var remaining: ArraySlice<FocusChoice> = []
  private var attempts: [Attempt] = []
  /// When the current source first reported; `nil` if it has not.
  private var foundTime: EventTime?
  /// When the last source that reported was lost.
  private var lostTime = EventTime.zero
  /// Tells sources apart, so that reports from an earlier one are ignored.
  private var generation = 0

  /// Watches from `loop`, which calls ``didChange`` when it waits.
  ///
  /// - Throws: If the process cannot open more descriptors.
  public convenience init(on loop: InputLoop) throws(SystemError) {
    try self.init(on: loop, following: .focused)
  }

  /// Watches a window through the first of `choices` that answers. If it is the window under the
  /// pointer, all names here that say "focus" refer to that one.
  package init(
    on loop: InputLoop, following followed: FollowedWindow = .focused,
    choosing choices: @escaping () -> [FocusChoice] = { DesktopEnvironment.current.focusChoices }
  ) throws(SystemError) {
    self.loop = loop
    self.followed = followed
    self.choices = choices
    let timer = try LoopTimer(on: loop) { [weak self] in self?.timeIsUp() }
    self.timer = timer
    // start from the loop, so that the caller can set the handlers first
    timer.due = InputLoop.now
  }

  private func timeIsUp() {
    if let current { return end(current.kind, .silent) }
    let all = choices()
    // while a desktop restarts, only sources that report less may be there: X or Wayland's list
    let own = all.filter { $0.kind == source }
    let isReturning = !own.isEmpty && InputLoop.now < lostTime + Self.patience
    remaining = (isReturning ? own : all)[...]
    attempts = []
    status = .searching
    tryNext()
  }

  private func tryNext() {
    guard let choice = remaining.popFirst() else { return waitLonger() }
    generation += 1
    timer?.due = InputLoop.now + Self.patience
    do throws(DesktopFailure) {
      let source = try choice.open(loop, followed)
      current = (source, choice.kind)
      // weak, because the choice may own what owns the source
      try source.start { [weak self, number = generation, kind = choice.kind] in
        guard let self, number == generation else { return }
        take($0, from: kind)
      }
    } catch {
      end(choice.kind, error)
    }
  }

  private func take(_ report: Result<Focus, DesktopFailure>, from kind: FocusKind) {
    switch report {
    case .failure(let failure): end(kind, failure)
    case .success(let focus):
      if foundTime == nil {
        foundTime = InputLoop.now
        timer?.due = nil
      }
      source = kind
      status = .watching(kind)
      change(to: focus)
    }
  }

  /// Ends the current source, which has failed. If it never reported anything, tries the next one.
  private func end(_ kind: FocusKind, _ failure: DesktopFailure) {
    current = nil
    generation += 1
    attempts.append(Attempt(kind: kind, failure: failure))
    guard let foundTime else { return tryNext() }
    self.foundTime = nil
    attempts = [Attempt(kind: kind, failure: failure)]
    lostTime = InputLoop.now
    if lostTime - foundTime >= Self.settlingTime { _ = backoff.found() }
    waitLonger()
    change(to: .unknown)
  }

  private func waitLonger() {
    status = .missing(attempts)
    _ = backoff.missed(at: InputLoop.now)
    timer?.due = backoff.deadline
  }

  private func change(to new: Focus) {
    let old = focus
    focus = new
    if old.window != new.window || old == .unknown && new == .nothing { didChange?(new.window) }
  }
}
