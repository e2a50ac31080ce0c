/// The formats that can be read, recognized by content, never by file name.
public enum RecordingFormat: String, Hashable, Sendable, CaseIterable {
  /// The YAML of `libinput record`, versions 1 and 2.
  case libinput
  /// `evemu-record`, with or without a description; also a description alone.
  case evemu
  /// The text of `evtest`, with or without its header.
  case evtest

  /// The format that a line reveals; `nil` for a line that may come before any of them.
  init?(firstLine bytes: Span<UInt8>, _ line: LineCursor) {
    var cursor = line
    for word in ["version:", "ndevices:", "libinput:", "system:", "devices:"] as [StaticString]
    where cursor.take(word, in: bytes) {
      self = .libinput
      return
    }
    if cursor.take("# EVEMU", in: bytes) || Self.isEvemu(bytes, cursor) {
      self = .evemu
      return
    }
    for word in ["Event: time ", "Input driver version", "Input device "] as [StaticString]
    where cursor.take(word, in: bytes) {
      self = .evtest
      return
    }
    return nil
  }

  private static func isEvemu(_ bytes: Span<UInt8>, _ line: LineCursor) -> Bool {
    var cursor = line
    let keyword = cursor.byte(in: bytes)
    cursor.advance()
    guard EvemuReader.keywords.contains(keyword), cursor.take(0x3a, in: bytes) else { return false }
    return cursor.byte(in: bytes) == 0x20
  }
}
