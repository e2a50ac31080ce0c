import Gliss

/// Asks which devices to record.
struct DeviceMenu {
  /// The devices, with the kinds recorded most often first.
  let devices: [FoundDevice]

  private static let order: [DeviceClasses] = [.touchpad, .touchscreen, .keyboard, .mouse]

  init(of devices: [FoundDevice]) {
    let ranks = devices.map { device in
      Self.order.firstIndex { device.classes.contains($0) } ?? Self.order.count
    }
    // devices of one kind keep their order
    self.devices = devices.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { devices[$0] }
  }

  /// The devices recorded if nobody can be asked.
  var touchpads: [FoundDevice] { devices.filter { $0.classes.contains(.touchpad) } }

  /// One line per device, with the number that selects it.
  var lines: [String] {
    let kinds = devices.map { EventSentence.describe($0.classes) }
    let width = (number: "\(devices.count)".count, kind: kinds.map(\.count).max() ?? 0)
    return devices.indices.map { index in
      "  " + "\(index + 1)".aligned(width.number) + "  " + kinds[index].padded(width.kind) + "  "
        + devices[index].name.printable
    }
  }

  /// The devices selected by `answer`: numbers separated by blanks or commas; the first touchpad if
  /// it is empty.
  ///
  /// - Returns: `nil` if it contains anything else, or selects nothing.
  func choice(_ answer: String) -> [FoundDevice]? {
    let words = answer.split { $0 == "," || $0.isWhitespace }
    if words.isEmpty { return touchpads.first.map { [$0] } }
    var picked: [FoundDevice] = []
    for word in words {
      guard let index = devices.indices.first(where: { "\($0 + 1)" == word }) else { return nil }
      if !picked.contains(devices[index]) { picked.append(devices[index]) }
    }
    return picked
  }

  /// Asks until the answer is valid.
  ///
  /// - Returns: `nil` if there is no answer.
  func ask() -> [FoundDevice]? {
    let output = Output.diagnostics
    for line in lines { output.write(line: line) }
    let standard = touchpads.isEmpty ? "" : ", Enter for 1"
    while true {
      output.write(text: "Which to record? Its number\(standard): ")
      guard let answer = readLine() else {
        output.write(line: "")
        return nil
      }
      if let picked = choice(answer) { return picked }
    }
  }
}
