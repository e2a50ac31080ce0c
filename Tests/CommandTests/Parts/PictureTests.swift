import GlissEvents
import Testing

@testable import gliss_cli

@Suite struct PictureTests {
  private static let pad = Device(
    id: DeviceID(rawValue: 0), name: "A pad",
    axes: [
      .positionX: AxisRange(minimum: 0, maximum: 1000, resolution: 10),
      .positionY: AxisRange(minimum: 0, maximum: 600, resolution: 10),
    ], keys: [.toolFinger])

  private static var other: Device {
    var device = pad
    device.id = DeviceID(rawValue: 1)
    return device
  }

  private static func terminal(columns: Int = 80, rows: Int = 30) -> Terminal {
    var terminal = Terminal.plain
    terminal.hasCursor = true
    terminal.columns = columns
    terminal.rows = rows
    return terminal
  }

  /// One finger of `device`, at shares of its width and height.
  private static func touch(
    _ x: Double, _ y: Double, _ phase: Touch.Phase = .moved, of device: Device = pad
  ) -> InputEvent {
    var frame = TouchFrame(time: .zero, device: device.id)
    frame.touches.append(
      Touch(
        id: TouchID(device: device.id, serial: 1), phase: phase,
        normalizedPosition: Vector2(x: x, y: y), position: .zero))
    return .touch(frame)
  }

  private func picture(_ terminal: Terminal = Self.terminal()) throws -> Picture {
    try #require(Picture(on: terminal))
  }

  private static func ms(_ milliseconds: Double) -> EventTime {
    .zero + .milliseconds(milliseconds)
  }

  /// Lines of the box, and how many lines up it was drawn from.
  private func box(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.hasPrefix("│") }
  }

  @Test func aTerminalWithoutACursorHasNone() {
    #expect(Picture(on: .plain) == nil)
  }

  @Test func aFingerIsDrawnWhereItIs() throws {
    var picture = try picture()
    picture.note(Self.touch(0, 0.999, .began), from: Self.pad)
    let lines = box(picture.frame(at: Self.ms(1)))
    #expect(lines.count > 10)
    #expect(lines.last?.hasPrefix("│●") == true)
    #expect(lines.dropLast().allSatisfy { !$0.contains("●") })
    let width = lines.first?.count
    #expect(lines.allSatisfy { $0.count == width })
  }

  @Test(arguments: [(-1.0, 2.0), (.nan, .infinity), (1, 0), (1e300, -1e300)])
  func aFingerBesideThePadIsDrawnAtItsEdge(_ x: Double, _ y: Double) throws {
    var picture = try picture()
    picture.note(Self.touch(x, y, .began), from: Self.pad)
    #expect(box(picture.frame(at: Self.ms(1))).count { $0.contains("●") } == 1)
  }

  @Test func itIsDrawnThirtyTimesASecondAtMost() throws {
    var picture = try picture()
    var drawn = 0
    for millisecond in 0..<1000 {
      let share = Double(millisecond) / 1000
      picture.note(Self.touch(share, 0.5, millisecond == 0 ? .began : .moved), from: Self.pad)
      picture.add("row \(millisecond)\n")
      if !picture.frame(at: Self.ms(Double(millisecond))).isEmpty { drawn += 1 }
    }
    #expect((29...30).contains(drawn))
  }

  @Test func pendingChangesAreDueOnce() throws {
    var picture = try picture()
    picture.note(Self.touch(0.1, 0.5, .began), from: Self.pad)
    #expect(picture.due == .zero)
    #expect(!picture.frame(at: Self.ms(1000)).isEmpty)
    #expect(picture.due == nil)
    picture.note(Self.touch(0.9, 0.5), from: Self.pad)
    let due = try #require(picture.due)
    #expect(due > Self.ms(1033) && due < Self.ms(1034))
    #expect(picture.frame(at: Self.ms(1010)) == "")
    #expect(!picture.frame(at: due).isEmpty)
    #expect(picture.due == nil)
    #expect(picture.frame(at: Self.ms(5000)) == "")
  }

  @Test func aFingerThatTremblesWithinItsCellChangesNothing() throws {
    var picture = try picture()
    picture.note(Self.touch(0.5, 0.5, .began), from: Self.pad)
    _ = picture.frame(at: Self.ms(1))
    picture.note(Self.touch(0.5001, 0.5), from: Self.pad)
    #expect(picture.due == nil)
  }

  @Test func ofSeveralPadsTheOneTouchedLastIsShown() throws {
    var picture = try picture()
    picture.note(Self.touch(0, 0.5, .began), from: Self.pad)
    picture.note(Self.touch(0.999, 0.5, .began, of: Self.other), from: Self.other)
    // a hand that still lies on the first
    picture.note(Self.touch(0.3, 0.5), from: Self.pad)
    let lines = box(picture.frame(at: Self.ms(1)))
    #expect(lines.contains { $0.hasSuffix("●│") })
    #expect(lines.count { $0.contains("●") } == 1)
  }

  @Test func rowsStandAboveThePictureInTheirOrder() throws {
    var picture = try picture()
    picture.add("first\n")
    #expect(picture.frame(at: Self.ms(0)) == "first\n")
    picture.note(Self.touch(0.5, 0.5, .began), from: Self.pad)
    _ = picture.frame(at: Self.ms(1))
    picture.add("second\n")
    picture.add("third\n")
    #expect(picture.frame(at: Self.ms(2)) == "")
    let text = picture.frame(at: Self.ms(100))
    #expect(text.contains("\u{1b}[Jsecond\nthird\n╭"))
    picture.add("fourth\n")
    #expect(picture.closing().hasSuffix("\u{1b}[Jfourth\n\u{1b}[?25h"))
  }

  @Test func inATerminalThatBecomesTooSmallThereAreOnlyRows() throws {
    var picture = try picture()
    picture.note(Self.touch(0.5, 0.5, .began), from: Self.pad)
    _ = picture.frame(at: Self.ms(1))
    #expect(picture.adapt(to: Self.terminal(columns: 30, rows: 8)).hasSuffix("\u{1b}[J"))
    picture.note(Self.touch(0.9, 0.5), from: Self.pad)
    #expect(picture.due == nil)
    picture.add("row\n")
    #expect(picture.frame(at: Self.ms(2)) == "row\n")
    _ = picture.adapt(to: Self.terminal(columns: 50, rows: 20))
    let lines = box(picture.frame(at: Self.ms(100)))
    #expect(lines.count { $0.contains("●") } == 1)
    #expect(lines.allSatisfy { $0.count <= 50 } && lines.count <= 17)
  }

  @Test func aScreenThatBreaksItsLinesIsWrittenAnew() throws {
    var picture = try picture()
    picture.add("\u{1b}[1mheading\u{1b}[0m\n" + String(repeating: "x", count: 70) + "\n")
    picture.note(Self.touch(0.5, 0.5, .began), from: Self.pad)
    _ = picture.frame(at: Self.ms(1))
    // wide enough for what stands there: it is taken away as ever
    #expect(picture.adapt(to: Self.terminal(columns: 70)).hasPrefix("\r\u{1b}["))
    _ = picture.frame(at: Self.ms(100))
    let text = picture.adapt(to: Self.terminal(columns: 44, rows: 20))
    #expect(
      text == "\u{1b}[H\u{1b}[J\u{1b}[1mheading\u{1b}[0m\n"
        + String(repeating: "x", count: 70) + "\n")
    #expect(box(picture.frame(at: Self.ms(200))).allSatisfy { $0.count <= 44 })
  }

  @Test func onlyTheRowsThatHaveRoomAreWrittenAnew() throws {
    var picture = try picture()
    for number in 0..<200 { picture.add("row \(number)\n") }
    picture.note(Self.touch(0.5, 0.5, .began), from: Self.pad)
    _ = picture.frame(at: Self.ms(1))
    let rows = picture.adapt(to: Self.terminal(columns: 41, rows: 18)).split(separator: "\n")
    #expect(rows.count == 17)
    #expect(rows.first == "\u{1b}[H\u{1b}[Jrow 183" && rows.last == "row 199")
  }

  @Test func afterAStopItIsDrawnBelowWhatOthersWrote() throws {
    var picture = try picture()
    picture.note(Self.touch(0.5, 0.5, .began), from: Self.pad)
    _ = picture.frame(at: Self.ms(1))
    #expect(picture.adapt(to: Self.terminal(columns: 50), wasStopped: true) == "")
    let text = picture.frame(at: Self.ms(100))
    #expect(text.hasPrefix("\u{1b}[?2026h\u{1b}[?25l╭"))
    #expect(box(text).allSatisfy { $0.count <= 50 })
  }

  @Test(arguments: [40, 50, 60, 80]) func theWordsUnderItFit(_ columns: Int) throws {
    var picture = try picture(Self.terminal(columns: columns))
    picture.note(Self.touch(0.5, 0.5, .began), from: Self.pad)
    var gesture = GestureEvent(
      time: .zero, device: Self.pad.id, kind: .edgeSwipe, phase: .changed, fingers: 3)
    gesture.translation.millimetres = Vector2(x: 123.4, y: 98.7)
    gesture.translation.points = gesture.translation.millimetres
    gesture.velocity = Vector2(x: 1234, y: 0)
    gesture.direction = .downRight
    gesture.edge = .left
    picture.note(.gesture(gesture), from: Self.pad)
    // the last line ends what the terminal shows at once
    let lines = picture.frame(at: Self.ms(1)).split(separator: "\n")
    let words = try #require(lines.dropLast().last)
    #expect(words.count < columns)
    #expect(words.contains("edgeSwipe") && words.contains("3") && words.contains("down"))
  }

  /// What a stroke leaves behind: where each finger landed, went and lifted.
  @Test func afterAStrokeItStays() throws {
    var picture = try picture()
    for (place, phase) in [(0.1, Touch.Phase.began), (0.5, .moved), (0.9, .moved), (0.9, .ended)] {
      picture.note(Self.touch(place, 0.5, phase), from: Self.pad)
    }
    var gesture = GestureEvent(
      time: .zero, device: Self.pad.id, kind: .swipe, phase: .ended, fingers: 3)
    gesture.direction = .right
    picture.note(.gesture(gesture), from: Self.pad)
    let text = picture.frame(at: Self.ms(1))
    let row = try #require(box(text).first { $0.contains("1") })
    #expect(row.contains("·") && row.contains("×") && !row.contains("●"))
    #expect(text.contains("swipe"))
    // it is drawn at once, and the next finger begins anew
    #expect(text.hasPrefix("\u{1b}[?2026h") && text.hasSuffix("\u{1b}[?2026l"))
    picture.note(Self.touch(0.3, 0.1, .began), from: Self.pad)
    let next = picture.frame(at: Self.ms(100))
    #expect(box(next).allSatisfy { !$0.contains("×") })
    #expect(box(next).count { $0.contains("●") } == 1)
  }

  @Test func afterAResizeTheTrailIsWhereItWas() throws {
    var picture = try picture()
    for (place, phase) in [(0.0, Touch.Phase.began), (0.999, .moved), (0.999, .ended)] {
      picture.note(Self.touch(place, 0.5, phase), from: Self.pad)
    }
    _ = picture.frame(at: Self.ms(1))
    _ = picture.adapt(to: Self.terminal(columns: 44, rows: 20))
    let lines = box(picture.frame(at: Self.ms(100)))
    #expect(lines.contains { $0.hasPrefix("│1") && $0.hasSuffix("×│") && $0.count <= 44 })
  }
}
