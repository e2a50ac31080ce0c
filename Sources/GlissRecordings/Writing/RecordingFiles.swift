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
  private let replaces: Bool
  private var writers: [RecordingWriter] = []

  /// - Parameters:
  ///   - path: a file that does not exist yet; for one device it may also be something that is not
  ///     a regular file.
  ///   - replacing: existing files may be overwritten.
  /// - Throws: if a file exists already or cannot be written.
  package init(path: String, replacing: Bool = false, devices: [RecordedDevice])
    throws(RecordingError)
  {
    var status = stat()
    let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    if devices.count > 1, isOther {
      throw RecordingError("several devices can only be recorded to a file")
    }
    // A symbolic link keeps pointing to its target.
    self.path = isOther ? path : Self.resolved(path)
    replaces = replacing
    let outputs = try Self.open(devices.count, at: self.path, replacing)
    for (output, device) in zip(outputs, devices) {
      var writer = RecordingWriter { bytes throws(RecordingError) in try output.write(bytes.span) }
      try writer.add(device)
      writers.append(writer)
    }
  }

  /// Opens the file at `path` last, so that it stays as it is if a part cannot be written.
  private static func open(_ count: Int, at path: String, _ replacing: Bool) throws(RecordingError)
    -> [RecordingOutput]
  {
    var parts: [RecordingOutput] = []
    do throws(RecordingError) {
      for number in 1..<max(1, count) {
        let part = part(number, of: path)
        do {
          parts.append(try RecordingOutput.create(part, replacing: replacing))
        } catch {
          throw error.named(part)
        }
      }
      let whole = Self.whole(of: path)
      if count > 1, !replacing, access(whole, F_OK) == 0 {
        throw RecordingOutput.exists.named(whole)
      }
      return [try RecordingOutput.create(path, replacing: replacing)] + parts
    } catch {
      for made in parts.indices { unlink(part(made + 1, of: path)) }
      throw error
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

  /// Where the parts are joined.
  private static func whole(of path: String) -> String { "\(path).whole.part" }

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
    let whole = Self.whole(of: path)
    let output = try RecordingOutput.create(whole, replacing: replaces)
    do throws(RecordingError) {
      try output.write(RecordingWriter.head(deviceCount: writers.count).bytes.span)
      // Each file begins as a recording of one device.
      let head = RecordingWriter.head(deviceCount: 1).bytes.count
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
