import Glibc
import Gliss

/// Formats and parses instants in the machine's time zone.
enum CalendarTime {
  /// Now, in seconds since 1970.
  static var now: WallTime { WallTime(seconds: Int64(time(nil))) }

  /// `2026-11-21 17:30`.
  static func text(_ instant: WallTime) -> String { format(instant, "%Y-%m-%d %H:%M") }

  /// `2026-11-21 17:30:05`.
  static func exact(_ instant: WallTime) -> String { format(instant, "%Y-%m-%d %H:%M:%S") }

  private static func format(_ instant: WallTime, _ format: String) -> String {
    var seconds = time_t(instant.seconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "\(instant.seconds)" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Parses `2026-12-31`, which is the start of that day, `2026-12-31T18:00` or
  /// `2026-12-31T18:00:30`; a final `Z` means UTC.
  ///
  /// - Returns: `nil` for anything else, and for dates that do not exist.
  static func instant(_ text: String) -> WallTime? {
    let isUniversal = text.hasSuffix("Z")
    let halves = (isUniversal ? text.dropLast() : text[...])
      .split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count <= 2, let date = numbers(halves[0], "-", [4, 2, 2]) else { return nil }
    var clock: [Int32] = [0, 0, 0]
    if halves.count == 2 {
      guard let read = numbers(halves[1], ":", [2, 2]) ?? numbers(halves[1], ":", [2, 2, 2]) else {
        return nil
      }
      clock.replaceSubrange(0..<read.count, with: read)
    }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (date[0] - 1900, date[1] - 1, date[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
    // let the time zone decide about daylight saving time
    parts.tm_isdst = -1
    let asked = parts
    let seconds = isUniversal ? timegm(&parts) : mktime(&parts)
    // both turn February 30 into a day in March
    guard parts.tm_mday == asked.tm_mday, parts.tm_mon == asked.tm_mon, clock[0] < 24,
      clock[1] < 60, clock[2] < 60, seconds > 0
    else { return nil }
    return WallTime(seconds: Int64(seconds))
  }

  /// Exactly as many numbers as `digits` lists, each with that many digits.
  private static func numbers(
    _ text: Substring, _ separator: Character, _ digits: [Int]
  ) -> [Int32]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == digits else { return nil }
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? Int32(part) : nil
    }
    return numbers.count == parts.count ? numbers : nil
  }
}
