import GlissEvents
import GlissGate
import GlissHotkeys
import Testing

@testable import GlissBroker
@testable import GlissClient

/// The broker's errors, as a client reads them.
@Suite struct ClientErrorTests {
  @Test func aRefusalHasItsAdviceOnce() throws {
    let fault = GateError(
      .store, "/var/lib/gliss/grants.db", "has version 9, and this program knows 3",
      advice: "use the newer Gliss that wrote it")
    guard case .error(let name, let parameters) = fault.reply else {
      Issue.record("it is no error")
      return
    }
    #expect(ClientError(named: name, parameters).description == fault.description)
    #expect(fault.description.split(separator: "newer Gliss").count == 2)
  }

  @Test func aProgramIsToldOfItsOwnHotkey() throws {
    let hotkey = try Hotkey("super+t")
    let reply = VarlinkReply.hotkeyTaken(
      hotkey, parameter: "hotkeys[1].hotkey", holder: "this program",
      conflict: try Hotkey("lsuper+t"))
    guard case .error(let name, let parameters) = reply else {
      Issue.record("it is no error")
      return
    }
    #expect(parameters["parameter"]?.string == "hotkeys[1].hotkey")
    #expect(parameters["conflict"]?.string == "lsuper+t")
    #expect(
      ClientError(named: name, parameters).description
        == "super+t conflicts with lsuper+t (this program); choose another one")
    #expect(
      ClientError.hotkeyTaken("super+t", holder: "this program", conflict: "super+t").description
        == "super+t: this program has it already")
  }

  @Test(arguments: [("super+\r\nno", 8, 2), ("supe\u{301}r+t", 0, 6), ("super+", 6, 1)])
  func aMistakeIsCountedInScalars(_ text: String, _ offset: Int, _ length: Int) throws {
    let error = #expect(throws: HotkeyError.self) { try Hotkey(text) }
    guard case .syntax(let mistake)? = error,
      case .error(_, let parameters) = VarlinkReply.invalidHotkey(mistake, parameter: "hotkey")
    else {
      Issue.record("it is no mistake")
      return
    }
    #expect(parameters["offset"]?.integer == Int64(offset))
    #expect(parameters["length"]?.integer == Int64(length))
  }

  @Test func anInvalidTermHasItsAdvice() throws {
    let fault = GateError(.syntax, "terms.expiry", "is in the past", advice: "name a later time")
    guard case .error(let name, let parameters) = fault.reply else {
      Issue.record("it is no error")
      return
    }
    #expect(name == "org.gliss.Grants.Invalid")
    #expect(parameters["parameter"] == "terms.expiry")
    #expect(parameters["message"] == "is in the past; name a later time")
  }

  /// All that the interface files declare.
  @Test func everyErrorOfTheInterfacesHasACase() throws {
    let texts = [
      PackageResources.org_gliss_Broker_varlink, PackageResources.org_gliss_Grants_varlink,
    ].map { String(decoding: $0, as: UTF8.self) }
    var count = 0
    for text in texts {
      let lines = text.split(separator: "\n").map(String.init)
      let interface = try #require(lines.first { $0.hasPrefix("interface ") }).dropFirst(10)
      for line in lines where line.hasPrefix("error ") {
        let name = line.dropFirst(6).prefix { $0 != " " && $0 != "(" }
        count += 1
        if case .other = ClientError(named: "\(interface).\(name)", [:]) {
          Issue.record("\(interface).\(name) has no case")
        }
      }
    }
    #expect(count >= 17)
  }
}
