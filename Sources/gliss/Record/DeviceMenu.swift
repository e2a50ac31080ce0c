import Gliss

/// Asks which devices to record.
struct DeviceMenu {
  let devices: [FoundDevice]

  init(of devices: [FoundDevice]) { self.devices = devices }

  /// What is recorded where nothing else is said.
  var touchpads: [FoundDevice] { devices.filter { $0.classes.contains(.touchpad) } }

  /// A line for each device, with the number that picks it.
  var lines: [String] {
    let numbers = devices.map(Self.number)
    let kinds = devices.map { EventSentence.describe($0.classes) }
    let width = (number: numbers.map(\.count).max() ?? 0, kind: kinds.map(\.count).max() ?? 0)
    return devices.indices.map { index in
      "  " + numbers[index].aligned(width.number) + "  " + kinds[index].padded(width.kind) + "  "
        + devices[index].name.printable
    }
  }

  /// The 5 of `/dev/input/event5`, which is how devices are known; another node's whole name.
  private static func number(_ device: FoundDevice) -> String {
    let name = device.nodeName
    return name.hasPrefix("event") ? String(name.dropFirst(5)) : name
  }

  /// The devices that `answer` picks: numbers with blanks or commas between; the touchpads where it is empty.
  ///
  /// - Returns: `nil` where something in it is none of the numbers, or nothing is picked.
  func choice(_ answer: String) -> [FoundDevice]? {
    let words = answer.split { $0 == "," || $0.isWhitespace }
    if words.isEmpty { return touchpads.isEmpty ? nil : touchpads }
    var picked: [FoundDevice] = []
    for word in words {
      guard let device = devices.first(where: { Self.number($0) == word }) else { return nil }
      if !picked.contains(device) { picked.append(device) }
    }
    return picked
  }

  /// Asks until the answer makes sense.
  ///
  /// - Returns: `nil` where there is no answer.
  func ask() -> [FoundDevice]? {
    let output = Output.diagnostics
    for line in lines { output.write(line: line) }
    let standard = touchpads.isEmpty ? "" : ", Enter for the touchpads"
    while true {
      output.write(text: "Which to record? Numbers\(standard): ")
      guard let answer = readLine() else {
        output.write(line: "")
        return nil
      }
      if let picked = choice(answer) { return picked }
    }
  }
}
