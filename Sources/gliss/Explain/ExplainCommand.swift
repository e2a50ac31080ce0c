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
    let changed = try changedSession()
    let typed = settings.assignments.map(\.text).joined(separator: " ")
    let printer = ExplanationPrinter(
      file: file, origin: recording.origin ?? .zero, format: format,
      settings: changed == nil ? nil : typed)
    let session = Session()
    let explained = ExplainedSession(session)
    explained.didSettle = { stretch, device in
      printer.print(stretch, from: device, with: changed?.take(stretch))
    }
    // the changed session runs first, because its decisions must be known when a contact is printed
    let sessions = (changed.map { [$0.session] } ?? []) + [session]
    let isWhole = playback.run(&recording, into: sessions)
    changed?.close()
    explained.close()
    if isWhole { printer.close() }
  }

  /// The second session; `nil` if no setting was changed.
  private func changedSession() throws -> ChangedSession? {
    if settings.assignments.isEmpty { return nil }
    return ChangedSession(Session(configuration: try settings.configuration()))
  }
}

/// Listens to a session and reports each stretch of contact with its decisions, in order.
final class ExplainedSession {
  private let session: Session
  var didSettle: ((Stretch, Device?) -> Void)?
  private var stretches = Stretches()

  init(_ session: Session) {
    self.session = session
    session.addHandler(matching: .touch) { [unowned self] event in
      stretches.note(event)
      settle(by: event.time)
    }
    session.addDecisionHandler { [unowned self] decision in stretches.note(decision) }
  }

  /// The input has ended: reports what is left.
  func close() { settle(by: nil) }

  private func settle(by time: EventTime?) {
    for stretch in stretches.settled(by: time) {
      didSettle?(stretch, session.device(stretch.device))
    }
  }
}

/// Collects what another configuration decides on the same input, contact by contact, until it is
/// taken.
final class ChangedSession {
  let session: Session
  private var decisions: [Contact: [Decision]] = [:]
  private let explained: ExplainedSession

  init(_ session: Session) {
    self.session = session
    explained = ExplainedSession(session)
    explained.didSettle = { [unowned self] stretch, _ in
      decisions[Contact(stretch), default: []] += stretch.decisions
    }
  }

  /// The input has ended: settles the remaining decisions.
  func close() { explained.close() }

  /// Removes and returns the decisions on that contact; empty if this session did not see it.
  func take(_ stretch: Stretch) -> [Decision] {
    decisions.removeValue(forKey: Contact(stretch)) ?? []
  }

  /// Both sessions get the same devices in the same order, so their numbers match.
  private struct Contact: Hashable {
    var device: DeviceID
    var start: EventTime

    init(_ stretch: Stretch) {
      device = stretch.device
      start = stretch.start
    }
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

/// Assigns decisions to the stretches of contact they belong to.
struct Stretches {
  /// Taps and holds may be decided after the fingers have lifted, but not later than this.
  private static let settling = EventInterval(microseconds: 2_000_000)

  private var open: [DeviceID: Int] = [:]
  private var waiting: [Stretch] = []

  /// Follows the contacts and ignores other events.
  mutating func note(_ event: InputEvent) {
    switch event {
    case .touch(let frame):
      let down = frame.touches.count { !$0.phase.isFinal }
      note(down: down, counted: max(down, frame.fingerCount), frame)
    case .gesture, .key, .button, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  private mutating func note(down: Int, counted: Int, _ frame: TouchFrame) {
    if let index = open[frame.device] {
      waiting[index].fingers = max(waiting[index].fingers, counted)
      if down == 0 {
        waiting[index].end = frame.time
        open[frame.device] = nil
      }
    } else if down > 0 {
      open[frame.device] = waiting.count
      waiting.append(Stretch(device: frame.device, start: frame.time, fingers: counted))
    }
  }

  /// Adds `decision` to the stretch in which its fingers landed.
  mutating func note(_ decision: Decision) {
    let index = waiting.lastIndex {
      $0.device == decision.device && $0.start <= decision.landed
    }
    if let index {
      waiting[index].decisions.append(decision)
    } else {
      // no frame showed these fingers: report them as a stretch of their own rather than not at all
      waiting.append(
        Stretch(
          device: decision.device, start: decision.landed, end: decision.time,
          fingers: decision.fingers, decisions: [decision]))
    }
  }

  /// Removes and returns, in order, the finished stretches that get no more decisions after `time`;
  /// all stretches if it is `nil`.
  mutating func settled(by time: EventTime?) -> [Stretch] {
    var count = 0
    while count < waiting.count {
      if let time {
        guard let end = waiting[count].end, time - end > Self.settling else { break }
      }
      count += 1
    }
    if count == 0 { return [] }
    defer {
      waiting.removeFirst(count)
      for (device, index) in open { open[device] = index >= count ? index - count : nil }
    }
    return Array(waiting.prefix(count))
  }
}
