import Glibc
import GlissBroker
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys
import GlissSynthesis
import StrokeClasses

/// Does each line of standard input on the stage, and says so with a line.
final class Director {
  private let stage: Stage
  private var unread: [UInt8] = []

  init(_ stage: Stage) throws {
    self.stage = stage
    try stage.loop.watch(0) { [unowned self] in read() }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(0, &chunk, chunk.count)
    guard count > 0 else { return stage.loop.stop() }
    unread += chunk[..<count]
    while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: unread[..<end], as: UTF8.self)
      unread.removeSubrange(...end)
      say(act(line.split(separator: " ").map(String.init)))
    }
  }

  private func act(_ words: [String]) -> String {
    switch (words.first, words.dropFirst().first) {
    case ("key", let name?):
      guard let key = Key(name: name) else { return "no key \(name)" }
      let values: [Int32] = words.last == "down" ? [1] : words.last == "up" ? [0] : [1, 0]
      for value in values { stage.press(key, value) }
    case ("layout", let text?):
      guard let layout = try? KeyboardLayout(parsing: text),
        let found = try? XkbKeyTranslator(layout)
      else {
        return "no layout \(text)"
      }
      stage.session.keyTranslator = found
    case ("late", let name?):
      guard let key = Key(name: name) else { return "no key \(name)" }
      stage.pressLate(key)
    case ("stroke", let name?):
      guard let stroke = TraceClass.named(name) else { return "no stroke \(name)" }
      stage.stroke(
        stroke.trace(on: .medium, index: 0, seed: words.count > 2 ? UInt64(words[2]) ?? 1 : 1))
    case ("lose", let device?): stage.lose(isPad: device == "pad")
    case ("motion", let count?): for _ in 0..<(Int(count) ?? 1) { stage.move() }
    case ("flood", let count?):
      stage.pour(Int(count) ?? 1000, rate: words.count > 2 ? Int(words[2]) ?? 1000 : 1000)
    case ("lock", _): stage.see { $0.isLocked = true }
    case ("unlock", _): stage.see { $0.isLocked = false }
    case ("sleep", _): stage.see { $0.isAsleep = true }
    case ("wake", _): stage.see { $0.isAsleep = false }
    case ("user", let uid?):
      stage.see {
        $0.activeUser = UInt32(uid)
        $0.session = UInt32(uid) == nil ? nil : "stage-\(uid)"
      }
    case ("end", let session?): stage.broker.sessionEnded(session)
    case ("consent", let word?):
      let answers: [String: ConsentAnswer] = [
        "agree": .agreed, "refuse": .refused, "nobody": .nobodyToAsk,
      ]
      stage.consent.answer = answers[word]
      stage.broker.reschedule()
    case ("asked", _): return "asked \(stage.consent.count)"
    case ("resumed", _): return "resumed \(stage.host.resumed)"
    case ("pressed", _):
      return "pressed " + stage.pressed.chords.map(\.textToPress).joined(separator: " ")
    case ("dropped", _): return "dropped \(stage.pressed.dropped)"
    case ("held", _):
      let held = stage.pressed.held.values.joined().map(\.textToPress)
      return "held " + held.sorted().joined(separator: " ")
    case ("hidden", _): return "hidden \(stage.hidden.words)"
    case ("uinput", let word?):
      stage.hidden.isMissing = word == "gone"
      stage.pressed.isMissing = word == "gone"
      stage.host.cannotConsume = word == "gone"
    case ("consumed", _): return "consumed \(stage.consumed)"
    case ("kept", _): return "kept " + stage.kept.joined(separator: " ")
    case ("memory", _): return "memory \(Self.residentKilobytes) kB"
    case ("descriptors", _): return "descriptors \(Self.descriptorCount)"
    case _: return "no act \(words.joined(separator: " "))"
    }
    return "done"
  }

  private static var residentKilobytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let fields = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
      separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) / 1024 : 0
  }

  private static var descriptorCount: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count - 3
  }
}
