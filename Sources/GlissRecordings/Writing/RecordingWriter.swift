public import GlissEvents

/// Writes `libinput record` YAML (version 1), which `libinput replay` plays.
///
/// The output is valid after every packet, so that a program that crashes leaves a readable
/// recording. The devices come one after the other, each with its events; ``Recording`` plays them
/// together.
public struct RecordingWriter {
  /// Receives the next bytes of the recording.
  public typealias Sink = ([UInt8]) throws(RecordingError) -> Void

  private let sink: Sink
  private var text: RecordingText

  /// - Parameters:
  ///   - deviceCount: how many devices will be added; written at the beginning of the recording.
  ///   - sink: receives the bytes, one device description or one packet at a time.
  public init(deviceCount: Int = 1, to sink: @escaping Sink) {
    self.sink = sink
    text = RecordingText(deviceCount: deviceCount)
  }

  /// Writes to the file at `path` and overwrites it.
  public init(path: String, deviceCount: Int = 1) throws(RecordingError) {
    let output = try RecordingOutput(path: path)
    self.init(deviceCount: deviceCount) { bytes throws(RecordingError) in
      try output.write(bytes.span)
    }
  }

  /// A complete recording of one device.
  public static func bytes(of device: Device, _ events: some Sequence<EvdevEvent>) -> [UInt8] {
    var text = RecordingText(deviceCount: 1)
    text.add(RecordedDevice(device))
    for event in events { text.write(event) }
    return text.buffer.bytes
  }

  /// Describes the next device; the events that follow are its own.
  public mutating func add(_ device: Device) throws(RecordingError) {
    try add(RecordedDevice(device))
  }

  /// Describes the next device; the events that follow are its own.
  public mutating func add(_ recorded: RecordedDevice) throws(RecordingError) {
    text.add(recorded)
    try flush()
  }

  /// Writes an event of the last added device. Times are written unchanged.
  public mutating func write(_ event: EvdevEvent) throws(RecordingError) {
    text.write(event)
    if !text.isInPacket { try flush() }
  }

  /// Writes what is still pending: a packet without its end.
  public mutating func finish() throws(RecordingError) { try flush() }

  private mutating func flush() throws(RecordingError) {
    guard !text.buffer.bytes.isEmpty else { return }
    try sink(text.buffer.bytes)
    text.buffer.removeAll()
  }
}
