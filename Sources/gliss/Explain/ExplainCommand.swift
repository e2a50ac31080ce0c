import ArgumentParser
import Gliss

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain why each contact was recognized as it was.",
    usage: "gliss explain [<option> ...] <file>",
    discussion: """
      For each stroke, from the first finger down to the last one up, it prints
      every decision, the cost of each possible meaning in mm of finger travel, the
      lead that was needed, and the rule that decided. These are the numbers of the
      decision itself, not of a second computation. With --set, a second recognizer
      with that setting gets the same input, and the differences are shown.

      EXAMPLES
        gliss explain mine.yml
        gliss explain --set motion.floor=0.4 mine.yml
        gliss explain --format jsonl mine.yml
      """)

  @Argument(help: "A recording; - is standard input.", completion: .file())
  var file: String

  @Option(help: "text: for reading; jsonl: a JSON object for each decision.")
  var format = EventFormat.text

  @Option(
    help: ArgumentHelp(
      "A file that describes the device, for recordings without a description.", valueName: "file"),
    completion: .file())
  var axes: String?

  @OptionGroup var settings: SettingOptions

  func validate() throws { _ = try settings.configuration() }

  func run() throws {
    let playback = Playback(file: file, axes: axes)
    if var recording = playback.open() {
      try explain(&recording, playback)
      playback.reportWarnings(of: recording)
    }
    throw Diagnostics.result
  }

  private func explain(_ recording: inout Recording, _ playback: Playback) throws {
    let isChanged = !settings.assignments.isEmpty
    let changed = isChanged ? ExplainedSession(try settings.configuration()) : nil
    let typed = settings.assignments.map(\.text).joined(separator: " ")
    let printer = ExplanationPrinter(
      file: file, origin: recording.origin ?? .zero, format: format, settings: typed)
    let explained = ExplainedSession()
    let session = explained.session
    func printSettled(by time: EventTime?) {
      for stretch in explained.settled(by: time) {
        let device = session.device(stretch.device)
        printer.print(stretch, from: device, with: changed?.takeDecisions(like: stretch))
      }
    }
    session.addHandler(matching: .touch) { printSettled(by: $0.time) }
    // the changed session runs first, because its decisions must be known when a contact is printed
    let isWhole = playback.run(&recording, into: (changed.map { [$0.session] } ?? []) + [session])
    printSettled(by: nil)
    if isWhole { printer.close() }
  }
}

/// The time from the first finger down until all are lifted, on one device.
struct Stretch {
  var device: DeviceID
  var start: EventTime
  /// `nil` while a finger is down.
  var end: EventTime?
  /// The most fingers down at once.
  var fingers: Int
  var decisions: [Decision] = []
}

/// Listens to a session, and assigns its decisions to the stretches of contact they belong to.
final class ExplainedSession {
  /// Taps and holds may be decided after the fingers have lifted, but not later than this.
  private static let settling = EventInterval(microseconds: 2_000_000)

  let session: Session
  /// What was not taken yet, in order.
  private var stretches: [Stretch] = []

  init(_ configuration: GestureConfiguration = GestureConfiguration()) {
    session = Session(configuration: configuration)
    session.addHandler(matching: .touch) { [unowned self] event in
      if case .touch(let frame) = event { note(frame) }
    }
    session.addDecisionHandler { [unowned self] decision in note(decision) }
  }

  private func note(_ frame: TouchFrame) {
    let down = frame.touches.count { !$0.phase.isFinal }
    let counted = max(down, frame.fingerCount)
    if let index = stretches.lastIndex(where: { $0.device == frame.device && $0.end == nil }) {
      stretches[index].fingers = max(stretches[index].fingers, counted)
      if down == 0 { stretches[index].end = frame.time }
    } else if down > 0 {
      stretches.append(Stretch(device: frame.device, start: frame.time, fingers: counted))
    }
  }

  /// Adds `decision` to the stretch in which its fingers landed.
  private func note(_ decision: Decision) {
    let index = stretches.lastIndex {
      $0.device == decision.device && $0.start <= decision.landed
    }
    if let index {
      stretches[index].decisions.append(decision)
    } else {
      // no frame showed these fingers: report them as a stretch of their own rather than not at all
      stretches.append(
        Stretch(
          device: decision.device, start: decision.landed, end: decision.time,
          fingers: decision.fingers, decisions: [decision]))
    }
  }

  /// Removes and returns, in order, the finished stretches that get no more decisions after `time`;
  /// all stretches if it is `nil`.
  func settled(by time: EventTime?) -> [Stretch] {
    let settled = stretches.prefix { stretch in
      guard let time else { return true }
      return stretch.end.map { time - $0 > Self.settling } ?? false
    }
    stretches.removeFirst(settled.count)
    return Array(settled)
  }

  /// Removes the stretch of the same contact and returns its decisions; empty if this session did
  /// not see it. Sessions that get the same input number their devices alike.
  func takeDecisions(like other: Stretch) -> [Decision] {
    let isSame = { (stretch: Stretch) in
      stretch.device == other.device && stretch.start == other.start
    }
    defer { stretches.removeAll(where: isSame) }
    return stretches.filter(isSame).flatMap(\.decisions)
  }
}
