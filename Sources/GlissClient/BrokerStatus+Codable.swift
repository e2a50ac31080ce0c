package import GlissEvents
import GlissGate

// The JSON of org.gliss.Broker, which `gliss status` prints too.

extension BrokerStatus: Codable {
  /// Reads a status as the broker reports it.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the member that is missing or invalid.
  package init(from decoder: any Decoder) throws {
    let answer = Parameters(try JSON(from: decoder))
    do throws(ParameterError) {
      self = try BrokerStatus(answer)
    } catch {
      throw DecodingError.invalid(error.message, member: error.parameter, at: decoder)
    }
  }

  /// Writes the status as the broker reports it.
  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension BrokerStatus {
  /// As the broker reports it.
  package var json: JSON {
    .members([
      "version": .string(version), "session": seat.json,
      "clients": .array(clients.map(\.json)), "hotkeys": .array(hotkeys.map(\.json)),
      "omitted": omitted > 0 ? .integer(Int64(omitted)) : nil,
      "devices": .strings(devices), "problems": .strings(problems),
    ])
  }
}

extension BrokerStatus.Seat {
  fileprivate var json: JSON {
    .members([
      "state": .string(state), "user": user.map { .integer(Int64($0)) },
      "name": name.map(JSON.string),
      "secureInput": secureInput.isEmpty ? nil : .array(secureInput.map(\.json)),
    ])
  }
}

extension BrokerStatus.SecureInput {
  fileprivate var json: JSON {
    ["holder": .string(holder), "uid": .integer(Int64(uid)), "remaining": .decimal(remaining)]
  }
}

extension BrokerStatus.Client {
  fileprivate var json: JSON {
    [
      "pid": .integer(Int64(pid)), "uid": .integer(Int64(uid)), "name": .string(name),
      "since": .decimal(since), "doing": .string(doing),
      "granted": .array(
        granted.map {
          ["scope": $0.scope.json, "availability": .string($0.availability.rawValue)]
        }),
      "delivered": delivered.map { .integer($0) } ?? .null,
      "lost": lost.map { .integer($0) } ?? .null,
    ]
  }
}

extension BrokerStatus.Hotkey {
  fileprivate var json: JSON {
    .members([
      "hotkey": .string(hotkey), "mode": mode.map(JSON.string), "holder": .string(holder),
      "uid": .integer(Int64(uid)),
    ])
  }
}

// MARK: Descriptions

extension BrokerStatus: CustomStringConvertible {
  /// One line: `version 0.1.0; the seat is active; 2 programs, 3 hotkeys, 1 device`.
  package var description: String {
    let counts = [
      Self.count(clients.count, "program"), Self.count(hotkeys.count, "hotkey"),
      Self.count(devices.count, "device"),
    ]
    return (["version \(version)", "\(seat)", counts.joined(separator: ", ")] + problems)
      .joined(separator: "; ")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension BrokerStatus.Seat: CustomStringConvertible {
  /// The state in words, and the holder of secure input if there is one: `the seat is active`.
  package var description: String {
    (["the seat is \(state)"] + secureInput.map { "\($0)" }).joined(separator: "; ")
  }
}

extension BrokerStatus.SecureInput: CustomStringConvertible {
  /// The program and the time: `/usr/bin/foo holds secure input for 12.5 s at most`.
  package var description: String {
    "\(holder) holds secure input for \(EventInterval.seconds(remaining)) at most"
  }
}

extension BrokerStatus.Client: CustomStringConvertible {
  /// The program, what it does and what it is shown: `/usr/bin/foo (process 12): events; gesture, whenUnlocked`.
  package var description: String {
    (["\(name) (process \(pid)): \(doing)"] + granted.map { "\($0)" }).joined(separator: "; ")
  }
}

extension BrokerStatus.Hotkey: CustomStringConvertible {
  /// The hotkey, its mode and its program: `super+t in mode resize, of /usr/bin/foo`.
  package var description: String {
    hotkey + (mode.map { " in mode \($0)," } ?? "") + " of \(holder)"
  }
}
