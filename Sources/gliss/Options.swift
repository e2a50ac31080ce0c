import ArgumentParser
import Gliss

struct DeviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The seat whose devices are read, also those plugged in later; by default seat0.",
      valueName: "name"))
  var seat: String?

  @Option(
    name: .customLong("device"), parsing: .upToNextOption,
    help: ArgumentHelp(
      "Only these devices, such as /dev/input/event5; 'gliss devices' lists them.",
      valueName: "path"),
    completion: .shellCommand("find /dev/input -name \"event*\" 2>/dev/null"))
  var paths: [String] = []

  func validate() throws {
    if seat != nil, !paths.isEmpty {
      throw ValidationError("--seat and --device do not go together")
    }
    if seat == "" { throw ValidationError("--seat needs a name, such as seat0") }
    for path in paths { try Arguments.checkName(path, option: "--device") }
  }

  var areGiven: Bool { seat != nil || !paths.isEmpty }

  /// `nil` if devices were named.
  var watchedSeat: String? { paths.isEmpty ? seat ?? "seat0" : nil }

  var selection: DeviceSelection { watchedSeat.map { .seat($0) } ?? .paths(paths) }
}

extension ArgumentHelp {
  static let axes = ArgumentHelp(
    "A file that describes the device, for recordings without a description.", valueName: "file")
  static let duration = ArgumentHelp("End after this many seconds.", valueName: "seconds")
  static let events = ArgumentHelp(
    "What to print, separated by commas: gesture, touch, key, pointer, scroll, device or all.",
    valueName: "kinds")
}

extension CompletionKind {
  static let events = list(EventMask.choices.map(\.name))
}

extension EventInterval {
  /// `--duration 2.5`: the time limit.
  init(seconds text: String) throws {
    // a year is longer than anybody waits, and far from clock overflow
    guard let seconds = Double(text), seconds > 0, seconds <= 31_536_000 else {
      throw ValidationError(
        "'\(text.printable)' is not a number of seconds above 0, at most a year, such as 10 or 0.5")
    }
    self = .milliseconds(seconds * 1000)
  }
}

extension EventMask {
  static let choices = table.map { (name: "\($0.1)", value: $0.0) } + [("all", .all)]

  init(words text: String) throws { self = try Arguments.union(text, of: Self.choices) }
}

extension Double {
  /// `--speed max` or `--speed 2`: seconds of a recording per second of real time.
  init(speed text: String) throws {
    if text == "max" {
      self = .infinity
      return
    }
    guard let factor = Double(text), (0.001...1000).contains(factor) else {
      throw ValidationError(
        "'\(text.printable)' is neither 'max' nor a number from 0.001 to 1000; 1 is as recorded")
    }
    self = factor
  }
}

enum EventFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case jsonl
}

/// The formats for answers that are printed as a whole.
enum AnswerFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

enum Arguments {
  static func choice<Value>(
    _ word: some StringProtocol, of words: [(name: String, value: Value)]
  ) throws -> Value {
    if let found = words.first(where: { $0.name == word }) { return found.value }
    let names = words.map(\.name).joined(separator: ", ")
    throw ValidationError("'\(String(word).printable)' is not one of \(names)")
  }

  static func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ word: String
  ) throws -> Value {
    try choice(word, of: Value.allCases.map { ($0.rawValue, $0) })
  }

  /// The values that the words of `list` stand for. It has commas between them.
  static func choices<Value>(
    _ list: String, of words: [(name: String, value: Value)]
  ) throws -> [Value] {
    if list.hasSuffix(",") { throw ValidationError("a value is missing after the last comma") }
    return try list.split(separator: ",", omittingEmptySubsequences: false)
      .map { try choice($0, of: words) }
  }

  static func union<Options: SetAlgebra>(
    _ list: String, of words: [(name: String, value: Options)]
  ) throws -> Options {
    try choices(list, of: words).reduce(into: []) { $0.formUnion($1) }
  }

  static func checkLayout(_ layout: String?) throws {
    do { _ = try layout.map { try KeyboardLayout(parsing: $0) } } catch {
      throw ValidationError("\(error)".printable)
    }
  }

  static func checkStandardInput(_ files: [String]) throws {
    if files.contains("") { throw ValidationError("a file needs a name, and one is empty") }
    if files.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input (-) can be read only once")
    }
  }

  static func checkName(_ path: String?, option: String? = nil) throws {
    if let path, isRepaired(path, option: option) {
      throw ValidationError("\(path.printable): its name is not UTF-8")
    }
  }

  /// Arguments that are not UTF-8, with the invalid parts replaced, as Swift shows them.
  private static let repaired: Set<String> = {
    var repaired: Set<String> = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { continue }
      if String(validatingCString: bytes) == nil { repaired.insert(String(cString: bytes)) }
    }
    return repaired
  }()

  /// Whether a path differs from what was typed, so that the file cannot be opened.
  static func isRepaired(_ path: String, option: String? = nil) -> Bool {
    repaired.contains(path) || option.map { repaired.contains("\($0)=\(path)") } ?? false
  }
}
