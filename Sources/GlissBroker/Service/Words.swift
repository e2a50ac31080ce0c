import GlissClient
import GlissEvents
import GlissGate

/// The gate's values in answers.
extension JSON {
  init(_ entitlement: Entitlement) {
    self = .members([
      "scope": entitlement.scope.json,
      "availability": .string(entitlement.availability.rawValue),
    ])
  }

  init(_ verdict: Verdict) {
    self = .members([
      "standing": .string(verdict.standing.rawValue),
      "granted": .array(verdict.entitlements.map { JSON($0) }),
      "until": verdict.until.map { .integer($0.seconds) },
      "advice": verdict.advice.map(JSON.string),
      "mayRequest": verdict.mayRequest ? .bool(true) : nil,
    ])
  }

  init(_ pending: Gate.Pending) {
    self = .members([
      "number": .integer(pending.number),
      "uid": .integer(Int64(pending.ask.identity.uid)),
      "pid": .integer(Int64(pending.ask.identity.pid)),
      "client": .string(pending.ask.identity.client?.description ?? "unknown"),
      "scope": pending.ask.scope.json,
      "reason": pending.reason.map(JSON.string),
      "since": .integer(pending.since.seconds),
    ])
  }
}
