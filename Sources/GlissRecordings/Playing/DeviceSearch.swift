/// Looks for a second device in a libinput recording, many times faster than its events can be read.
struct DeviceSearch {
  private let indentation: Int
  /// How many blanks the line has begun with.
  private var blanks = 0
  /// Nothing more of the line matters.
  private var isInside = false

  /// - Parameter indentation: that of the first device's `events:`. What stands further left with a dash is a device.
  init(indentation: Int) { self.indentation = indentation }

  /// Whether a device begins in `bytes`, which follow those of the call before.
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
