import ArgumentParser
import Gliss

/// `--expires 8h`: how long a grant is valid.
enum ExpiryArgument: Hashable, ExpressibleByArgument {
  case once
  /// Until the session on the screen ends.
  case session
  case never
  case after(seconds: Int64)
  case at(WallTime)

  static let forms = "once, session, never, a length such as 30m, 8h or 7d, or a date"

  private static let units: [Character: Int64] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
  /// Ten years, in seconds. Use `never` for anything longer.
  private static let longest: Int64 = 315_360_000

  init?(argument: String) {
    switch argument {
    case "once": self = .once
    case "session": self = .session
    case "never": self = .never
    case _:
      if let seconds = Self.length(argument) {
        self = .after(seconds: seconds)
      } else if let instant = CalendarTime.instant(argument) {
        self = .at(instant)
      } else {
        return nil
      }
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(["once", "session", "never", "8h"]) }

  /// The number of seconds in `90s`, `8h` or `1h30m`.
  private static func length(_ text: String) -> Int64? {
    var total: Int64 = 0
    var digits = ""
    for character in text {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      guard digits.count <= 9, let unit = units[character], let number = Int64(digits) else {
        return nil
      }
      total += number * unit
      digits = ""
      guard total <= longest else { return nil }
    }
    return digits.isEmpty && total > 0 ? total : nil
  }

  /// - Parameter session: The name of the session on the screen; `nil` if there is none.
  /// - Throws: If the time has passed, or if there is no session to bind to. The error has been
  ///   reported.
  func expiry(at now: WallTime, session: () throws -> String?) throws -> Expiry {
    switch self {
    case .once: return .once
    case .never: return .never
    case .after(let seconds): return .at(WallTime(seconds: now.seconds + seconds))
    case .at(let instant):
      guard instant > now else {
        throw Diagnostics.refusal("\(CalendarTime.text(instant)) is over: name a time to come")
      }
      return .at(instant)
    case .session:
      guard let name = try session() else {
        throw Diagnostics.refusal("no session of that user is on the screen: name a time instead")
      }
      return .session(name)
    }
  }
}
