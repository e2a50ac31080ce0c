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
  private let output = Output.standard

  /// - Parameter origin: the recording's first event; times are counted from it.
  init(
    file: String, origin: EventTime, format: EventFormat, mask: EventMask, wantsPicture: Bool
  ) {
    self.mask = mask
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
    case .picture: true
    }
  }

  func print(_ event: InputEvent, from device: Device?) {
    switch form {
    case .lines(var encoder):
      // not in two places at once: the encoder's memory is used again
      form = .table(EventTable(file: "", on: .plain))
      encoder.append(event, deviceName: device?.name ?? "")
      output.write(encoder.buffer)
      encoder.removeAll()
      form = .lines(encoder)
    case .table(var table):
      let rows = table.rows(for: event, from: device)
      form = .table(table)
      output.write(Array(rows.utf8))
    case .picture(var table, var picture):
      let rows = mask.contains(event.mask) ? table.rows(for: event, from: device) : ""
      picture.note(event, from: device)
      let now = MonotonicClock.now
      let text = rows.isEmpty ? picture.frame(at: now) : picture.printing(rows, at: now)
      form = .picture(table, picture)
      output.write(Array(text.utf8))
    }
  }

  /// Sleeps for `microseconds`, and on the way shows what the picture still owes.
  func wait(_ microseconds: Int64) {
    guard case .picture(let table, var picture) = form else {
      return Pace.sleep(microseconds: microseconds)
    }
    let end = MonotonicClock.now + microseconds
    if let owed = picture.wait(at: MonotonicClock.now), owed <= microseconds {
      Pace.sleep(microseconds: owed)
      output.write(Array(picture.frame(at: MonotonicClock.now).utf8))
      form = .picture(table, picture)
    }
    Pace.sleep(microseconds: end - MonotonicClock.now)
  }

  /// The file is over: the picture goes, what was printed stays.
  ///
  /// - Parameter isWhole: nothing was wrong with it, so that silence means that nothing was there.
  func close(isWhole: Bool) {
    switch form {
    case .lines: break
    case .table(let table):
      if isWhole { output.write(Array(table.closing().utf8)) }
    case .picture(let table, var picture):
      let text = picture.closing() + (isWhole ? table.closing() : "")
      form = .table(table)
      output.write(Array(text.utf8))
      Interruption.markCursorHidden(false)
    }
  }
}
