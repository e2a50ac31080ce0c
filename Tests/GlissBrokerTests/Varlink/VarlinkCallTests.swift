import GlissEvents
import Testing

@testable import GlissBroker
@testable import GlissClient

@Suite struct VarlinkCallTests {
  private func parse(_ text: String) throws(VarlinkError) -> VarlinkCall {
    try VarlinkCall(parsing: Array(text.utf8))
  }

  @Test(
    arguments: [
      (
        #"{"method":"org.gliss.Broker.Status"}"#,
        VarlinkCall(interface: "org.gliss.Broker", method: "Status", parameters: [:])
      ),
      (
        #"{"parameters":{"a":[1]},"method":"a.B","more":true}"#,
        VarlinkCall(interface: "a", method: "B", parameters: ["a": [1]], wantsMore: true)
      ),
      (
        #"{"method":"a.b.C","oneway":true,"more":false}"#,
        VarlinkCall(interface: "a.b", method: "C", parameters: [:], isOneway: true)
      ),
      (
        #"{"method":"a.B","parameters":null,"more":null,"oneway":null,"upgrade":null}"#,
        VarlinkCall(interface: "a", method: "B", parameters: [:])
      ),
      (
        #"{"method":"a.B","upgrade":false,"unheard":[{}],"x":1}"#,
        VarlinkCall(interface: "a", method: "B", parameters: [:])
      ),
    ])
  func aCallIsTaken(text: String, call: VarlinkCall) throws {
    #expect(try parse(text) == call)
  }

  @Test(
    arguments: [
      ("[]", "message"), ("7", "message"), ("{}", "method"), (#"{"method":null}"#, "method"),
      (#"{"method":7}"#, "method"), (#"{"method":""}"#, "method"),
      (#"{"method":"Status"}"#, "method"),
      (#"{"method":".Status"}"#, "method"), (#"{"method":"a."}"#, "method"),
      (#"{"method":"a.B","parameters":[]}"#, "parameters"),
      (#"{"method":"a.B","parameters":"x"}"#, "parameters"),
      (#"{"method":"a.B","more":1}"#, "more"), (#"{"method":"a.B","more":"true"}"#, "more"),
      (#"{"method":"a.B","oneway":0}"#, "oneway"), (#"{"method":"a.B","upgrade":true}"#, "upgrade"),
      (#"{"method":"a.B","upgrade":1}"#, "upgrade"),
      (#"{"method":"a.B","oneway":true,"more":true}"#, "oneway"),
    ])
  func anInvalidCallIsRefused(text: String, member: String) {
    #expect(throws: VarlinkError.wrongType(member: member)) { try parse(text) }
  }

  @Test func invalidJSONIsRefusedWithItsPlace() {
    #expect(throws: VarlinkError.notJSON(JSONError(.duplicate, at: 16))) {
      try parse(#"{"method":"a.B","method":"a.C"}"#)
    }
    #expect(throws: VarlinkError.notJSON(JSONError(.ended, at: 0))) { try parse("") }
  }

  @Test(
    arguments: [
      (.result(["a": 1], continues: false), #"{"parameters":{"a":1}}"#),
      (.result([:], continues: true), #"{"parameters":{},"continues":true}"#),
      (.error("a.B", ["c": "d"]), #"{"error":"a.B","parameters":{"c":"d"}}"#),
    ] as [(VarlinkReply, String)])
  func anAnswerIsWritten(reply: VarlinkReply, text: String) {
    #expect(String(decoding: reply.json.encoded, as: UTF8.self) == text)
  }
}
