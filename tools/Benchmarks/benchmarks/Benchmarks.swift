import Glibc

/// Prints what Gliss costs: `tools/bench`.
@main enum Benchmarks {
  static func main() {
    let arguments = CommandLine.arguments
    switch (arguments.dropFirst().first, arguments.last) {
    case ("--read", let path?): exit(ReplayBenchmarks.read(path) ? 0 : 1)
    case ("--replay", let path?): exit(ReplayBenchmarks.replay(path) ? 0 : 1)
    case ("frames", _): FrameBenchmarks.run()
    case ("hotkeys", _): HotkeyBenchmarks.run()
    case ("replay", _): replay()
    case _:
      FrameBenchmarks.run()
      HotkeyBenchmarks.run()
      replay()
    }
  }

  private static func replay() {
    // not /tmp: it is often memory
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    ReplayBenchmarks(folder: folder, program: CommandLine.arguments[0]).run()
  }
}
