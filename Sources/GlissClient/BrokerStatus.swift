package import GlissEvents
package import GlissGate

/// Who is connected to the broker, what each may see, and the state of the seat.
package struct BrokerStatus: Hashable, Sendable {
  package struct Seat: Hashable, Sendable {
    /// `active`, `locked` and so on.
    package var state: String
    /// The user whose session is on the screen. Only that user and root get it.
    package var user: UInt32?
    package var name: String?
    /// All holders of secure input. Only that user and root get them.
    package var secureInput: [SecureInput]
  }

  /// A client that holds secure input while a password is typed.
  package struct SecureInput: Hashable, Sendable {
    package var holder: String
    /// Seconds until it ends by itself.
    package var remaining: Double
  }

  package struct Client: Hashable, Sendable {
    package var pid: Int32
    package var uid: UInt32
    /// The program, unit or sandboxed app, as in grants; `unknown` if it cannot be identified.
    package var name: String
    /// Seconds of CLOCK_MONOTONIC.
    package var since: Double
    /// What it does: `events`, `hotkey`, `keys`, `pointing`, `strokes`, `secureInput`, `lock`,
    /// `waits for an answer` or `nothing`.
    package var doing: String
    package var granted: [Entitlement]
    /// How many messages it was sent. Only root and the client itself get this.
    package var delivered: Int64?
    /// How many were left out because it read too slowly. Only root and the client itself get this.
    package var lost: Int64?
  }

  package struct Hotkey: Hashable, Sendable {
    package var hotkey: String
    /// The mode in which it acts; `nil` if it is in none.
    package var mode: String?
    package var holder: String
    package var uid: UInt32
  }

  package var version: String
  package var seat: Seat
  /// The processes that are connected. Only root sees other users'.
  package var clients: [Client]
  /// The registered hotkeys. Only root sees other users'.
  package var hotkeys: [Hotkey]
  /// How many clients and hotkeys did not fit into the answer.
  package var omitted: Int
  /// The connected devices; none if they are hidden from this program.
  package var devices: [String]
  /// Whether the broker names the devices to this program, so that no name means no device.
  package var showsDevices: Bool
  /// Problems that keep the broker from working fully.
  package var problems: [String]
  /// The whole, as the broker reports it.
  package let json: JSON
}

extension BrokerStatus {
  init(reply answer: Parameters) throws(ParameterError) {
    version = try answer.text("version")
    seat = try Seat(try answer.required("session", try answer.object("session")))
    clients = try answer.objects("clients", Client.init(reply:))
    hotkeys = try answer.objects("hotkeys", Hotkey.init(reply:))
    omitted = try answer.integer("omitted").flatMap(Int.init(exactly:)) ?? 0
    let names = try answer.strings("devices")
    devices = names ?? []
    showsDevices = names != nil
    problems = try answer.strings("problems") ?? []
    json = answer.json
  }
}

extension BrokerStatus.Seat {
  fileprivate init(_ session: Parameters) throws(ParameterError) {
    state = try session.text("state")
    user = try session.uid("user")
    name = try session.string("name")
    secureInput = try session.objects("secureInput") { (each) throws(ParameterError) in
      BrokerStatus.SecureInput(
        holder: try each.text("holder"), remaining: try each.number("remaining"))
    }
  }
}

extension BrokerStatus.Client {
  fileprivate init(reply client: Parameters) throws(ParameterError) {
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
  fileprivate init(reply hotkey: Parameters) throws(ParameterError) {
    self.hotkey = try hotkey.text("hotkey")
    mode = try hotkey.string("mode")
    holder = try hotkey.text("holder")
    uid = try hotkey.required("uid", try hotkey.uid("uid"))
  }
}
