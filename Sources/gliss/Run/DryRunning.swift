import ArgumentParser
import Gliss
import GlissAgent
import GlissConfiguration

/// `gliss run --dry-run`: what the rules would do on recordings or live input.
struct DryRunning {
  private let configuration: Configuration
  private let format: EventFormat

  /// - Throws: The exit status, if the rules cannot be read.
  init(_ source: RuleSource, _ format: EventFormat) throws(ExitCode) {
    let reading = source.read()
    for refused in reading.refused { Diagnostics.badInput(refused.printable) }
    MistakePrinter.print(reading.outcome.mistakes)
    guard let configuration = reading.outcome.configuration, reading.refused.isEmpty else {
      throw ExitCode(ExitStatus.badInput)
    }
    self.configuration = configuration
    self.format = format
  }

  func run(_ recordings: [String]) throws {
    if recordings.isEmpty { return try runLive() }
    for file in recordings { play(file) }
    if Diagnostics.worstStatus != ExitStatus.done { throw ExitCode(Diagnostics.worstStatus) }
  }

  private func play(_ file: String) {
    let playback = Playback(file: file, axes: nil)
    guard var recording = playback.open() else { return }
    let printer = DryRunPrinter(
      configuration, file: file, origin: recording.origin ?? .zero, format)
    let rules = rules(printer)
    recording.willAdvance = { time in
      rules.advance(to: time)
      return true
    }
    let isWhole = playback.run(
      &recording, into: [rules.session],
      isWatched: Terminal(Output.standard.descriptor).hasCursor)
    if isWhole { printer.close() }
    playback.reportWarnings(of: recording)
  }

  private func runLive() throws {
    do throws(DeviceError) {
      let live = try LiveDevices()
      let printer = DryRunPrinter(
        configuration, file: nil, origin: format == .text ? EventLoop.now : .zero, format)
      let rules = rules(printer)
      var hasDevice = false
      live.didAdd = { _, _ in hasDevice = true }
      live.didRefuse = { Diagnostics.say("\($0)".printable) }
      live.didHandle = { [unowned live] _ in
        printer.tellStrokes()
        live.alarm = rules.deadline
      }
      live.didRing = { [unowned live] in
        if !hasDevice {
          hasDevice = true
          Diagnostics.say(
            "no touchpad, touchscreen or keyboard is there yet: 'gliss doctor' says what there is")
        }
        rules.advance(to: EventLoop.now)
        printer.tellStrokes()
        live.alarm = rules.deadline
      }
      rules.session.keyRepeat = .standard
      rules.session.keyTranslator = try KeyOptions.translator(nil).translator
      try Interruption.tell(on: live.loop) { [unowned live] in live.stop() }
      if format == .text { Diagnostics.say("make your gestures; Ctrl-C ends it") }
      // all present devices have been found by then
      live.alarm = EventLoop.now + .milliseconds(1000)
      try live.run(into: rules.session)
    } catch {
      Diagnostics.say("\(error)".printable)
      throw ExitCode(ExitStatus.failed)
    }
    if let status = Interruption.toldStatus, status != ExitStatus.done { throw ExitCode(status) }
  }

  private func rules(_ printer: DryRunPrinter) -> DryRun {
    let rules = DryRun(configuration)
    rules.didActivate = { printer.print($0) }
    rules.didEndStroke = { printer.note($0) }
    for problem in rules.problems { Diagnostics.say(problem.printable) }
    return rules
  }
}
