import GlissEvents

/// Who a client is according to the system, not its own claim. The caller supplies it.
///
/// The uid is enforced and, within it, a system unit or a sandbox. The program is only a label for
/// consent and audit: a process of the same user can run a granted program and control it
/// (docs/threat-model.md).
package struct ClientIdentity: Hashable, Sendable {
  package enum Confinement: Hashable, Sendable {
    case none
    /// A system service, by the name of its unit.
    case unit(String)
    /// A sandbox that identifies its app, by the app's id.
    case app(String)
    /// A sandbox that identifies nothing (bubblewrap). It can be granted nothing.
    case anonymous
    /// The confinement could not be determined. It can be granted nothing.
    case unknown
  }

  package var uid: UInt32
  package var pid: Int32
  /// When the process started, in kernel ticks since boot. With the pid it identifies one process.
  package var startTime: UInt64
  package var confinement: Confinement
  /// The path of its program; `nil` if it cannot be determined reliably.
  package var program: String?
  /// Whether the program's file was replaced or removed since the program started.
  package var isReplaced = false

  package init(
    uid: UInt32, pid: Int32, startTime: UInt64, confinement: Confinement, program: String?
  ) {
    self.uid = uid
    self.pid = pid
    self.startTime = startTime
    self.confinement = confinement
    self.program = program
  }

  /// The client that a grant would name; `nil` if no grant can.
  package var client: Client? {
    switch confinement {
    case .none: program.map(Client.program)
    case .unit(let name): .unit(name)
    case .app(let id): .app(id)
    case .anonymous, .unknown: nil
    }
  }
}

/// The client that a grant names, in addition to the uid.
package enum Client: Hashable, Sendable {
  case program(String)
  /// A system service by its unit.
  case unit(String)
  /// A sandboxed app by its id.
  case app(String)
}

extension Client: CustomStringConvertible {
  /// `program:/usr/bin/foo`, `unit:foo.service` or `app:org.foo.Bar`.
  package var description: String {
    switch self {
    case .program(let path): "program:" + path
    case .unit(let name): "unit:" + name
    case .app(let id): "app:" + id
    }
  }

  /// Parses a ``description``, or throws ``GateError/Problem/syntax``. Its path must be normalized.
  package init(_ text: String) throws(GateError) {
    guard let colon = text.firstIndex(of: ":") else { throw Self.error(text, "has no kind") }
    let name = String(text[text.index(after: colon)...])
    guard !name.isEmpty, name.utf8.count <= TermsLimits.client,
      name.unicodeScalars.allSatisfy(\.isPlain)
    else { throw Self.error(text, "is empty, too long, or has invisible characters") }
    switch text[..<colon] {
    case "program":
      guard Self.isNormal(name) else {
        throw Self.error(text, "is not an absolute path without “.”, “..” and doubled slashes")
      }
      self = .program(name)
    case "unit":
      guard name.hasSuffix(".service"), !name.contains("/") else {
        throw Self.error(text, "is not a service's name")
      }
      self = .unit(name)
    case "app":
      guard !name.contains("/") else { throw Self.error(text, "is not an app's id") }
      self = .app(name)
    case _: throw Self.error(text, "has an unknown kind")
    }
  }

  /// Throws unless a grant can name it: it must read back as the same client.
  func check() throws(GateError) {
    guard try Client(description) == self else {
      throw GateError(.syntax, "client", "\(self) cannot be stored under that name")
    }
  }

  /// Throws unless systemd or Flatpak allow the name. Grants that are stored already may have
  /// others.
  package func checkNew(at place: String = "client") throws(GateError) {
    switch self {
    case .program: break
    case .unit(let name):
      guard name.utf8.count <= 255, name.utf8.allSatisfy({ $0.isLetterDigit(or: ":-_.\\@") })
      else {
        throw Self.error(
          description, "is not a unit's name", at: place,
          advice: "it has letters, digits and :-_.\\@ only, as in 'systemctl list-units'")
      }
    case .app(let id):
      guard (try? AccessGroup(id)) != nil else {
        throw Self.error(
          description, "is not an app's id", at: place,
          advice: "it has dots between letters, digits, _ and -, as app:org.example.Foo has")
      }
    }
  }

  private static func isNormal(_ path: String) -> Bool {
    guard path.hasPrefix("/"), path.count > 1 else { return false }
    return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
    }
  }

  private static func error(
    _ text: String, _ problem: String, at place: String = "client",
    advice: String = "use program:PATH, unit:NAME.service or app:ID"
  ) -> GateError {
    GateError(.syntax, place, "“\(text.boundedLine(80))” \(problem)", advice: advice)
  }
}

extension Client {
  /// Whether any program of the user can use its grants. `gliss` runs only its user's own file.
  package var runsAnyCode: Bool {
    guard case .program(let path) = self else { return false }
    return Interpreters.contains(path) && path.split(separator: "/").last != "gliss"
  }
}

/// Programs that run any code they are given, or relay anything they receive. Whatever one of them
/// may see, every program of its user may see.
enum Interpreters {
  /// By name, without a version suffix.
  private static let names: Set<String> = [
    // shells, and programs that run others by name
    "sh", "ash", "bash", "dash", "zsh", "fish", "ksh", "mksh", "posh", "yash", "tcsh", "csh",
    "elvish", "nu", "xonsh", "pwsh", "busybox", "toybox", "env", "nohup", "setsid", "timeout",
    "nice", "xargs", "watch", "script", "sudo", "doas", "su", "runuser", "setpriv", "pkexec",
    "ssh", "screen", "tmux", "strace", "ltrace", "gdb", "bwrap", "flatpak", "snap", "systemd-run",
    "ld", "lldb", "unshare", "nsenter", "chroot", "bash-static", "zsh-static", "busybox-static",
    // languages
    "python", "pypy", "perl", "ruby", "irb", "node", "nodejs", "deno", "bun", "lua", "luajit",
    "tclsh", "wish", "expect", "php", "php-cgi", "php-fpm", "java", "jshell", "mono", "mono-sgen",
    "dotnet", "guile",
    "racket", "sbcl", "clisp", "julia", "Rscript", "R", "octave", "octave-cli", "octave-gui",
    "erl", "beam", "elixir", "iex", "escript", "swift", "swift-frontend", "ghci", "ghc", "runghc",
    "ocaml", "gjs", "gjs-console", "cjs", "cjs-console", "qml", "qjs", "d8", "electron", "wine",
    "qemu", "awk", "gawk", "mawk", "nawk", "sed", "make",
    // editors that run programs in a language of their own
    "emacs", "emacs-gtk", "emacs-nox", "emacs-lucid", "emacs-pgtk", "vim", "nvim",
    // relays
    "socat", "nc", "ncat", "varlink", "varlinkctl", "varlink-cli",
    // shows what it sees to whatever started it
    "gliss",
  ]

  /// Names that continue with a processor's name.
  private static let prefixes = ["ld-linux", "ld-musl", "qemu-"]

  /// Whether the client may have `part` only once.
  ///
  /// `gliss` is an exception twice. It may keep the post tier: its user's file determines what it
  /// presses and keeps from the desktop, and it shows nothing of that to others. It may also keep
  /// the modifiers, which its rules require for gestures: they spell no text, and any client with
  /// gestures sees their taps.
  static func mayOnlyOnce(_ client: Client, _ part: Scope.Part) -> Bool {
    guard case .program(let path) = client else { return false }
    switch part.tier {
    case .hotkey, .gesture: return false
    case .raw where part.event == .key && part.keys == .modifiers: break
    case .raw: return contains(path)
    case .post: break
    }
    return client.runsAnyCode
  }

  /// Whether the program at `path` is an interpreter, whatever its version.
  static func contains(_ path: String) -> Bool {
    guard let name = path.split(separator: "/").last else { return false }
    if names.contains(String(name)) || prefixes.contains(where: name.hasPrefix) { return true }
    // python3.11-dbg, guile-3.0, vim.basic, luajit-2.1.0-beta3
    let bare = name.prefix { !$0.isNumber && $0 != "." }
    let trimmed = bare.last == "-" || bare.last == "_" ? bare.dropLast() : bare
    return names.contains(String(trimmed))
  }
}
