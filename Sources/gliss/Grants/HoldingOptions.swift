import ArgumentParser
import Gliss

/// When a grant applies, and how long.
struct HoldingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long it holds: once, session, never, a length such as 30m, 8h or 7d, or a date.",
      valueName: "when"),
    completion: .list(["once", "session", "never", "8h"]), transform: GrantWords.expiry)
  var expires: ExpiryArgument?

  @Option(
    help: ArgumentHelp(
      "When it holds: whenUnlocked, afterFirstUnlock or always.", valueName: "when"),
    completion: .list(GrantWords.availabilities), transform: GrantWords.availability)
  var availability: Availability?

  /// - Parameter user: The user whose session `session` means.
  /// - Throws: If the time has passed, or if the broker must be asked and does not reply.
  func expiry(of user: UInt32, from broker: BrokerOptions) throws -> Expiry? {
    try expires?.expiry(at: CalendarTime.now) {
      let status = try broker.ask { (connection) throws(ClientError) in try connection.status() }
      return status.seat.user == user ? status.seat.name : nil
    }
  }
}
