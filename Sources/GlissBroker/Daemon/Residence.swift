import Glibc
import GlissEvents

/// Gives back once more what the first clients needed to come in, a minute after the start.
final class LateShrinking: Timed {
  private(set) var deadline: EventTime?

  init(after start: EventTime) { deadline = start + .milliseconds(60_000) }

  func advance(to time: EventTime) {
    guard let due = deadline, due <= time else { return }
    deadline = nil
    Residence.shrink()
  }
}

/// What of the program and its libraries is resident.
enum Residence {
  /// Gives back the memory that only the start needed: most code runs once then, and would stay resident for as long as
  /// the process lives, for the kernel brings 64 KiB in wherever a page is needed.
  ///
  /// Only pages go that nobody can write to and nobody has written to, as the linker does in places before they are
  /// closed: these are the files' own, and come back from there when they are needed again.
  static func shrink() {
    guard let maps = ProcessFiles(getpid()).read("smaps", limit: 4 << 20) else { return }
    for range in unwritten(in: maps) {
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// The ranges of files, as `/proc/PID/smaps` lists them, that cannot be written to and hold nothing but the file.
  static func unwritten(in smaps: [UInt8]) -> [Range<UInt>] {
    var found: [Range<UInt>] = []
    var range: Range<UInt>?
    for line in smaps.split(separator: 0x0a) {
      let fields = line.split(separator: 0x20, maxSplits: 5)
      if let ends = self.range(fields.first) {
        // 55e0c0a00000-55e0c0c00000 r-xp 00021000 fe:00 1234   /usr/lib/…
        let isFixed = fields.count == 6 && !fields[1].contains(UInt8(ascii: "w"))
        range = isFixed && fields[5].drop { $0 == 0x20 }.first == UInt8(ascii: "/") ? ends : nil
      } else if fields.first?.elementsEqual("Anonymous:".utf8) == true, fields.count > 1 {
        if let known = range, fields[1].elementsEqual("0".utf8) { found.append(known) }
        range = nil
      }
    }
    return found
  }

  private static func range(_ field: ArraySlice<UInt8>?) -> Range<UInt>? {
    let ends = field?.split(separator: UInt8(ascii: "-")).map {
      UInt(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard let ends, ends.count == 2, let start = ends[0], let end = ends[1], start < end else {
      return nil
    }
    return start..<end
  }
}
