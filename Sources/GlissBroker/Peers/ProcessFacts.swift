import GlissGate

/// What /proc shows of a process: a few small files and links. None of them leads through a file
/// system of the process's own, so no process can block the reader.
///
/// The links (`exe`, `root`, `ns/…`) are visible only to a reader that may trace the process: the
/// same user, root, or a process with CAP_SYS_PTRACE, such as ``ProcessReader``'s helper. Whatever
/// is not visible is `nil`.
struct ProcessFacts: Hashable, Sendable {
  /// A namespace of the process, compared with that of the machine's first process.
  enum Namespace: UInt8, Hashable, Sendable, CaseIterable {
    case same = 0x3d  // =
    case other = 0x21  // !
    case unknown = 0x3f  // ?
  }

  /// In ticks since boot.
  var startTime: UInt64
  /// The effective uid and gid.
  var user: UInt32?
  var group: UInt32?
  var userNamespace = Namespace.unknown
  var processNamespace = Namespace.unknown
  var mountNamespace = Namespace.unknown
  /// The target of `root`: `/`, unless the process is in a chroot.
  var root: String?
  /// Its path in the cgroup tree: `/user.slice/…`.
  var cgroup: String?
  /// The target of `exe`.
  var executable: String?

  init(startTime: UInt64) { self.startTime = startTime }
}

// MARK: - What follows

extension ProcessFacts {
  /// The program's path, if it still exists under that name.
  var program: String? {
    guard let executable, executable.hasPrefix("/"), !executable.hasSuffix(" (deleted)"),
      !executable.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
    else { return nil }
    return executable
  }

  /// What confines the process.
  ///
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
    guard let name = flatpakGroup, Self.isAppID(name) else { return .anonymous }
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

  /// Whether it has two or more elements of letters, digits, `_` and `-`, separated by dots.
  private static func isAppID(_ name: String) -> Bool { (try? AccessGroup(name)) != nil }
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

  /// - Returns: `nil` if `bytes` are not a valid message.
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
