import GlissEvents

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

  /// Whether the program at `path` may have `part` only once.
  ///
  /// `gliss` is an exception twice. It may keep the post tier: its user's file determines what it
  /// presses and keeps from the desktop, and it shows nothing of that to others. It may also keep
  /// the modifiers, which its rules require for gestures: they spell no text, and any client with
  /// gestures sees their taps.
  static func contains(_ path: String, for part: Scope.Part) -> Bool {
    switch part.tier {
    case .hotkey, .gesture: return false
    case .raw where part.event == .key && part.keys == .modifiers: break
    case .raw: return contains(path)
    case .post: break
    }
    return contains(path) && path.split(separator: "/").last != "gliss"
  }

  /// Whether it may have any part of `scope` only once.
  static func contains(_ path: String, for scope: Scope) -> Bool {
    scope.parts.contains { contains(path, for: $0) }
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
