import Glibc

// A client that obeys no rule: `gliss-heckler SOCKET [LINE...]`.
//
// Each line, from the arguments and then from standard input, is sent as a message with its NUL. Some are no messages:
//   !raw HEX     sends these bytes, without a NUL
//   !deaf        reads no more
//   !flood N     sends the line before N times more
//   !connect N   opens N connections more and keeps them, silent
//   !churn N     opens and closes N connections, one after the other, each with a call
//   !follow N    sends the line before on N connections of its own, reads them until the next line of input, and prints
//                how late the messages came after the time of the event in them
//   !call LINE   sends the line on a connection of its own, and prints the answer
//   !child P...  runs a program that inherits the connection as descriptor 3
//   !close       ends
// What comes is printed, a message a line; "!closed" at the end of the connection.

func open(_ path: String) -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
  let size = socklen_t(MemoryLayout<sockaddr_un>.size)
  let status = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
  }
  return status == 0 ? descriptor : -1
}

/// A line, at once.
func say(_ text: String) {
  var bytes = Array((text + "\n").utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    bytes = bytes.dropFirst(count)
  }
}

func bytes(hex: Substring) -> [UInt8] {
  var digits = hex.compactMap(\.hexDigitValue)[...]
  var bytes: [UInt8] = []
  while let high = digits.popFirst(), let low = digits.popFirst() {
    bytes.append(UInt8(high * 16 + low))
  }
  return bytes
}

final class Heckler {
  let path: String
  let descriptor: Int32
  private var isDeaf = false
  private var last: [UInt8] = []
  private var silent: [Int32] = []
  private var unread: [UInt8] = []
  private var lines: [UInt8] = []

  init(_ path: String) {
    self.path = path
    descriptor = open(path)
    guard descriptor >= 0 else {
      say("!refused \(errno)")
      exit(1)
    }
  }

  /// Sends all, however slow the other end reads. If it has closed, what it said before is still read and printed.
  private func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func act(_ line: String) {
    let words = line.split(separator: " ")
    switch words.first {
    case "!raw"?: send(bytes(hex: words.last ?? ""))
    case "!deaf"?: isDeaf = true
    case "!flood"?: for _ in 0..<(words.last.flatMap { Int($0) } ?? 1) { send(last) }
    case "!connect"?:
      for _ in 0..<(words.last.flatMap { Int($0) } ?? 1) { silent.append(open(path)) }
      say("!open \(silent.count { $0 >= 0 })")
    case "!churn"?:
      for _ in 0..<(words.last.flatMap { Int($0) } ?? 1) { churn() }
      say("!churned")
    case "!call"?: call(String(line.dropFirst(6)))
    case "!follow"?: follow(words.last.flatMap { Int($0) } ?? 1)
    case "!child"?: child(words.dropFirst().map(String.init))
    case "!close"?: exit(0)
    case _:
      last = Array(line.utf8) + [0]
      send(last)
    }
  }

  private func follow(_ count: Int) {
    let others = (0..<count).map { _ in open(path) }
    var waited = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0)]
    for other in others {
      _ = last.withUnsafeBytes { Glibc.send(other, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      waited.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0))
    }
    var lateness = Lateness()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    say("!following")
    while poll(&waited, nfds_t(waited.count), -1) > 0, waited[0].revents == 0 {
      for entry in waited where entry.revents != 0 {
        let read = recv(entry.fd, &chunk, chunk.count, 0)
        if read > 0 { lateness.take(chunk[..<read]) }
      }
    }
    for other in others { close(other) }
    say(lateness.report)
  }

  private func churn() {
    let other = open(path)
    let call = Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
    _ = Glibc.send(other, call, call.count, Int32(MSG_NOSIGNAL))
    var answer = [UInt8](repeating: 0, count: 4096)
    _ = recv(other, &answer, answer.count, 0)
    close(other)
  }

  private func call(_ line: String) {
    let other = open(path)
    let message = Array(line.utf8) + [0]
    _ = Glibc.send(other, message, message.count, Int32(MSG_NOSIGNAL))
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while answer.last != 0 {
      let count = recv(other, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      answer += chunk[..<count]
    }
    close(other)
    say("!answer " + String(decoding: answer.dropLast(), as: UTF8.self))
  }

  /// The program has our connection, and says what it likes.
  private func child(_ arguments: [String]) {
    dup2(descriptor, 3)
    let process = spawn(arguments)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    say("!child \(status)")
  }

  func run() {
    while true {
      var waited = [
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isDeaf ? -1 : descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waited, 2, -1) >= 0 else { continue }
      if waited[1].revents != 0 { read() }
      if waited[0].revents != 0 { listen() }
    }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else {
      if !unread.isEmpty { say(String(decoding: unread, as: UTF8.self)) }
      say("!closed")
      exit(0)
    }
    unread += chunk[..<count]
    while let end = unread.firstIndex(of: 0) {
      say(String(decoding: unread[..<end], as: UTF8.self))
      unread.removeSubrange(...end)
    }
  }

  private func listen() {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(0, &chunk, chunk.count)
    guard count > 0 else { exit(0) }
    lines += chunk[..<count]
    while let end = lines.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: lines[..<end], as: UTF8.self)
      lines.removeSubrange(...end)
      act(line)
    }
  }
}

/// How late messages came, in µs, by the first time in each.
struct Lateness {
  private var all: [Int64] = []
  private static let mark = Array(#""time":"#.utf8)

  mutating func take(_ chunk: ArraySlice<UInt8>) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let arrival = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    for message in chunk.split(separator: 0) {
      guard let start = message.indices.first(where: { message[$0...].starts(with: Self.mark) })
      else { continue }
      let digits = message[(start + Self.mark.count)...].prefix { $0 != UInt8(ascii: ",") }
      let time = digits.filter { $0 != UInt8(ascii: ".") }
        .reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
      all.append(arrival - time)
    }
  }

  var report: String {
    let sorted = all.sorted()
    guard let last = sorted.last else { return "!lateness of none" }
    func share(_ part: Double) -> Int64 { sorted[Int(Double(sorted.count - 1) * part)] }
    return "!lateness of \(sorted.count): p50 \(share(0.5)) p99 \(share(0.99)) max \(last) us"
  }
}

func spawn(_ arguments: [String]) -> pid_t {
  var process: pid_t = 0
  var pointers = arguments.map { strdup($0) } + [nil]
  posix_spawnp(&process, arguments.first ?? "true", nil, nil, &pointers, environ)
  for pointer in pointers { free(pointer) }
  return process
}

signal(SIGPIPE, SIG_IGN)
let heckler = Heckler(CommandLine.arguments.dropFirst().first ?? "")
for line in CommandLine.arguments.dropFirst(2) { heckler.act(line) }
heckler.run()
