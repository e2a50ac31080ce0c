import CLinux
import Glibc
import GlissConfiguration
import GlissDevices
import GlissEvents

/// Writes lines into FIFOs and sockets without waiting for their readers.
final class Emitter {
  private let log: AgentLog
  private let folders: NamedFolders
  /// How many are kept open, so that readers do not see an end of file between lines.
  private static let capacity = 16
  /// By path, with the file that was there when it was opened.
  private var lines: [String: (descriptor: Int32, file: File)] = [:]
  /// Paths to which the last line was not delivered. Each failure is logged once.
  private var silent: Set<String> = []
  private var encoder = JSONLineEncoder()

  init(_ log: AgentLog, _ folders: NamedFolders) {
    self.log = log
    self.folders = folders
  }

  deinit { for line in lines.values { close(line.descriptor) } }

  /// Identifies a file independently of its name.
  private struct File: Equatable {
    var device: dev_t
    var inode: ino_t
    var kind: mode_t

    init(_ status: stat) {
      (device, inode, kind) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT)
    }
  }

  /// Why a line is not delivered: an error number.
  private struct Fault: Error {
    var code: Int32

    var isNobody: Bool { [EPIPE, ECONNRESET, ENOTCONN, ENXIO, ECONNREFUSED].contains(code) }

    var text: String {
      switch code {
      case _ where isNobody: "nobody reads it"
      case EAGAIN: "its reader is too slow"
      case ENOTSOCK: "it is neither a FIFO nor a socket"
      case _: String(cString: strerror(code))
      }
    }
  }

  /// Writes the emission's own line, or the event and its device.
  @discardableResult
  func emit(_ emission: Emission, _ context: ActionContext) -> ActionRecord.Result {
    let path = folders.expand(emission.path)
    let line: [UInt8]
    if let text = emission.line {
      line = Array(text.utf8) + [UInt8(ascii: "\n")]
    } else {
      let event = context.activation.cause.event
      encoder.removeAll()
      if case .hotkey(let hotkey) = event {
        encoder.hotkeys = [hotkey.hotkey: context.hotkey ?? ""]
      }
      encoder.append(event, deviceName: context.device)
      line = encoder.buffer.bytes
    }
    do throws(Fault) {
      try send(line, to: path)
      silent.remove(path)
      return .done
    } catch {
      if silent.insert(path).inserted {
        log.report(.warning, "\(context.rule): no line can be sent to \(path): \(error.text)")
      }
      return .failed(error.text)
    }
  }

  /// Opens the path again if the file there is another one, or if its reader has gone: there may be
  /// a new one.
  private func send(_ line: [UInt8], to path: String) throws(Fault) {
    let file = try self.file(at: path)
    if let known = lines[path] {
      if known.file == file {
        do throws(Fault) {
          return try write(line, to: known.descriptor, path)
        } catch {
          guard error.isNobody else { throw error }
        }
      }
      forget(path)
    }
    let opened = (descriptor: try open(path, file), file: file)
    if lines.count >= Self.capacity, let other = lines.keys.first { forget(other) }
    lines[path] = opened
    try write(line, to: opened.descriptor, path)
  }

  private func file(at path: String) throws(Fault) -> File {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let code = errno
      // the file we had open is no longer the one at this path
      forget(path)
      throw Fault(code: code)
    }
    return File(status)
  }

  private func forget(_ path: String) {
    if let line = lines.removeValue(forKey: path) { close(line.descriptor) }
  }

  private func write(_ line: [UInt8], to descriptor: Int32, _ path: String) throws(Fault) {
    let count = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count == line.count { return }
    if count < 0 { throw Fault(code: errno) }
    // half a line would run into the next one
    forget(path)
    throw Fault(code: EAGAIN)
  }

  private func open(_ path: String, _ file: File) throws(Fault) -> Int32 {
    switch file.kind {
    case S_IFIFO: return try openFIFO(path, file)
    case S_IFSOCK: return try connect(path)
    case _: throw Fault(code: ENOTSOCK)
    }
  }

  private func openFIFO(_ path: String, _ file: File) throws(Fault) -> Int32 {
    let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Fault(code: errno) }
    // the file may have been replaced since
    var status = stat()
    guard fstat(descriptor, &status) == 0, File(status) == file else {
      close(descriptor)
      throw Fault(code: ENXIO)
    }
    return descriptor
  }

  private func connect(_ path: String) throws(Fault) -> Int32 {
    guard let address = SocketAddress(path) else { throw Fault(code: ENAMETOOLONG) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw Fault(code: errno) }
    let code = address.call(Glibc.connect, descriptor)
    if code == 0 { return descriptor }
    close(descriptor)
    // it has gone meanwhile
    throw Fault(code: code == ENOENT ? ECONNREFUSED : code)
  }
}
