import ArgumentParser
import Gliss

/// `--seat` and `--device`: which devices to read.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The seat whose devices are read, also those plugged in later; without it seat0.",
      valueName: "name"))
  var seat: String?

  @Option(
    name: .customLong("device"), parsing: .upToNextOption,
    help: ArgumentHelp(
      "Only these, such as /dev/input/event5; 'gliss devices' lists them.", valueName: "path"),
    completion: .shellCommand("ls -d /dev/input/event* 2>/dev/null"))
  var paths: [String] = []

  func validate() throws {
    if seat != nil, !paths.isEmpty {
      throw ValidationError("--seat and --device do not go together")
    }
    if seat == "" { throw ValidationError("--seat needs a name, such as seat0") }
    if let path = paths.first(where: { Arguments.isRepaired($0, option: "--device") }) {
      throw ValidationError("\(path.printable): its name is not UTF-8")
    }
  }

  /// `nil` if devices were named.
  var watchedSeat: String? { paths.isEmpty ? seat ?? "seat0" : nil }

  var selection: DeviceSelection { watchedSeat.map { .seat($0) } ?? .paths(paths) }
}

/// `--duration 2.5`: the time limit.
struct Seconds {
  var interval: EventInterval

  /// - Throws: ``ValidationError`` if the text is not a valid number of seconds.
  init(_ text: String) throws {
    // a year is longer than anybody waits, and far from clock overflow
    guard let seconds = Double(text), seconds > 0, seconds <= 31_536_000 else {
      throw ValidationError(
        "'\(text.printable)' is not a number of seconds above 0, such as 10 or 0.5")
    }
    interval = .milliseconds(seconds * 1000)
  }
}
