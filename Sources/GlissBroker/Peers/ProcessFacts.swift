import GlissGate

/// What is known of a process, as /proc shows it to all, and what it shows only to those who may look into it.
struct ProcessFacts: Hashable, Sendable {
  /// In ticks since boot.
  var startTime: UInt64
  /// Real, effective, saved and that for files.
  var users: [UInt32] = []
  /// Its place in the tree of control groups: `/user.slice/…`.
  var cgroup: String?
  /// How its user namespace maps to that of whoever asks.
  var userMap: String?
  /// In how many process namespaces it has a number.
  var pidDepth: Int?
  /// The kernel's number of the mount that is `/` to it; no two mounts of the machine have the same, in no namespace.
  var rootMount: UInt64?
  /// What `exe` says.
  var executable: String?
  /// Whether Flatpak's `/.flatpak-info` is mounted in its tree.
  var hasFlatpakInfo = false
  /// What that file says. Flatpak lets only the app's own user read it.
  var flatpakApp: String?

  /// How much of its mounts is read where Flatpak may have made them: whoever has a user namespace has as many as they
  /// like, and each connection would wait for them. Flatpak makes a hundred.
  private static let flatpakMounts = 131_072

  /// - Parameters:
  ///   - first: beside whom ``confinement(beside:)`` will be asked for; what makes no difference then is not read.
  ///   - programs: who is asked for what is not shown to us.
  /// - Returns: `nil` where there is no such process.
  init?(of pid: Int32, beside first: ProcessFacts? = nil, _ programs: ProgramTeller? = nil) {
    let files = ProcessFiles(pid)
    guard let startTime = Self.startTime(of: pid) else { return nil }
    self.startTime = startTime
    cgroup = files.read("cgroup").flatMap(Self.cgroup(in:))
    userMap = files.read("uid_map").map { String(decoding: $0, as: UTF8.self) }
    if let status = files.read("status") {
      pidDepth = Self.pidDepth(in: status)
      users = Self.fields(of: "Uid:", in: status).compactMap { UInt32($0) }
    }
    // a machine with thousands of containers' mounts has more; then nobody is told to be free of a sandbox
    var limit = 4 << 20
    if let first, first.userMap != userMap || first.pidDepth != pidDepth {
      limit = flatpakGroup == nil ? 0 : Self.flatpakMounts
    }
    if limit > 0, let mounts = files.read("mountinfo", limit: limit) {
      rootMount = Self.mount(at: "/", in: mounts)
      hasFlatpakInfo = Self.mount(at: "/.flatpak-info", in: mounts) != nil
    }
    executable = files.target(of: "exe")
    // whose root it is may let us wait there for ever: only Flatpak's are looked into
    let isFlatpak = hasFlatpakInfo && flatpakGroup != nil
    if isFlatpak { flatpakApp = Self.flatpakApp(of: files) }
    guard executable == nil, let programs else { return }
    let answer = programs.ask(ProgramQuestion(pid, wantsFlatpakApp: isFlatpak))
    executable = answer?.executable
    if isFlatpak { flatpakApp = flatpakApp ?? answer?.flatpakApp }
  }

  init(startTime: UInt64) { self.startTime = startTime }

  /// When the process that has this number now started; `nil` where there is none.
  static func startTime(of pid: Int32) -> UInt64? {
    ProcessFiles(pid).read("stat").flatMap(startTime(in:))
  }
}

// MARK: - What follows

extension ProcessFacts {
  /// The program's path, where it is still there under that name.
  var program: String? {
    guard let executable, executable.hasPrefix("/"), !executable.hasSuffix(" (deleted)"),
      !executable.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
    else { return nil }
    return executable
  }

  /// What confines it, seen beside the first process of the machine (or of the container that all is in).
  ///
  /// What is not known counts as a sandbox without a name: nothing can be granted to it.
  func confinement(beside first: ProcessFacts?) -> ClientIdentity.Confinement {
    guard let first, let userMap, userMap == first.userMap, let pidDepth, pidDepth == first.pidDepth
    else { return sandbox }
    // systemd hides folders from its services by mounts of their own; a service cannot leave its group
    if let unit { return .unit(unit) }
    guard let rootMount, rootMount == first.rootMount, cgroup != nil else { return sandbox }
    return .none
  }

  /// What Flatpak calls a sandbox of its own making: by the group that it puts it into, which a sandbox cannot leave
  /// where it may not write to the tree of groups; and not against what the file says that it puts there.
  private var sandbox: ClientIdentity.Confinement {
    guard hasFlatpakInfo, let name = flatpakGroup, Self.isAppID(name), flatpakApp ?? name == name
    else { return .anonymous }
    return .app(name)
  }

  /// The service of the system's manager that it belongs to. What runs below a user's own manager is the user's.
  private var unit: String? {
    guard let parts = cgroup?.split(separator: "/"), parts.first != "user.slice" else { return nil }
    guard let name = parts.first(where: { !$0.hasSuffix(".slice") }), name.hasSuffix(".service"),
      name != "init.service"
    else { return nil }
    return String(name)
  }

  /// The app that Flatpak's scope (`app-flatpak-ID-NUMBER.scope`) names.
  private var flatpakGroup: String? {
    guard let scope = cgroup?.split(separator: "/").last, scope.hasPrefix("app-flatpak-"),
      scope.hasSuffix(".scope"), let end = scope.lastIndex(of: "-")
    else { return nil }
    let start = scope.index(scope.startIndex, offsetBy: "app-flatpak-".count)
    guard start < end else { return nil }
    return Self.unescaped(scope[start..<end])
  }

  /// systemd writes what may not stand in a unit's name as `\xHH`.
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

// MARK: - Reading

extension ProcessFacts {
  /// The 22nd field; the second is the name in parentheses, which may hold anything, also parentheses.
  static func startTime(in stat: [UInt8]) -> UInt64? {
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
  }

  /// The place in the only tree, or in systemd's own where there are several.
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
      // where both are there systemd's is the one with the units
      if found == nil || controllers == "name=systemd" { found = path }
    }
    return found
  }

  /// How many numbers stand behind `NSpid:`.
  static func pidDepth(in status: [UInt8]) -> Int? {
    let count = fields(of: "NSpid:", in: status).count
    return count > 0 ? count : nil
  }

  /// What stands behind a label at the beginning of a line.
  static func fields(of label: String, in status: [UInt8]) -> [String] {
    let lines = status.split(separator: 0x0a)
    guard let line = lines.first(where: { $0.starts(with: label.utf8) }) else { return [] }
    return line.dropFirst(label.utf8.count).split { $0 == 0x20 || $0 == 0x09 }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The number of the first mount at `point`.
  static func mount(at point: String, in mountinfo: [UInt8]) -> UInt64? {
    for line in mountinfo.split(separator: 0x0a) {
      let fields = line.split(separator: 0x20, maxSplits: 5)
      guard fields.count > 5, fields[4].elementsEqual(point.utf8) else { continue }
      return UInt64(String(decoding: fields[0], as: UTF8.self))
    }
    return nil
  }

  static func flatpakApp(of files: ProcessFiles) -> String? {
    files.read("root/.flatpak-info").flatMap(flatpakApp(in:))
  }

  /// `name` below `[Application]`.
  static func flatpakApp(in file: [UInt8]) -> String? {
    var isInside = false
    for line in file.split(separator: 0x0a) {
      if line.first == UInt8(ascii: "[") { isInside = line.elementsEqual("[Application]".utf8) }
      guard isInside, line.starts(with: "name=".utf8) else { continue }
      guard let name = String(validating: line.dropFirst(5), as: UTF8.self), isAppID(name) else {
        return nil
      }
      return name
    }
    return nil
  }

  /// Two or more elements of letters, digits, `_` and `-`, with dots between.
  private static func isAppID(_ name: String) -> Bool {
    guard name.utf8.count <= 255 else { return false }
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
              true
            case _: false
            }
          }
      }
  }
}
