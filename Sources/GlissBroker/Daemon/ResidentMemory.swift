import Glibc
import GlissDevices
import GlissEvents

/// Frees memory once more, a minute after the start, when the first clients have connected.
final class DelayedShrinking: Timed {
  private(set) var deadline: EventTime?

  init(after start: EventTime) { deadline = start + .milliseconds(60_000) }

  func advance(to time: EventTime) {
    guard let due = deadline, due <= time else { return }
    deadline = nil
    // Reading the list of mappings takes tens of milliseconds on a slow machine, and keys would wait.
    // If no thread can be started, the memory stays.
    _ = BackgroundThread.start { ResidentMemory.shrink() }
  }
}

/// The resident memory of the program and its libraries.
enum ResidentMemory {
  /// Frees the memory that only the start needed. Most code runs once then and would stay resident
  /// for the life of the process, because the kernel loads 64 KiB around each page needed.
  ///
  /// Only pages that are not writable and were never written are freed (the linker writes some
  /// pages before it protects them). Their contents are those of the files, and are loaded again
  /// when needed.
  static func shrink() {
    guard let maps = ProcessFiles(getpid()).read("smaps", limit: 4 << 20) else { return }
    for range in unwritten(in: maps) {
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// The ranges of files in `/proc/PID/smaps` that are not writable and hold only the file's
  /// contents.
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
