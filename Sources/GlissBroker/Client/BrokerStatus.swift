import GlissEvents
public import GlissGate

/// Who is connected to the broker, what each may see, and what holds for the seat.
public struct BrokerStatus: Hashable, Sendable {
  public struct Seat: Hashable, Sendable {
    /// `active`, `locked` and the like.
    public var state: String
    /// Whose session is on the screen; told to that user and root.
    public var user: UInt32?
    public var name: String?
    /// Everybody who holds secure input. Only that user and root get to see it.
    public var secureInput: [SecureInput]
  }

  public struct SecureInput: Hashable, Sendable {
    public var holder: String
    public var uid: UInt32
    /// Seconds until it ends by itself.
    public var remaining: Double
  }

  public struct Client: Hashable, Sendable {
    public var pid: Int32
    public var uid: UInt32
    public var name: String
    /// Seconds of CLOCK_MONOTONIC.
    public var since: Double
    public var doing: String
    public var granted: [Entitlement]
    /// How many messages it was sent, and how many it was too slow for: told to root, and to itself.
    public var delivered: Int64?
    public var lost: Int64?
  }

  public struct Hotkey: Hashable, Sendable {
    public var hotkey: String
    public var mode: String?
    public var holder: String
    public var uid: UInt32
  }

  public var version: String
  public var seat: Seat
  public var clients: [Client]
  public var hotkeys: [Hotkey]
  /// How many clients and hotkeys more there are than an answer may have.
  public var omitted: Int
  public var devices: [String]
  /// What keeps the broker from doing all it should.
  public var problems: [String]
}

extension BrokerStatus {
  init(_ answer: Parameters) throws(ParameterError) {
    version = try answer.text("version")
    seat = try Seat(try answer.required("session", try answer.object("session")))
    clients = try answer.objects("clients") { (each) throws(ParameterError) in try Client(each) }
    hotkeys = try answer.objects("hotkeys") { (each) throws(ParameterError) in try Hotkey(each) }
    omitted = try answer.integer("omitted").flatMap(Int.init(exactly:)) ?? 0
    devices = try answer.strings("devices") ?? []
    problems = try answer.strings("problems") ?? []
  }
}

extension BrokerStatus.Seat {
  fileprivate init(_ session: Parameters) throws(ParameterError) {
    state = try session.text("state")
    user = try session.uid("user")
    name = try session.string("name")
    secureInput = try session.objects("secureInput") { (each) throws(ParameterError) in
      BrokerStatus.SecureInput(
        holder: try each.text("holder"), uid: try each.required("uid", try each.uid("uid")),
        remaining: try each.number("remaining"))
    }
  }
}

extension BrokerStatus.Client {
  fileprivate init(_ client: Parameters) throws(ParameterError) {
    pid = try client.whole("pid")
    uid = try client.required("uid", try client.uid("uid"))
    name = try client.text("name")
    since = try client.number("since")
    doing = try client.text("doing")
    granted = try client.entitlements("granted")
    delivered = try client.integer("delivered")
    lost = try client.integer("lost")
  }
}

extension BrokerStatus.Hotkey {
  fileprivate init(_ hotkey: Parameters) throws(ParameterError) {
    self.hotkey = try hotkey.text("hotkey")
    mode = try hotkey.string("mode")
    holder = try hotkey.text("holder")
    uid = try hotkey.required("uid", try hotkey.uid("uid"))
  }
}
