import ArgumentParser
import Gliss

/// `--events gesture,touch`: the kinds of event to print.
struct EventKinds {
  static let names: [(name: String, mask: EventMask)] = [
    ("gesture", .gesture), ("touch", .touch), ("key", .key), ("pointer", .pointer),
    ("scroll", .scroll), ("device", .device), ("all", .all),
  ]

  static let gestures = EventKinds(mask: .gesture)

  /// The kinds the broker can grant.
  static let grantable: EventMask = [.gesture, .touch, .key, .pointer, .scroll, .device]

  var mask: EventMask

  private init(mask: EventMask) { self.mask = mask }

  /// - Throws: ``ValidationError`` if a word is not in ``names``.
  init(_ text: String) throws {
    mask = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = Self.names.first(where: { $0.name == word }) else {
        let names = Self.names.map(\.name).joined(separator: ", ")
        throw ValidationError("'\(String(word).printable)' is not one of \(names)")
      }
      mask.formUnion(kind.mask)
    }
  }
}

/// `--speed max` or `--speed 2`: the playback speed of a recording.
enum Speed {
  case maximal
  /// Seconds of the recording per second of real time.
  case times(Double)

  /// - Throws: ``ValidationError`` if the text is neither `max` nor a number above 0.
  init(_ text: String) throws {
    if text == "max" {
      self = .maximal
      return
    }
    guard let factor = Double(text), factor >= 0.001, factor <= 1000 else {
      throw ValidationError(
        "'\(text.printable)' is neither 'max' nor a number from 0.001 to 1000; 1 is as recorded")
    }
    self = .times(factor)
  }
}

/// The formats for events.
enum EventFormat: String, ExpressibleByArgument, CaseIterable {
  /// A table for people.
  case text
  /// One JSON object per line, for programs.
  case jsonl
}

/// The formats for answers that are printed as a whole.
enum AnswerFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people.
  case text
  /// One JSON document, for programs.
  case json
}
