import Gliss

/// Prints events in the requested format, each as soon as it is known.
final class EventPrinter {
  private enum Form {
    case lines
    case table(EventTable)
    case picture(EventTable, Picture)
  }

  private var form: Form
  /// Not part of `form`: to change it there, its buffer would be copied for each event.
  private var encoder: JSONLineEncoder
  private let mask: EventMask
  private let output: any ByteOutput

  /// - Parameters:
  ///   - file: The file the events come from; `nil` for live ones.
  ///   - origin: The instant from which times are counted, such as a recording's first event.
  init(
    file: String?, origin: EventTime, format: EventFormat, mask: EventMask, wantsPicture: Bool,
    to output: any ByteOutput = Output.standard
  ) {
    // losses are always printed
    self.mask = mask.union(.lost)
    self.output = output
    encoder = JSONLineEncoder(origin: origin, file: file)
    switch format {
    case .jsonl: form = .lines
    case .text:
      let terminal = Terminal.standard
      var table = EventTable(file: file, on: terminal)
      table.origin = origin
      form =
        wantsPicture
        ? Picture(on: terminal).map { .picture(table, $0) } ?? .table(table) : .table(table)
    }
  }

  /// The events to pass to ``print(_:from:)``. A picture also needs touches.
  var wanted: EventMask {
    switch form {
    case .lines, .table: mask
    case .picture: mask.union([.gesture, .touch])
    }
  }

  /// Whether the picture was requested and the terminal has room for it.
  var showsPicture: Bool {
    switch form {
    case .lines, .table: false
    case .picture(_, let picture): picture.hasRoom
    }
  }

  func print(_ event: InputEvent, from device: Device?) {
    switch form {
    case .lines:
      encoder.append(event, deviceName: device?.name ?? "")
      writeLines()
    case .table(var table):
      let rows = table.rows(for: event, from: device)
      form = .table(table)
      write(rows)
    case .picture(var table, var picture):
      if mask.contains(event.mask) { picture.add(table.rows(for: event, from: device)) }
      picture.note(event, from: device)
      form = .picture(table, picture)
      draw()
    }
  }

  /// Prints stream events other than input as JSON lines; a table leaves them out.
  func note(_ event: GlobalEvent) {
    guard case .lines = form else { return }
    encoder.append(event)
    writeLines()
  }

  private func writeLines() {
    output.write(encoder.buffer.bytes)
    encoder.removeAll()
  }

  private func write(_ text: String) {
    if !text.isEmpty { output.write(text: text) }
  }

  // MARK: The picture

  /// When the picture may next be updated; `nil` if it is up to date.
  var due: EventTime? {
    switch form {
    case .lines, .table: nil
    case .picture(_, let picture): picture.due
    }
  }

  /// Updates the picture if it is due. A stalled terminal gets no more pictures.
  func draw() {
    guard !output.isBehind else { return }
    changePicture { $0.frame(at: InputLoop.now) }
  }

  /// Adapts to the terminal if it has changed.
  ///
  /// - Returns: Whether it has.
  @discardableResult
  func followTerminal() -> Bool {
    guard let change = Interruption.takeChange() else { return false }
    let terminal = Terminal.standard
    switch form {
    case .lines: break
    case .table(var table):
      table.terminal = terminal
      form = .table(table)
    case .picture(var table, var picture):
      table.terminal = terminal
      let text =
        switch change {
        case .resized: picture.resize(to: terminal)
        case .resumed: picture.resume(on: terminal)
        }
      form = .picture(table, picture)
      write(text)
      draw()
    }
    return true
  }

  /// Hides the picture while `body` writes to the terminal directly.
  func aside(_ body: () -> Void) {
    if !output.isBehind { changePicture { $0.makeWay() } }
    body()
    draw()
  }

  private func changePicture(_ change: (inout Picture) -> String) {
    guard case .picture(let table, var picture) = form else { return }
    let text = change(&picture)
    form = .picture(table, picture)
    write(text)
  }

  /// Sleeps until `time` and updates the picture on the way.
  func wait(until time: EventTime) {
    var isTime = false
    while !isTime {
      followTerminal()
      if let due, due <= time {
        if Pace.sleep(until: due) { draw() }
      } else {
        isTime = Pace.sleep(until: time)
      }
    }
  }

  /// Removes the picture at the end; printed rows stay.
  ///
  /// - Parameter isWhole: Whether there were no errors, so that no output means that nothing
  ///   happened.
  func close(isWhole: Bool) {
    changePicture { $0.closing() }
    Interruption.markCursorHidden(false)
    switch form {
    case .lines: break
    case .table(let table), .picture(let table, _):
      if isWhole { write(table.closing()) }
    }
  }
}
