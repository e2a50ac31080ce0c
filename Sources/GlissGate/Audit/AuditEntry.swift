/// What happened, in the audit's words.
public enum AuditAction: String, Hashable, Sendable, CaseIterable {
  case request, grant, change, deny, revoke, expire
  /// A client was put into an access group, or taken out of one.
  case join, leave
  case connect, refuse, post, secureInput, lock, pause, sessionChange
  /// Something about the files themselves: made, migrated, entries missing.
  case store

  /// Somebody's decision, or the end of one. Each is written at once and by itself, or what was decided does not happen;
  /// and what clients do cannot push it out of the audit.
  public var isDecision: Bool { shelf == .decisions }

  /// Entries of one shelf push none of another out of the audit.
  enum Shelf: Int64 {
    case others = 0
    case decisions = 1
    /// Who was given what: events, or keys that the desktop does not get.
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

/// A line of the audit. It never has a key's value in it.
public struct AuditEntry: Hashable, Sendable {
  /// Of the last time where it happened several times.
  public var time: WallTime
  public var action: AuditAction
  public var uid: UInt32
  /// Whom it concerns, as in a grant; or what it is called.
  public var client: String
  public var detail: String
  /// How often it happened; from the second time on, repeats within a minute share a line.
  public var count: Int64

  /// Texts are made one line each, and bounded.
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

  /// Bytes: the longest path is 4096, but a label has to be read by somebody.
  private static let clientLimit = 300
  private static let detailLimit = 500
}

/// Where entries go beside the store, the journal for one. Called inline.
public protocol AuditSink: AnyObject {
  func didRecord(_ entry: AuditEntry)
}
