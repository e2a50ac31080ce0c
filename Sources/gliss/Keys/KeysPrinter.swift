import Gliss
import GlissConfiguration

/// Prints each chord and stroke as the configuration file spells it.
final class KeysPrinter {
  private let file: String?
  private let format: EventFormat
  private let origin: EventTime
  private var recorder = HotkeyRecorder()
  /// How many more to print; `nil` for no limit.
  private var left: Int?
  /// Called when the requested number has been printed.
  var didFinish: (() -> Void)?

  init(file: String?, origin: EventTime, format: EventFormat, count: Int?) {
    self.file = file
    self.origin = origin
    self.format = format
    left = count
  }

  static let wanted: EventMask = [.key, .gesture]

  func print(_ event: InputEvent) {
    switch event {
    case .key(let key):
      if let hotkey = recorder.process(key) { print("hotkey", "\(hotkey)", at: key.time) }
    case .gesture(let gesture):
      switch gesture.phase {
      case .ended, .recognized:
        print("gesture", GestureCondition(fitting: gesture).line, at: gesture.time)
      case .began, .changed, .cancelled: break
      }
    case .touch, .button, .motion, .scroll, .device, .hotkey, .lost: break
    }
  }

  private func print(_ kind: String, _ text: String, at time: EventTime) {
    guard left != 0 else { return }
    switch format {
    case .text: Output.standard.write(line: text.printable)
    case .jsonl:
      let value = JSON.some([
        "time": .decimal(Double((time - origin).microseconds) / 1_000_000),
        "file": file.map(JSON.string), "kind": .string(kind), "text": .string(text),
      ])
      Output.standard.write(value.encoded + [UInt8(ascii: "\n")])
    }
    guard let count = left else { return }
    left = count - 1
    if left == 0 { didFinish?() }
  }
}
