import Glibc
import GlissDevices
import GlissEvents
import GlissGate

/// What /proc shows of a process: a few small files and links. None of them leads through a file
/// system of the process's own, so no process can block the reader.
///
/// The links (`exe`, `root`, `ns/…`) are visible only to a reader that may trace the process: the
/// same user, root, or a process with CAP_SYS_PTRACE, such as ``ProcessReader``'s helper. Whatever
/// is not visible is `nil`.
package struct ProcessFacts: Hashable, Sendable {
  /// A namespace of the process, compared with that of the machine's first process.
  enum Namespace: UInt8, Hashable, Sendable, CaseIterable {
    case same = 0x3d  // =
    case other = 0x21  // !
    case unknown = 0x3f  // ?
  }

  /// In ticks since boot.
  var startTime: UInt64
  var user: UInt32?
  var group: UInt32?
  var userNamespace = Namespace.unknown
  var processNamespace = Namespace.unknown
  var mountNamespace = Namespace.unknown
  /// The target of `root`: `/`, unless the process is in a chroot.
  var root: String?
  /// Its path in the cgroup tree: `/user.slice/…`.
  var cgroup: String?
  var executable: String?

  init(startTime: UInt64) { self.startTime = startTime }
}

// MARK: - What follows

extension ProcessFacts {
  /// The program's path, if it still exists under that name.
  var program: String? {
    guard let executable, executable.isStreamSafe, executable.hasPrefix("/"),
      !executable.hasSuffix(" (deleted)"),
      !executable.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
    else { return nil }
    return executable
  }

  /// A process can enter namespaces but not come back out. So the confinement read here is at least
  /// as strict as when it sent its call.
  var confinement: ClientIdentity.Confinement {
    let isBoxed = userNamespace == .other || processNamespace == .other
    if isBoxed { return sandbox }
    guard userNamespace == .same, processNamespace == .same, let cgroup else { return .unknown }
    // systemd hides folders from its services with mounts of their own, and a service cannot leave
    // its cgroup
    if let unit = Self.unit(in: cgroup) { return .unit(unit) }
    if mountNamespace == .other || (root != nil && root != "/") { return sandbox }
    return mountNamespace == .same && root == "/" ? .none : .unknown
  }

  /// A sandbox is identified by the cgroup that Flatpak puts its apps into. A sandbox can neither
  /// leave nor create such a group.
  ///
  /// Any program of the user outside a sandbox can create such a group, just as it can run the app
  /// itself. The name is a label, like a program's path (docs/threat-model.md).
  private var sandbox: ClientIdentity.Confinement {
    // an app's id has two or more elements of letters, digits, `_` and `-`, separated by dots
    guard let name = flatpakGroup, (try? AccessGroup(name)) != nil else { return .anonymous }
    return .app(name)
  }

  /// The system service that the process belongs to. Anything below a user's own manager belongs to
  /// the user.
  private static func unit(in cgroup: String) -> String? {
    let parts = cgroup.split(separator: "/")
    guard parts.first != "user.slice", let name = parts.first(where: { !$0.hasSuffix(".slice") }),
      name.hasSuffix(".service"), name != "init.service"
    else { return nil }
    return String(name)
  }

  /// The app named by Flatpak's scope (`app-flatpak-ID-NUMBER.scope`).
  private var flatpakGroup: String? {
    guard let scope = cgroup?.split(separator: "/").last, scope.hasPrefix("app-flatpak-"),
      scope.hasSuffix(".scope"), let end = scope.lastIndex(of: "-")
    else { return nil }
    let start = scope.index(scope.startIndex, offsetBy: "app-flatpak-".count)
    guard start < end else { return nil }
    return Self.unescaped(scope[start..<end])
  }

  /// Decodes `\xHH`, with which systemd escapes characters that a unit name may not contain.
  private static func unescaped(_ name: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard rest.first == UInt8(ascii: "x"), rest.count >= 3,
        let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

// MARK: - As a message

extension ProcessFacts {
  /// The longest answer: two paths of PATH_MAX, a cgroup path and some numbers.
  static let largest = 16_384

  /// The fields, separated by NULs. Unknown fields are empty.
  var bytes: [UInt8] {
    let namespaces = [userNamespace, processNamespace, mountNamespace].map(\.rawValue)
    let texts = [
      "\(startTime)", user.map { "\($0)" }, group.map { "\($0)" },
      String(decoding: namespaces, as: UTF8.self), root, cgroup, executable,
    ]
    return Array(texts.map { $0 ?? "" }.joined(separator: "\0").utf8)
  }

  init?(_ bytes: some Sequence<UInt8>) {
    let parts = Array(bytes).split(separator: 0, omittingEmptySubsequences: false)
    let texts = parts.compactMap { String(validating: $0, as: UTF8.self) }
    guard texts.count == 7, let startTime = UInt64(texts[0]) else { return nil }
    self.init(startTime: startTime)
    user = UInt32(texts[1])
    group = UInt32(texts[2])
    let namespaces = parts[3].compactMap { Namespace(rawValue: $0) }
    guard namespaces.count == 3, parts[3].count == 3 else { return nil }
    (userNamespace, processNamespace, mountNamespace) = (
      namespaces[0], namespaces[1], namespaces[2]
    )
    root = texts[4].isEmpty ? nil : texts[4]
    cgroup = texts[5].isEmpty ? nil : texts[5]
    executable = texts[6].isEmpty ? nil : texts[6]
  }
}

/// Reads ``ProcessFacts`` from /proc for a client on a socket. It runs in a thread of the process
/// that asks, or in a separate process that may read other users' processes
/// (`glissd --identify-programs`).
///
/// That process has CAP_SYS_PTRACE, sees no keys, and only understands messages of eight bytes. The
/// process that sees keys has no capabilities. Taking over one of them does not give the rights of
/// the other.
enum ProcessReader {
  /// Answers one client after the other, and throws if it can accept no more.
  static func run(on listener: Int32) throws(SystemError) -> Never {
    while true {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      _ = poll(&waiting, 1, -1)
      let client = accept(listener, nil, nil)
      if client < 0 {
        guard [EINTR, ECONNABORTED, EAGAIN].contains(errno) else {
          throw SystemError("socket activation", failed: errno)
        }
        continue
      }
      answer(on: client)
    }
  }

  /// Answers questions until the client is gone or sends something invalid. Then closes `client`.
  static func answer(on client: Int32) {
    while let question = nextQuestion(from: client) {
      let bytes = question.bytes.prefix(4) + (ProcessFacts(of: question.pid)?.bytes ?? [])
      guard send(client, Array(bytes), bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
        break
      }
    }
    close(client)
  }

  private static func nextQuestion(from client: Int32) -> ProcessQuestion? {
    ProcessQuestion(
      [UInt8](unsafeUninitializedCapacity: ProcessQuestion.size + 1) { buffer, count in
        count = max(0, recv(client, buffer.baseAddress, buffer.count, 0))
      })
  }
}

/// The pid, and a number that begins the answer: four bytes each, little-endian.
struct ProcessQuestion: Hashable, Sendable {
  static let size = 8

  var number: UInt32
  var pid: Int32
}

extension ProcessQuestion {
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    number = Self.number(bytes[..<4])
    pid = Int32(bitPattern: Self.number(bytes[4...]))
    guard pid > 0 else { return nil }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  var bytes: [UInt8] {
    [number, UInt32(bitPattern: pid)].flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }
}

// MARK: - Reading

extension ProcessFacts {
  init?(of pid: Int32) {
    let files = ProcessFiles(pid)
    guard let stat = files.read("stat"), let startTime = Self.startTime(in: stat) else {
      return nil
    }
    self.init(startTime: startTime)
    // a process whose main thread has ended has no namespaces to compare, so it counts as sandboxed
    guard !Self.hasEnded(stat) else {
      (userNamespace, processNamespace, mountNamespace) = (.other, .other, .other)
      return
    }
    // the needed fields come before the list of groups, which may be long
    let status = files.read("status", upTo: 4096) ?? []
    user = Self.effective("Uid:", in: status)
    group = Self.effective("Gid:", in: status)
    userNamespace = Self.compare(files.target(of: "ns/user"), Self.first.user)
    processNamespace = Self.compare(files.target(of: "ns/pid"), Self.first.process)
    mountNamespace = Self.compare(files.target(of: "ns/mnt"), Self.first.mount)
    root = files.target(of: "root")
    cgroup = files.read("cgroup").flatMap(Self.cgroup(in:))
    // elsewhere it may have mounted anything, and is known by its confinement
    executable =
      mountNamespace == .same
      ? files.executable(mountedFor: Self.firstProcess) : files.target(of: "exe")
  }

  private static func compare(_ one: String?, _ other: String?) -> Namespace {
    guard let one, let other else { return .unknown }
    return one == other ? .same : .other
  }

  /// The namespaces of the first process of the machine or of the surrounding container; of the
  /// reader itself if those are not visible.
  private static let first = (
    user: firstProcess.target(of: "ns/user"), process: firstProcess.target(of: "ns/pid"),
    mount: firstProcess.target(of: "ns/mnt")
  )

  private static let firstProcess =
    ProcessFiles(1).target(of: "ns/user") == nil ? ProcessFiles(getpid()) : ProcessFiles(1)

  /// Whether it has ended, by the third field: a letter for the state.
  static func hasEnded(_ stat: [UInt8]) -> Bool {
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")), end + 2 < stat.count else { return true }
    return [UInt8(ascii: "Z"), UInt8(ascii: "X")].contains(stat[end + 2])
  }

  /// The 22nd field. The second is the name in parentheses, which may contain anything, even
  /// parentheses.
  package static func startTime(in stat: [UInt8]) -> UInt64? {
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
  }

  /// The second of the four numbers after a label: real, effective, saved and file system id.
  static func effective(_ label: String, in status: [UInt8]) -> UInt32? {
    let lines = status.split(separator: 0x0a)
    guard let line = lines.first(where: { $0.starts(with: label.utf8) }) else { return nil }
    let fields = line.dropFirst(label.utf8.count).split { $0 == 0x20 || $0 == 0x09 }
    return fields.count == 4 ? UInt32(String(decoding: fields[1], as: UTF8.self)) : nil
  }

  /// The path in the only cgroup tree, or in systemd's own if there are several.
  static func cgroup(in file: [UInt8]) -> String? {
    var found: String?
    for line in file.split(separator: 0x0a) {
      let parts = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = String(decoding: parts[1], as: UTF8.self)
      let isUnified = parts[0].elementsEqual("0".utf8) && controllers.isEmpty
      guard isUnified || controllers == "name=systemd" else { continue }
      guard let path = String(validating: parts[2], as: UTF8.self), path.hasPrefix("/"),
        !path.split(separator: "/").contains("..")
      else { return nil }
      // if both exist, systemd's tree has the units
      if found == nil || controllers == "name=systemd" { found = path }
    }
    return found
  }
}

struct ProcessFiles {
  private let folder: String

  init(_ pid: Int32) { folder = "/proc/\(pid)" }

  /// The whole file; `nil` if it cannot be read or is longer than `limit`, because half of it could
  /// mean something else.
  func read(_ name: String, limit: Int = 65_536) -> [UInt8]? {
    guard let bytes = read(name, upTo: limit + 1), bytes.count <= limit else { return nil }
    return bytes
  }

  /// The beginning of a file, at most `count` bytes; `nil` if it cannot be read.
  func read(_ name: String, upTo count: Int) -> [UInt8]? {
    FileBytes.start(of: "\(folder)/\(name)", upTo: count)
  }

  /// The login user, which `sudo` and `su` do not change; `nil` if it is unknown, or if there is
  /// none, as for a service. Anyone may read it.
  var loginUser: UInt32? { read("loginuid", limit: 32).flatMap { Self.loginUser(in: $0) } }

  static func loginUser(in file: [UInt8]) -> UInt32? {
    let digits = file.prefix { $0 != 0x0a }
    // -1 means none
    guard let user = UInt32(String(decoding: digits, as: UTF8.self)), user != .max else {
      return nil
    }
    return user
  }

  /// The path of the program's file; `nil` if its file system is not mounted for `first`, as after
  /// `umount --lazy`. The kernel then leaves out the folder of the mount, and the rest may be
  /// another program's path.
  func executable(mountedFor first: ProcessFiles) -> String? {
    // O_PATH, which Glibc does not declare: no file system is asked to open the file
    let onlyNames: Int32 = 0o10000000
    let descriptor = open("\(folder)/exe", onlyNames | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let own = ProcessFiles(getpid())
    // the path is read before the list: nothing can be mounted again once it is detached
    guard let path = own.target(of: "fd/\(descriptor)"),
      let mount = own.read("fdinfo/\(descriptor)").flatMap(Self.mount), first.lists(mount)
    else { return nil }
    return path
  }

  /// The number of the mount that a descriptor's file is on.
  private static func mount(in fdinfo: [UInt8]) -> [UInt8]? {
    let line = fdinfo.split(separator: 0x0a).first { $0.starts(with: "mnt_id:".utf8) }
    return line.map { Array($0.dropFirst("mnt_id:".utf8.count).drop { $0 == 0x20 || $0 == 0x09 }) }
  }

  /// Whether a line of the mounts begins with the number `mount`. Those of the system come first:
  /// however many a user adds, they cost and hide only what was mounted after them.
  private func lists(_ mount: [UInt8]) -> Bool {
    let descriptor = open("\(folder)/mountinfo", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let wanted = mount + [0x20]
    var piece = [UInt8](repeating: 0, count: 16_384)
    // how much of it this line began with; `nil` if it is another
    var matched: Int? = 0
    var left = 4 << 20
    while left > 0 {
      // the kernel gives a page at a time
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count > 0 else { return false }
      left -= count
      for byte in piece[..<count] {
        if byte == 0x0a {
          matched = 0
        } else if let place = matched {
          matched = byte == wanted[place] ? place + 1 : nil
          if matched == wanted.count { return true }
        }
      }
    }
    return false
  }

  /// The target of a link; `nil` if it may not be read or is not valid UTF-8.
  func target(of name: String) -> String? { Folder.target(of: "\(folder)/\(name)") }
}
