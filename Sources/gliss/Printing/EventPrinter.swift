import Gliss

/// Puts events on the output in the form that was asked for, each as soon as it is known.
final class EventPrinter {
  private enum Form {
    case lines(JSONLineEncoder)
    case table(EventTable)
    case picture(EventTable, Picture)
  }

  private var form: Form
  private let mask: EventMask
  private let output: any ByteOutput

  /// - Parameters:
  ///   - file: what the events come from; `nil` for live ones.
  ///   - origin: the instant that times are counted from, such as a recording's first event.
  init(
    file: String?, origin: EventTime, format: EventFormat, mask: EventMask, wantsPicture: Bool,
    to output: any ByteOutput = Output.standard
  ) {
    // what is missing is said whatever is asked for
    self.mask = mask.union(.lost)
    self.output = output
    switch format {
    case .jsonl: form = .lines(JSONLineEncoder(origin: origin, file: file))
    case .text:
      let terminal = Terminal(Output.standard.descriptor)
      var table = EventTable(file: file, on: terminal)
      table.origin = origin
      form =
        wantsPicture
        ? Picture(on: terminal).map { .picture(table, $0) } ?? .table(table) : .table(table)
    }
  }

  /// Which events are to be handed to ``print(_:from:)``: a picture needs the touches too.
  var wanted: EventMask {
    switch form {
    case .lines, .table: mask
    case .picture: mask.union([.gesture, .touch])
    }
  }

  /// Whether the picture was asked for and the terminal has room for it.
  var showsPicture: Bool {
    switch form {
    case .lines, .table: false
    case .picture(_, let picture): picture.hasRoom
    }
  }

  func print(_ event: InputEvent, from device: Device?) {
    switch form {
    case .lines(var encoder):
      // not in two places at once: the encoder's memory is used again
      form = .table(EventTable(file: nil, on: .plain))
      encoder.append(event, deviceName: device?.name ?? "")
      output.write(encoder.buffer.bytes)
      encoder.removeAll()
      form = .lines(encoder)
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

  /// What a stream tells beside input has a line among lines; in a table it has none.
  func note(_ event: GlobalEvent) {
    guard case .lines(var encoder) = form else { return }
    encoder.append(event)
    output.write(encoder.buffer.bytes)
    encoder.removeAll()
    form = .lines(encoder)
  }

  private func write(_ text: String) {
    if !text.isEmpty { output.write(text: text) }
  }

  // MARK: The picture

  /// When the picture may show what it owes; `nil` where it owes nothing.
  var due: EventTime? {
    switch form {
    case .lines, .table: nil
    case .picture(_, let picture): picture.due
    }
  }

  /// Shows what the picture owes, where it is time. A terminal that has stalled is not given more pictures to show later.
  func draw() {
    guard !output.isBehind else { return }
    changePicture { $0.frame(at: EventLoop.now) }
  }

  /// Goes by what the terminal is now, where it has changed.
  func followTerminal() {
    guard let change = Interruption.takeChange() else { return }
    let terminal = Terminal(Output.standard.descriptor)
    switch form {
    case .lines: return
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
  }

  /// Takes the picture away while `body` writes to the terminal by another way.
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

  /// Sleeps until `time`, and on the way shows what the picture still owes.
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

  /// It is over: the picture goes, what was printed stays.
  ///
  /// - Parameter isWhole: nothing was wrong, so that silence means that nothing was there.
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
