import Glibc
package import GlissEvents

/// Writes a recording of one or more devices to a file while it is being made.
///
/// A recording holds one device's events after another's. So the first device's events go to the
/// file itself, and the others' to `FILE.2.part`, `FILE.3.part` and so on, until ``finish()`` joins
/// them. Each file is a valid recording at any moment, however the program ends.
package final class RecordingFiles {
  /// The path of the first device's file and of the final recording.
  package let path: String
  private let outputs: [RecordingOutput]
  private var writers: [RecordingWriter] = []

  /// - Parameters:
  ///   - path: a file that does not exist yet; for one device it may also be something that is not
  ///     a regular file.
  ///   - replacing: existing files may be overwritten.
  /// - Throws: if a file exists already or cannot be written.
  package init(path: String, replacing: Bool = false, devices: [RecordedDevice])
    throws(RecordingError)
  {
    let first = try RecordingOutput.create(path, replacing: replacing)
    var outputs = [first]
    // A symbolic link keeps pointing to its target.
    let place = first.isRegular ? Self.resolved(path) : path
    self.path = place
    if devices.count > 1, !first.isRegular {
      throw RecordingError("several devices can only be recorded to a file")
    }
    for number in 1..<max(1, devices.count) {
      let part = Self.part(number, of: place)
      do {
        outputs.append(try RecordingOutput.create(part, replacing: replacing))
      } catch {
        for made in 0..<number { unlink(Self.part(made, of: place)) }
        throw RecordingError(file: part, error.problem, advice: error.advice)
      }
    }
    self.outputs = outputs
    for (output, device) in zip(outputs, devices) {
      var writer = RecordingWriter { bytes throws(RecordingError) in try output.write(bytes.span) }
      try writer.add(device)
      writers.append(writer)
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func part(_ index: Int, of path: String) -> String {
    index == 0 ? path : "\(path).\(index + 1).part"
  }

  /// Writes an event of the device with this index in the initial list.
  package func write(_ event: EvdevEvent, of device: Int) throws(RecordingError) {
    try writers[device].write(event)
  }

  /// Writes what is left, and joins the files of several devices.
  package func finish() throws(RecordingError) {
    for index in writers.indices { try writers[index].finish() }
    guard writers.count > 1 else { return }
    do {
      try join()
    } catch {
      throw RecordingError(
        "its parts could not be joined: \(error.problem)",
        advice: "\(path) and \(path).*.part are whole recordings of one device each")
    }
  }

  private func join() throws(RecordingError) {
    let whole = "\(path).whole.part"
    unlink(whole)
    let output = try RecordingOutput.create(whole, replacing: false)
    do throws(RecordingError) {
      try output.write(RecordingText(deviceCount: writers.count).buffer.bytes.span)
      // Each file begins as a recording of one device.
      let head = RecordingText(deviceCount: 1).buffer.bytes.count
      for index in writers.indices {
        try Self.copy(Self.part(index, of: path), from: head, to: output)
      }
      try output.synchronize()
      guard rename(whole, path) == 0 else {
        throw RecordingInput.systemError("it cannot be renamed")
      }
    } catch {
      unlink(whole)
      throw error
    }
    for index in 1..<writers.count { unlink(Self.part(index, of: path)) }
  }

  private static func copy(_ path: String, from start: Int, to output: RecordingOutput)
    throws(RecordingError)
  {
    let input = try RecordingInput.open(path)
    var buffer = [UInt8](repeating: 0, count: RecordingInput.chunk)
    var offset = Int64(start)
    while case let count = try input.read(into: &buffer, at: offset), count > 0 {
      try output.write(buffer.span.extracting(0..<count))
      offset += Int64(count)
    }
  }
}
