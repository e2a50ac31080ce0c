import Glibc
import GlissBroker
package import GlissConfiguration
package import GlissDevices
import GlissEvents

/// Whether strokes can be kept from the running desktop, and what is left to do for that.
package struct TakeStatus: Hashable, Sendable {
  package enum Standing: Hashable, Sendable {
    /// Root has chosen twins of the touchpads. `isThere`: the desktop reads one.
    case twin(isThere: Bool)
    /// The desktop has loaded gliss.lua since its start.
    case inForce(path: String)
    /// gliss.lua is newer than the desktop's start.
    case waiting(path: String)
    /// The file is from another version of Gliss.
    case outdated(PluginFile)
    /// The file is not where the desktop would load it from.
    case missing(PluginFile, needsRoot: Bool)
    /// This version of the desktop loads no plugins; versions from `since` on do.
    case tooOld(DesktopVersion, since: String)
    case impossible
    /// This machine's libinput, which the desktop uses, loads no plugins.
    case unsupported
    /// The desktop has no gestures of its own.
    case needless
    /// It is unknown which desktop runs. `installed`: the paths of our files that exist.
    case unknown(installed: [String])
    case failed(SystemError)
  }

  package var desktop: Compositor?
  package var version: DesktopVersion?
  package var standing: Standing
  private var isInSession: Bool

  /// The facts it is derived from, gathered by ``TakeStatus/running``.
  package struct Facts: Hashable, Sendable {
    package var desktop: Compositor?
    package var isX11 = false
    /// Whether the environment names a display.
    package var isInSession = false
    /// Whether the desktop has no gestures of its own, so that its name does not matter.
    package var isQuiet = false
    package var version: DesktopVersion?
    /// Whether this machine's libinput loads plugins.
    package var hasPlugins = true
    /// When it was started, in seconds since 1970.
    package var started: Int64?
    package var own = PluginFile.State.missing
    package var system = PluginFile.State.missing
    /// Whether root has chosen twins, and whether there is one.
    package var isTwinOn = false
    package var hasTwin = false
  }

  package init(_ facts: Facts, own: PluginFile = .own, system: PluginFile = .system) {
    desktop = facts.desktop
    version = facts.version
    isInSession = facts.isInSession
    standing = Self.standing(facts, own, system)
  }

  private static func standing(
    _ facts: Facts, _ own: PluginFile, _ system: PluginFile
  ) -> Standing {
    if facts.isTwinOn { return .twin(isThere: facts.hasTwin) }
    guard let desktop = facts.desktop else {
      if facts.isQuiet { return .needless }
      if facts.isX11 { return .impossible }
      let files = [(own, facts.own), (system, facts.system)]
      let installed = files.compactMap { file, state -> String? in
        switch state {
        case .installed, .outdated: file.path
        case .missing, .refused: nil
        }
      }
      return .unknown(installed: installed)
    }
    if facts.isX11 { return .impossible }
    switch desktop.plugins {
    case .none: return .impossible
    case .needless: return .needless
    case .ownFolder(let since), .systemFolder(let since):
      if !facts.hasPlugins { return .unsupported }
      if let old = facts.version, old.isBefore(since) { return .tooOld(old, since: since) }
      let readsOwn = desktop.plugins == .ownFolder(since: since)
      return readsOwn && (facts.own != .missing || facts.system == .missing)
        ? standing(of: own, facts.own, facts, needsRoot: false)
        : standing(of: system, facts.system, facts, needsRoot: !readsOwn)
    }
  }

  private static func standing(
    of file: PluginFile, _ state: PluginFile.State, _ facts: Facts, needsRoot: Bool
  ) -> Standing {
    switch state {
    case .missing: .missing(file, needsRoot: needsRoot)
    case .installed(let written):
      facts.started.map { $0 < written } ?? false
        ? .waiting(path: file.path) : .inForce(path: file.path)
    case .outdated: .outdated(file)
    case .refused(let error): .failed(error)
    }
  }

  package var isInForce: Bool {
    switch standing {
    case .twin(let isThere): isThere
    case .inForce, .needless: true
    case .waiting, .outdated, .missing, .tooOld, .impossible, .unsupported, .unknown, .failed:
      false
    }
  }

  private var name: String { desktop?.name(in: version) ?? "the desktop" }

  /// A sentence without its full stop.
  package var sentence: String {
    switch standing {
    case .twin(isThere: true):
      "\(name) is kept from strokes that rules consume: it reads twins of the touchpads, at the latest once one finger has touched them (\(TwinSwitch.system.path))"
    case .twin(isThere: false):
      "twins are turned on (\(TwinSwitch.system.path)), but no touchpad has one yet, so \(name) gets every stroke"
    case .inForce(let path):
      "\(name) is kept from strokes that rules consume, by \(path)"
    case .waiting(let path):
      "\(name) will load \(path) when it next starts; until then it gets every stroke"
    case .outdated(let file): "\(file.path) was installed by another version of Gliss"
    case .missing(_, let needsRoot):
      "\(name) is not kept from strokes yet: the plugin is not installed\(needsRoot ? "; only root can install it" : "")"
    case .tooOld(_, let since): "\(name) cannot be kept from strokes; from \(since) on it can"
    case .impossible: "\(name) cannot be kept from strokes here: it loads no libinput plugins"
    case .unsupported:
      "\(name) cannot be kept from strokes by a plugin: this machine's libinput loads none; it must be 1.30 or newer, and built with Lua"
    case .needless: "\(name) acts on no stroke by itself, so none has to be kept from it"
    case .unknown(let installed):
      "it is not known which desktop runs"
        + (installed.isEmpty ? "" : "; installed: \(installed.joined(separator: ", "))")
    case .failed(let error): "\(error)"
    }
  }

  /// What is left to do: a sentence, and the commands.
  package var remedy: (text: String, commands: [String])? {
    switch standing {
    case .twin(isThere: true), .inForce, .needless, .failed: nil
    case .unknown:
      (
        (isInSession ? Self.known : "Run gliss inside the desktop's session.")
          + " Twins of the touchpads work on any desktop, with the drawbacks in docs/compositors.md.",
        ["sudo gliss take on --twin"]
      )
    case .twin(isThere: false):
      (
        "glissd makes them while a rule consumes strokes, if it may write /dev/uinput. It looks at that file when it starts, and at a reload.",
        ["sudo systemctl reload glissd"]
      )
    case .impossible, .unsupported, .tooOld:
      (
        "Twins of the touchpads work on any desktop, with the drawbacks in docs/compositors.md.",
        ["sudo gliss take on --twin"]
      )
    case .waiting: ("Log out and in once.", [])
    case .outdated(let file):
      ("Install this version's, then log out and in once.", [Self.command(file)])
    case .missing(let file, _): ("Install it, then log out and in once.", [Self.command(file)])
    }
  }

  private static var known: String {
    "Known are \((Compositor.allCases.map(\.name) + quiet).joined(separator: ", "))."
  }

  private static func command(_ file: PluginFile) -> String {
    file == .system ? "sudo gliss take on" : "gliss take on"
  }
}

extension TakeStatus {
  package static var running: TakeStatus {
    var facts = Facts()
    facts.desktop = Compositor(environment: environmentVariable)
    facts.own = PluginFile.own.state
    facts.system = PluginFile.system.state
    facts.isTwinOn = TwinSwitch.system.isOn
    facts.hasTwin = facts.isTwinOn && DeviceFinder.hasTwin
    facts.isX11 = environmentVariable("XDG_SESSION_TYPE") == "x11"
    facts.isInSession = ["WAYLAND_DISPLAY", "DISPLAY"].contains { name in
      !(environmentVariable(name) ?? "").isEmpty
    }
    guard let desktop = facts.desktop else {
      let words = environmentVariable("XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? []
      facts.isQuiet = words.contains { quiet.contains($0.lowercased()) }
      return TakeStatus(facts)
    }
    switch desktop.plugins {
    case .none, .needless: break
    case .ownFolder, .systemFolder:
      facts.version = DesktopVersion(reportedBy: desktop.program)
      facts.hasPlugins = PluginSystem.isSupported
      facts.started = start(of: desktop)
    }
    return TakeStatus(facts)
  }

  private static let quiet = ["labwc", "river", "wayfire"]

  private static func start(of desktop: Compositor) -> Int64? {
    let name = Array("\(desktop.program)\n".utf8)
    for entry in Folder.names(in: "/proc") where entry.first?.isNumber ?? false {
      var status = stat()
      guard stat("/proc/\(entry)", &status) == 0, status.st_uid == getuid(),
        FileBytes.start(of: "/proc/\(entry)/comm", upTo: 1024) == name,
        let bytes = FileBytes.start(of: "/proc/\(entry)/stat", upTo: 1024),
        let ticks = ProcessFacts.startTime(in: bytes)
      else { continue }
      var (now, up) = (timespec(), timespec())
      clock_gettime(CLOCK_REALTIME, &now)
      clock_gettime(CLOCK_BOOTTIME, &up)
      return Int64(now.tv_sec - up.tv_sec) + Int64(clamping: ticks)
        / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }
    return nil
  }
}

extension DesktopVersion {
  /// The version in the first line that the program prints; `nil` without one within two seconds.
  package init?(reportedBy program: String) {
    // kills all that the program has started
    let limited = "exec timeout -s KILL 2 \(program.quotedForShell) --version"
    guard let pipe = popen("\(limited) </dev/null 2>/dev/null", "re") else { return nil }
    defer { pclose(pipe) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), pipe) != nil else { return nil }
    let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(in: String(decoding: bytes, as: UTF8.self))
  }
}

/// gliss.lua where a desktop loads it from.
package struct PluginFile: Hashable, Sendable {
  /// A file of the same name in the user's folder goes before one in `/etc`.
  static let name = "50-gliss.lua"

  /// The folder it belongs in, which may not exist yet.
  package var folder: String

  package var path: String { "\(folder)/\(Self.name)" }

  package static var own: PluginFile {
    PluginFile(folder: ConfigurationFiles.baseFolder() + "/libinput/plugins")
  }

  /// The system's file, which root writes.
  package static let system = PluginFile(folder: "/etc/libinput/plugins")

  package enum State: Hashable, Sendable {
    case missing
    /// As this version of Gliss has it. `written` is in seconds since 1970.
    case installed(written: Int64)
    case outdated
    /// It cannot be read, or is not a file of Gliss.
    case refused(SystemError)
  }

  package var state: State {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else {
        return .refused(SystemError(path, failed: code))
      }
      var link = stat()
      // a link that leads nowhere
      return lstat(path, &link) == 0 ? foreign : .missing
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return foreign
    }
    do throws(SystemError) {
      let bytes = try FileBytes.read(
        descriptor, of: path, size: status.st_size, limit: 1 << 20)
      if bytes == Self.contents {
        return .installed(written: Int64(max(status.st_mtim.tv_sec, status.st_ctim.tv_sec)))
      }
      return bytes.starts(with: Self.mark) ? .outdated : foreign
    } catch {
      return .refused(error)
    }
  }

  package static var contents: [UInt8] { PackageResources.gliss_lua }
  /// How every version begins.
  private static let mark = Array("-- Gliss:".utf8)

  /// Installs it, completely or not at all. If this version's is there, it stays: a new file would
  /// look as if the running desktop had not loaded it.
  package func install() throws(SystemError) {
    switch state {
    case .refused(let error): throw error
    case .installed: return
    case .missing, .outdated: try Folder.make(folder, mode: 0o755)
    }
    let code = FileBytes.replace(path, with: Self.contents, mode: 0o644)
    guard code == 0 else { throw SystemError(path, failed: code) }
  }

  /// Removes it, and its folder and libinput's if they are empty then.
  ///
  /// - Returns: whether it was there.
  package func remove() throws(SystemError) -> Bool {
    switch state {
    case .missing: return false
    case .refused(let error): throw error
    case .installed, .outdated: break
    }
    guard unlink(path) == 0 else { throw SystemError(path, failed: errno) }
    if rmdir(folder) == 0 { rmdir(folder.folderAndName.folder) }
    return true
  }

  private var foreign: State {
    .refused(SystemError(path, "is not a file of Gliss", advice: "move it away first"))
  }
}
