import GlissClient
public import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// What became of one action of a rule, for one gesture or one press of a hotkey.
public struct ActionRecord: Hashable, Sendable {
  /// The kind of action. The raw value is its word in JSON.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case run, press, enter, leave, show, write
  }

  /// The result of doing it once.
  enum Result: Hashable, Sendable {
    case done
    /// It was not done, for this reason.
    case failed(String)
    /// A command was started, and has failed since.
    case ended(String)
  }

  /// Identifies the record that a result belongs to.
  struct ID: Hashable, Sendable, BitwiseCopyable {
    /// The gesture or press: ``Activation/serial``.
    var serial: UInt64
    var index: Int
  }

  public var kind: Kind
  /// The command line, chords, mode or similar.
  public var object: String
  /// How often it was requested, was done, and was not done.
  public internal(set) var asked = 0
  public private(set) var done = 0
  public private(set) var failed = 0
  /// Why it was last not done.
  public private(set) var reason: String?
  /// How the command ended, if it failed.
  public private(set) var end: String?

  public init(_ verb: Action.Verb) {
    switch verb {
    case .run(let command): (kind, object) = (.run, command.program.spoken)
    case .keys(let chords):
      (kind, object) = (.press, chords.map(\.description).joined(separator: " "))
    case .mode(let mode?): (kind, object) = (.enter, "the mode \(mode)")
    case .mode(nil): (kind, object) = (.leave, "the mode")
    case .notify(let summary, _): (kind, object) = (.show, "“\(summary)”")
    case .emit(let emission): (kind, object) = (.write, "to \(emission.path)")
    }
  }

  mutating func note(_ result: Result, times: Int = 1) {
    switch result {
    case .done: done += times
    case .failed(let reason):
      failed += times
      self.reason = reason
    case .ended(let end): self.end = end
    }
  }

  /// `ran foot`, `did not press alt+left: …`, or both if it was done only some of the times.
  public var sentence: String {
    var parts: [String] = []
    func say(_ verb: String, _ count: Int, _ rest: String = "") {
      if count > 0 {
        parts.append("\(verb) \(object)" + (count > 1 ? " \(count) times" : "") + rest)
      }
    }
    say(kind.past, done, end.map { ", which \($0)" } ?? "")
    say(kind.failure, failed, reason.map { ": \($0)" } ?? "")
    say("has yet to \(kind.rawValue)", asked - done - failed)
    return parts.joined(separator: "; ")
  }
}

extension ActionRecord.Kind {
  fileprivate var past: String {
    switch self {
    case .run: "ran"
    case .press: "pressed"
    case .enter: "entered"
    case .leave: "left"
    case .show: "showed"
    case .write: "wrote"
    }
  }

  fileprivate var failure: String { self == .run ? "could not run" : "did not \(rawValue)" }
}

extension ActionRecord {
  var json: JSON {
    .members([
      "action": .string(kind.rawValue), "object": .string(object), "asked": .integer(Int64(asked)),
      "done": .integer(Int64(done)), "failed": .integer(Int64(failed)),
      "reason": reason.map(JSON.string), "end": end.map(JSON.string),
    ])
  }

  /// - Returns: `nil` if a member is missing or has the wrong type.
  init?(_ json: JSON) {
    guard let kind = json["action"]?.string.flatMap(Kind.init), let object = json["object"]?.string,
      let asked = json["asked"]?.integer, let done = json["done"]?.integer,
      let failed = json["failed"]?.integer
    else { return nil }
    (self.kind, self.object) = (kind, object)
    (self.asked, self.done, self.failed) = (Int(asked), Int(done), Int(failed))
    (reason, end) = (json["reason"]?.string, json["end"]?.string)
  }
}

extension Command.Program {
  /// As typed in a shell: quoted so that arguments can be told apart.
  public var spoken: String {
    switch self {
    case .arguments(let arguments): arguments.map(Self.quoted).joined(separator: " ")
    case .shell(let text): text
    }
  }

  private static func quoted(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty
      && argument.utf8.allSatisfy {
        $0 > 0x20 && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"")
      }
    return isPlain ? argument : "'\(argument)'"
  }
}
