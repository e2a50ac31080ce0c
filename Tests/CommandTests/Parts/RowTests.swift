import GlissEvents
import Testing

@testable import gliss_cli

/// What rows say where there is less room.
@Suite struct RowTests {
  private static let widths = [40, 60, 80, 120]

  private static func terminal(_ columns: Int) -> Terminal {
    var terminal = Terminal.plain
    terminal.isThere = true
    terminal.columns = columns
    return terminal
  }

  private static func pad(_ name: String) -> Device {
    Device(
      id: DeviceID(rawValue: 0), name: name,
      axes: [
        .positionX: AxisRange(minimum: 0, maximum: 1534, resolution: 10),
        .positionY: AxisRange(minimum: 0, maximum: 1028, resolution: 10),
      ], keys: [.toolFinger])
  }

  /// The widest that each kind can say.
  private static let gestures: [GestureEvent] = GestureKind.allCases.flatMap { kind in
    [GesturePhase.ended, .cancelled, .recognized].map { phase in
      var gesture = GestureEvent(
        time: .zero + .milliseconds(12_345_678), device: DeviceID(rawValue: 0), kind: kind,
        phase: phase, fingers: 10)
      gesture.translation.millimetres = Vector2(x: 123.4, y: 98.7)
      gesture.translation.points = Vector2(x: 1234.5, y: 987.6)
      gesture.velocity = Vector2(x: 1234.5, y: 1234.5)
      gesture.scale = 12.34
      gesture.rotation = 3.1
      gesture.count = 12
      gesture.isAfterTap = true
      gesture.edge = .bottom
      gesture.direction = .downRight
      return gesture
    }
  }

  private static let touches: [InputEvent] = [Touch.Phase.ended, .cancelled].map { phase in
    var frame = TouchFrame(time: .zero + .milliseconds(99_999_999), device: DeviceID(rawValue: 0))
    var touch = Touch(
      id: TouchID(device: frame.device, serial: 12345), phase: phase,
      normalizedPosition: Vector2(x: 1, y: 1), position: Vector2(x: 153.4, y: 102.8))
    touch.isResting = true
    frame.touches.append(touch)
    return .touch(frame)
  }

  private static func numbers(_ text: String) -> [Substring] {
    text.split { !$0.isNumber && $0 != "." }.filter { $0.contains(where: \.isNumber) }
  }

  @Test(arguments: widths) func everyRowFits(_ width: Int) {
    for event in Self.gestures.map(InputEvent.gesture) + Self.touches {
      for name in ["A pad", "", String(repeating: "Synaptics TM3276-022 ", count: 9)] {
        for file in [
          nil, "a.yml", "/home/somebody/recordings/" + String(repeating: "x", count: 99),
        ] {
          var whole = EventTable(file: file, on: .plain)
          var table = EventTable(file: file, on: Self.terminal(width))
          let all = Self.numbers(whole.rows(for: event, from: Self.pad(name)))
          let rows = table.rows(for: event, from: Self.pad(name))
          for row in rows.split(separator: "\n") {
            #expect(row.count <= width, "\(row)")
            // the heading's name is cut
            if row.contains("…") { continue }
            for number in Self.numbers(String(row)) { #expect(all.contains(number), "\(row)") }
          }
        }
      }
    }
  }

  @Test(arguments: widths) func everyRowSaysWhatHappened(_ width: Int) {
    for gesture in Self.gestures {
      var table = EventTable(file: nil, on: Self.terminal(width))
      let row = table.rows(for: .gesture(gesture), from: nil).split(separator: "\n").last ?? ""
      #expect(row.contains(gesture.kind.name) && row.contains("10"), "\(row)")
      #expect(row.contains("cancelled") == (gesture.phase == .cancelled), "\(row)")
      switch gesture.kind {
      case .drag, .swipe, .edgeSwipe:
        let isTight = width == 40 && gesture.phase == .cancelled
        #expect(row.contains("down") || isTight, "\(row)")
      case .pinch: #expect(row.contains("12.34×"), "\(row)")
      case .rotate: #expect(row.contains("178°"), "\(row)")
      case .tap, .hold: break
      }
    }
  }

  @Test func theLeastImportantPartIsLeftOutFirst() {
    var gesture = Self.gestures.first { $0.kind == .edgeSwipe && $0.phase == .ended }!
    gesture.translation.millimetres = Vector2(x: 0, y: -30)
    gesture.direction = .up
    let phrase = EventSentence.describe(gesture)
    let shown = [90, 60, 45, 30, 15, 5, 1].map { phrase.fitted(to: $0) }
    #expect(
      shown == [
        "from the bottom edge, up 30.0 mm (1580.9 pt), lifted at 1746 mm/s",
        "from the bottom edge, up 30.0 mm, lifted at 1746 mm/s",
        "from the bottom edge, up 30.0 mm, 1746 mm/s",
        "bottom edge, up 30.0 mm",
        "up 30.0 mm",
        "up",
        "",
      ])
  }

  @Test func aPipeGetsAll() {
    var table = EventTable(file: nil, on: .plain)
    let rows = table.rows(for: .gesture(Self.gestures[0]), from: Self.pad("A pad"))
    #expect(rows.contains("pt)") && rows.contains("lasted") && !rows.contains("…"))
    // a tap has only the time of its end
    #expect(rows.contains("       time    lasted") && !rows.contains("start"))
  }
}
