import Gliss

/// A diagnosis as one JSON object, with one line per finding.
enum DiagnosisObject {
  static func bytes(of diagnosis: Diagnosis) -> [UInt8] {
    var object = JSONObject()
    object.add("ready", diagnosis.isReady)
    object.add("summary", diagnosis.summary)
    object.add("seat", diagnosis.seat)
    object.add("findings", diagnosis.findings.map(Self.object), oneALine: true)
    return object.bytes + [UInt8(ascii: "\n")]
  }

  private static func object(_ finding: Finding) -> JSONObject {
    var object = JSONObject()
    object.add("subject", finding.subject.rawValue)
    object.add("verdict", finding.verdict.rawValue)
    object.add("text", finding.text)
    object.add("path", finding.path)
    object.add("advice", finding.advice.map(Self.object))
    return object
  }

  private static func object(_ advice: Finding.Advice) -> JSONObject {
    var object = JSONObject()
    object.add("text", advice.text)
    object.add("commands", advice.commands)
    return object
  }
}
