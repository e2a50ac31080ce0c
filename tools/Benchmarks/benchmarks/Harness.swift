import Glibc

/// Times in ns, and what to make of several.
struct Timings {
  private(set) var nanoseconds: [Double] = []

  /// Runs `body` so many times after one that does not count.
  init(runs: Int, _ body: () -> Void) {
    body()
    for _ in 0..<runs { nanoseconds.append(Self.time(body)) }
    nanoseconds.sort()
  }

  /// How long `body` takes of this thread's processor time, in ns: other processes do not count.
  static func time(_ body: () -> Void) -> Double {
    let start = now()
    body()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  var median: Double { nanoseconds.isEmpty ? 0 : nanoseconds[nanoseconds.count / 2] }
  var least: Double { nanoseconds.first ?? 0 }
  var most: Double { nanoseconds.last ?? 0 }
}

/// A child process and what it took.
enum Child {
  struct Usage {
    /// Processor time, user and system, in seconds.
    var seconds: Double
    /// The most memory it had, in bytes.
    var peakMemory: Int
  }

  /// Runs a program to its end, its output thrown away; `nil` where it cannot be run or fails.
  static func run(_ path: String, _ arguments: [String]) -> Usage? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child = pid_t()
    guard posix_spawnp(&child, path, &actions, nil, words, environ) == 0 else { return nil }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(child, &status, 0, &usage) == child, status == 0 else { return nil }
    let seconds =
      Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    return Usage(seconds: seconds, peakMemory: usage.ru_maxrss * 1024)
  }
}

extension Double {
  /// With so many decimals, right-aligned.
  func text(_ places: Int, width: Int = 0) -> String {
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let scaled = (self * factor).rounded()
    let whole = Int(scaled / factor)
    let rest = Int(scaled - Double(whole) * factor)
    var text = String(whole)
    if places > 0 {
      let digits = String(rest)
      text += "." + String(repeating: "0", count: max(0, places - digits.count)) + digits
    }
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
