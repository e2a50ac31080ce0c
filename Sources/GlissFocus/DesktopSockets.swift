import Glibc
import GlissDevices
import GlissEvents

/// A connection to a desktop's local socket that never blocks.
final class LocalSocket {
  private let path: String
  private let descriptor: Int32
  private let loop: InputLoop

  /// How many pieces to read per turn. If there is more, the loop calls again.
  private static let turn = 64

  /// - Parameters:
  ///   - path: the path of the socket; one that begins with `@` is abstract.
  ///   - users: the users who may serve it; `nil` for all.
  init(
    _ path: String, on loop: InputLoop, servedBy users: Set<UInt32>? = nil
  ) throws(DesktopFailure) {
    self.path = path
    self.loop = loop
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, kind, 0)
    let address = SocketAddress(path, mayBeAbstract: true)
    let code = descriptor < 0 ? errno : address?.call(Glibc.connect, descriptor) ?? ENAMETOOLONG
    // a desktop that does not accept connections now counts as absent; `deinit` closes the socket
    guard code == 0 else { throw .unreachable(path, code: code) }
    if let users {
      let server = try server()
      guard users.contains(server) else { throw .foreign(path, user: server) }
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    loop.unwatch(descriptor)
    close(descriptor)
  }

  /// The user of the process that listens, as of when it began to.
  private func server() throws(DesktopFailure) -> UInt32 {
    // the kernel's struct ucred
    var credentials: (pid: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw .unreachable(path, code: errno)
    }
    return credentials.user
  }

  /// Calls `handler` whenever there is something to ``receive(_:)``.
  func watch(_ handler: @escaping () -> Void) throws(DesktopFailure) {
    do throws(SystemError) {
      try loop.watch(descriptor, handler)
    } catch {
      throw .unreachable(path, code: error.code)
    }
  }

  /// Ends ``watch(_:)``. A connection that has ended would stay ready for ever.
  func ignore() { loop.unwatch(descriptor) }

  /// Sends a message. The messages here are so short that they always fit, unless the desktop has
  /// stopped reading.
  func send(_ bytes: [UInt8]) throws(DesktopFailure) {
    guard !bytes.isEmpty else { return }
    let flags = Int32(MSG_NOSIGNAL)
    let sent = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
    if sent == bytes.count { return }
    throw sent < 0 && errno != EAGAIN ? .closed : .silent
  }

  /// Reads the received bytes, in pieces of up to 64 KiB.
  ///
  /// - Throws: ``DesktopFailure/closed`` at the end, and what `take` throws.
  func receive(_ take: ([UInt8]) throws(DesktopFailure) -> Void) throws(DesktopFailure) {
    for _ in 0..<Self.turn {
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if received < 0 { code = errno }
        count = max(0, received)
      }
      if !bytes.isEmpty {
        try take(bytes)
        // a short read means that there is no more
        if bytes.count < 65_536 { return }
      } else if code == EAGAIN {
        return
      } else if code != EINTR {
        throw .closed
      }
    }
  }
}

/// Collects received bytes, in any pieces, and returns them as messages.
struct InputBuffer {
  /// The bytes that were not taken yet begin at `start`.
  private var bytes: [UInt8] = []
  private var start = 0
  /// There is no line feed before this index.
  private var searched = 0

  private var count: Int { bytes.count - start }

  mutating func append(_ more: [UInt8]) {
    bytes.removeFirst(start)
    searched = max(0, searched - start)
    start = 0
    bytes += more
  }

  /// The first bytes, without taking them; `nil` if fewer have come.
  func peek(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= self.count else { return nil }
    return bytes[start..<start + count]
  }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard let taken = peek(count).map(Array.init) else { return nil }
    start += count
    return taken
  }

  /// The first line, without its line feed; `nil` if it is not complete. Throws if more than
  /// `limit` bytes have no line feed.
  mutating func takeLine(upTo limit: Int = JSON.longestMessage) throws(DesktopFailure) -> [UInt8]? {
    searched = max(searched, start)
    guard let end = bytes[searched...].firstIndex(of: 0x0a) else {
      searched = bytes.count
      guard count <= limit else { throw .malformed("a line without an end") }
      return nil
    }
    defer { start = end + 1 }
    return Array(bytes[start..<end])
  }
}

extension Collection<UInt8> {
  /// The number at an offset, in the processor's byte order; `nil` beyond the end.
  func number<Number: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, _: Number.Type = Number.self
  ) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, offset <= count - size else { return nil }
    var number: Number = 0
    withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: dropFirst(offset).prefix(size)) }
    return number
  }

  var numbers: [UInt32] { stride(from: 0, to: count, by: 4).compactMap { number(at: $0) } }
}

extension [UInt8] {
  /// With zeros up to a multiple of 4 bytes.
  var padded: [UInt8] { self + [UInt8](repeating: 0, count: (4 - count % 4) % 4) }
}

extension FixedWidthInteger {
  var nativeBytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}

extension JSON {
  static let longestMessage = 16 << 20

  /// Parses a message of a desktop. It may be long, and a title in it may be any bytes.
  init?(desktop bytes: [UInt8]) {
    let limits = Limits(
      bytes: 3 * Self.longestMessage, depth: 256, values: 1 << 20, onlyStreamSafe: false)
    if let value = try? JSON(parsing: bytes, limits: limits) {
      self = value
      return
    }
    let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
    guard let value = try? JSON(parsing: repaired, limits: limits) else { return nil }
    self = value
  }
}

/// A service on the user's bus, for one connection to a desktop.
final class BusService {
  let bus: Bus
  /// Called when the bus or the service is gone, or when a message cannot be sent.
  var didFail: ((DesktopFailure) -> Void)?
  /// The service's unique name, once it was found.
  private(set) var owner: String?
  private let name: String
  /// Keeps listeners and served objects alive.
  private var interests: [BusInterest] = []
  /// The calls without a reply so far, by number.
  private var calls: [Int: BusInterest] = [:]
  private var callCount = 0

  /// How long a reply may take. Desktops reply at once, even while they start.
  private static let patience = EventInterval.milliseconds(1500)

  init(_ name: String, bus address: String, on loop: InputLoop) throws(DesktopFailure) {
    guard let bus = Bus(address) else { throw .unreachable("the session bus", code: ENOENT) }
    self.name = name
    self.bus = bus
    do throws(SystemError) {
      try bus.attach(to: loop) { [weak self] in self?.didFail?(.closed) }
    } catch {
      throw .unreachable("the session bus", code: error.code)
    }
  }

  /// Looks for the service. Fails if no process has its name.
  func find(_ found: @escaping () -> Void) {
    keep(
      bus.findOwner(of: name, within: Self.patience) { [weak self] owner in
        guard let self else { return }
        guard let owner else { return fail(.unreachable(name, code: ENOENT)) }
        self.owner = owner
        found()
      })
  }

  /// Fails when another process takes over the service, or when the service goes away.
  func failIfReplaced() {
    keep(bus.listenForOwner(of: name) { [weak self] _ in self?.fail(.closed) })
  }

  func call(
    _ path: String, _ interface: String, _ method: String, _ arguments: [String] = [],
    _ answer: @escaping (borrowing BusMessage) -> Void
  ) {
    callCount += 1
    let number = callCount
    let call = bus.ask(
      name, path, interface, method, { message in arguments.allSatisfy { message.append($0) } },
      within: Self.patience
    ) { [weak self] reply in
      let call = self?.calls.removeValue(forKey: number)
      answer(reply)
      withExtendedLifetime(call) {}
    }
    guard let call else { return fail(Self.refusal) }
    calls[number] = call
  }

  func keep(_ interest: BusInterest?) {
    guard let interest else { return fail(Self.refusal) }
    interests.append(interest)
  }

  func fail(_ failure: DesktopFailure) { didFail?(failure) }

  private static let refusal = DesktopFailure.unsupported("the session bus accepts no message")
}
