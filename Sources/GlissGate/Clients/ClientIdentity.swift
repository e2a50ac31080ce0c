/// Who a client is, as the system says and not as it claims; a value handed in.
///
/// Enforced is the uid, and within it a system unit or a sandbox. The program is a label for consent and audit: a
/// process of the same user can run a granted program and steer it (docs/threat-model.md).
public struct ClientIdentity: Hashable, Sendable {
  /// What confines it.
  public enum Confinement: Hashable, Sendable {
    case none
    /// A service of the system's, by its unit's name.
    case unit(String)
    /// A sandbox that names what it confines, by the app's id.
    case app(String)
    /// A sandbox that names nothing (bubblewrap); nothing can be granted to it.
    case anonymous
    /// What confines it could not be found out: nothing can be granted to it.
    case unknown
  }

  public var uid: UInt32
  public var pid: Int32
  /// When it started, in the kernel's ticks since boot: with the pid it names one process.
  public var startTime: UInt64
  public var confinement: Confinement
  /// The path of its program; `nil` where it cannot be told for sure.
  public var program: String?

  public init(
    uid: UInt32, pid: Int32, startTime: UInt64, confinement: Confinement, program: String?
  ) {
    self.uid = uid
    self.pid = pid
    self.startTime = startTime
    self.confinement = confinement
    self.program = program
  }

  /// Whether both are the same process.
  public func isSameProcess(as other: ClientIdentity) -> Bool {
    pid == other.pid && startTime == other.startTime
  }

  /// Whom a grant to it names; `nil` where none can.
  public var client: Client? {
    switch confinement {
    case .none: program.map(Client.program)
    case .unit(let name): .unit(name)
    case .app(let id): .app(id)
    case .anonymous, .unknown: nil
    }
  }
}

/// Whom a grant names, beside the uid.
public enum Client: Hashable, Sendable {
  /// A program by its path.
  case program(String)
  /// A service of the system's by its unit.
  case unit(String)
  /// A sandboxed app by its id.
  case app(String)
}
