import Glibc
import Gliss

/// What is printed of a recording or of live input: a line of text, or a JSON object a line.
struct EventListing {
  /// The recording; `nil` for live input.
  let file: String?
  /// The instant from which times are counted, such as a recording's first event.
  let origin: EventTime
  let format: EventFormat

  /// For live input. Text counts from now; JSON has the kernel's times.
  static func live(_ format: EventFormat) -> EventListing {
    EventListing(file: nil, origin: format == .text ? InputLoop.now : .zero, format: format)
  }

  func write(
    _ kind: String, at time: EventTime, _ line: @autoclosure () -> String,
    _ members: @autoclosure () -> JSON
  ) {
    switch format {
    case .text: Output.standard.write(line: line())
    case .jsonl:
      let head = JSON.members([
        "time": .seconds(time - origin), "file": file.map(JSON.string),
        "kind": .string(kind),
      ])
      let rest = (members().object ?? []).filter { $0.name != "time" }
      Output.standard.write(record: .object((head.object ?? []) + rest))
    }
  }
}

final class EventPrinter {
  /// `nil` for JSON lines.
  private var table: EventTable?
  /// Below the table, if it was requested and the terminal can redraw.
  private var picture: Picture?
  private var encoder: JSONLineEncoder
  private let mask: EventMask
  private let output: any ByteOutput

  init(
    _ listing: EventListing, mask: EventMask, wantsPicture: Bool, advice: String = "",
    to output: any ByteOutput = Output.standard
  ) {
    // losses are always printed
    self.mask = mask.union(.lost)
    self.output = output
    encoder = JSONLineEncoder(origin: listing.origin, file: listing.file)
    guard listing.format == .text else { return }
    let terminal = Terminal.standard
    table = EventTable(file: listing.file, from: listing.origin, advice: advice, on: terminal)
    if wantsPicture { picture = Picture(on: terminal) }
  }

  /// The events to pass to ``print(_:from:)``. A picture also needs touches.
  var wanted: EventMask { picture == nil ? mask : mask.union([.gesture, .touch]) }

  var showsPicture: Bool { picture?.hasRoom ?? false }

  func print(_ event: InputEvent, from device: Device?) {
    guard table != nil else {
      encoder.append(event, deviceName: device?.name ?? "", unit: device?.unit ?? 1)
      return writeLines()
    }
    let isWanted = picture == nil || mask.contains(event.mask)
    let rows = isWanted ? table?.rows(for: event, from: device) : nil
    guard picture != nil else { return write(rows) }
    picture?.add(rows ?? "")
    picture?.note(event, from: device)
    draw()
  }

  /// Prints stream events other than input as JSON lines; a table leaves them out.
  func note(_ event: GlobalEvent) {
    guard table == nil else { return }
    encoder.append(event)
    writeLines()
  }

  private func writeLines() {
    output.write(encoder.buffer.bytes)
    encoder.removeAll()
  }

  private func write(_ text: String?) {
    if let text, !text.isEmpty { output.write(text: text) }
  }

  // MARK: The picture

  /// When the picture may next be updated; `nil` if it is up to date.
  var due: EventTime? { picture?.due }

  /// Updates the picture if it is due. A stalled terminal gets no more pictures.
  func draw() {
    guard !output.isBehind else { return }
    write(picture?.frame(at: InputLoop.now))
  }

  /// Adapts to the terminal if it has changed; returns whether it has.
  @discardableResult
  func followTerminal() -> Bool {
    guard let wasStopped = Interruption.takeChange() else { return false }
    let terminal = Terminal.standard
    table?.terminal = terminal
    if picture != nil {
      write(picture?.adapt(to: terminal, wasStopped: wasStopped))
      draw()
    }
    return true
  }

  /// Hides the picture while `body` writes to the terminal directly.
  func aside(_ body: () -> Void) {
    if !output.isBehind { write(picture?.makeWay()) }
    body()
    draw()
  }

  func wait(until time: EventTime) {
    while true {
      followTerminal()
      draw()
      let now = InputLoop.now
      guard now < time else { return }
      // a signal that does not end the process ends the sleep
      usleep(useconds_t(clamping: (min(due ?? time, time) - now).microseconds))
    }
  }

  /// Removes the picture at the end; printed rows stay. If there were no errors (`isWhole`), no
  /// output means that nothing happened.
  func close(isWhole: Bool, of devices: [Device] = []) {
    write(picture?.closing())
    Interruption.markCursorHidden(false)
    if isWhole { write(table?.closing(mask, of: devices)) }
  }
}
