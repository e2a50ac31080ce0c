/// Searches a libinput recording for a second device, many times faster than its events can be
/// read.
struct DeviceSearch {
  private let indentation: Int
  /// The number of leading blanks in the current line.
  private var blanks = 0
  /// The rest of the line does not matter.
  private var isInside = false

  /// - Parameter indentation: the indentation of the first device's `events:`. A dash further left
  ///   begins a device.
  init(indentation: Int) { self.indentation = indentation }

  /// Whether a device begins in `bytes`, which continue those of the last call.
  mutating func finds(in bytes: Span<UInt8>) -> Bool {
    var place = 0
    while place < bytes.count {
      if isInside {
        guard let end = LineScanner.newline(in: bytes, from: place) else { return false }
        place = end + 1
        blanks = 0
        isInside = false
        continue
      }
      let byte = bytes[place]
      if byte == 0x20, blanks < indentation {
        blanks += 1
      } else if byte == 0x2d, blanks < indentation {
        return true
      } else if byte == 0x0a {
        blanks = 0
      } else {
        isInside = true
      }
      place += 1
    }
    return false
  }
}
