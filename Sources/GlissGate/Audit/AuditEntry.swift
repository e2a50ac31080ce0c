/// What happened, as the audit names it.
public enum AuditAction: String, Hashable, Sendable, CaseIterable {
  case request, grant, change, deny, revoke, expire
  /// A client was added to an access group, or removed from one.
  case join, leave
  case connect, refuse, post, secureInput, lock, pause, sessionChange
  /// Something about the files themselves: created, migrated, entries missing.
  case store

  /// A person's decision, or the end of one. Each is written at once as its own entry; if that
  /// fails, the decision does not take effect. Entries about clients' actions cannot push it out of
  /// the audit.
  public var isDecision: Bool { shelf == .decisions }

  /// Entries of one shelf never push out those of another.
  enum Shelf: Int64 {
    case others = 0
    case decisions = 1
    /// Who was given what: events, or keys that are kept from the desktop.
    case given = 2
  }

  var shelf: Shelf {
    switch self {
    case .grant, .change, .deny, .revoke, .expire, .join, .leave, .store: .decisions
    case .connect: .given
    case .request, .refuse, .post, .secureInput, .lock, .pause, .sessionChange: .others
    }
  }
}

/// A line of the audit. It never contains a key's value.
public struct AuditEntry: Hashable, Sendable {
  /// The time of the last occurrence.
  public var time: WallTime
  public var action: AuditAction
  public var uid: UInt32
  /// The client it concerns: as a grant names it, or its label.
  public var client: String
  public var detail: String
  /// How often it happened. After the first occurrence, repeats within a minute share a line.
  public var count: Int64

  /// Makes each text a single line of bounded length.
  public init(
    time: WallTime, action: AuditAction, uid: UInt32, client: String, detail: String,
    count: Int64 = 1
  ) {
    self.time = time
    self.action = action
    self.uid = uid
    self.client = client.boundedLine(Self.clientLimit)
    self.detail = detail.boundedLine(Self.detailLimit)
    self.count = count
  }

  /// In bytes. A path may have 4096, but people have to read these labels.
  private static let clientLimit = 300
  private static let detailLimit = 500
}

/// Another destination for entries besides the store, such as the journal. Called inline.
public protocol AuditSink: AnyObject {
  func didRecord(_ entry: AuditEntry)
}
