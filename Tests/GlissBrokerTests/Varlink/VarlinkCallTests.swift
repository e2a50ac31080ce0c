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
      ("[]", "it must be an object"), ("7", "it must be an object"), ("{}", "method is missing"),
      (#"{"method":null}"#, "method is missing"), (#"{"method":"a."}"#, "method is missing"),
      (#"{"method":7}"#, "method must be a string"),
      (
        #"{"method":""}"#,
        "method must begin with its interface, as in org.gliss.Broker.Status"
      ),
      (
        #"{"method":"Status"}"#,
        "method must begin with its interface, as in org.gliss.Broker.Status"
      ),
      (
        #"{"method":".Status"}"#,
        "method must begin with its interface, as in org.gliss.Broker.Status"
      ),
      (#"{"method":"a.B","parameters":[]}"#, "parameters must be an object"),
      (#"{"method":"a.B","parameters":"x"}"#, "parameters must be an object"),
      (#"{"method":"a.B","more":1}"#, "more must be true or false"),
      (#"{"method":"a.B","more":"true"}"#, "more must be true or false"),
      (#"{"method":"a.B","oneway":0}"#, "oneway must be true or false"),
      (#"{"method":"a.B","upgrade":true}"#, "upgrade is not possible here"),
      (#"{"method":"a.B","upgrade":1}"#, "upgrade must be true or false"),
      (#"{"method":"a.B","oneway":true,"more":true}"#, "more and oneway exclude each other"),
    ])
  func anInvalidCallIsRefused(text: String, reason: String) {
    #expect(throws: VarlinkError.notACall(reason)) { try parse(text) }
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
