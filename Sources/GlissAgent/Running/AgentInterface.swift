import GlissConfiguration
import GlissEvents

/// The interface of the agent's socket (`org.gliss.Agent`).
enum AgentInterface {
  static let name = "org.gliss.Agent"
  static var text: String {
    String(decoding: PackageResources.org_gliss_Agent_varlink, as: UTF8.self)
  }

  static func reloaded(_ isTaken: Bool, _ rules: LoadedRules) -> JSON {
    let mistakes = isTaken ? rules.warnings : rules.mistakes
    return [
      "taken": .bool(isTaken), "rules": .integer(Int64(rules.configuration.rules.count)),
      "mistakes": .array(mistakes.map(JSON.string)),
    ]
  }
}
