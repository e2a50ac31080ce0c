package import GlissEvents

/// Gestures in the form that is written down.
package enum GestureLines {
  /// A JSON object a line, with times since `origin`.
  package static func text(
    _ gestures: [GestureEvent], from origin: EventTime, file: String, device: String
  ) -> String {
    var encoder = JSONLineEncoder(origin: origin, file: file)
    for gesture in gestures { encoder.append(.gesture(gesture), deviceName: device) }
    return String(decoding: encoder.buffer.bytes, as: UTF8.self)
  }
}
