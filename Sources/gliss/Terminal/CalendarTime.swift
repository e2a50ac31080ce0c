import Glibc
import Gliss

/// Instants as people write them, in the machine's time zone.
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

  /// `2026-12-31`, which is its beginning, `2026-12-31T18:00` or `2026-12-31T18:00:30`; with `Z` behind it in UTC.
  ///
  /// - Returns: `nil` for anything else, and for days that no calendar has.
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
    // whoever sets clocks forward and back decides
    parts.tm_isdst = -1
    let asked = parts
    let seconds = isUniversal ? timegm(&parts) : mktime(&parts)
    // both make the first of March of the thirtieth of February
    guard parts.tm_mday == asked.tm_mday, parts.tm_mon == asked.tm_mon, clock[0] < 24,
      clock[1] < 60, clock[2] < 60, seconds > 0
    else { return nil }
    return WallTime(seconds: Int64(seconds))
  }

  /// So many numbers of so many digits.
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
