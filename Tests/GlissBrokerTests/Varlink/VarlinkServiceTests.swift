import GlissEvents
import Testing

@testable import GlissBroker

@Suite struct VarlinkServiceTests {
  private func answer(_ name: String, _ parameters: JSON = [:]) throws -> VarlinkReply? {
    let text = VarlinkReply.result(parameters, continues: false).json.encoded
    let json = try JSON(parsing: text)["parameters"] ?? .null
    let dot = try #require(name.lastIndex(of: "."))
    return VarlinkService.broker.answer(
      VarlinkCall(
        interface: String(name[..<dot]), method: String(name[name.index(after: dot)...]),
        parameters: json))
  }

  private func text(of interface: String) throws -> String? {
    let reply = try answer(
      "org.varlink.service.GetInterfaceDescription", ["interface": .string(interface)])
    guard case .result(let result, continues: false) = reply else { return nil }
    return result["description"]?.string
  }

  @Test func theServiceDescribesItself() throws {
    guard
      case .result(let information, continues: false) = try answer("org.varlink.service.GetInfo")
    else { return #expect(Bool(false)) }
    #expect(
      information["interfaces"]?.strings
        == ["org.varlink.service", "org.gliss.Broker", "org.gliss.Grants"])
    for name in ["vendor", "product", "version", "url"] {
      #expect(information[name]?.string != nil)
    }
  }

  @Test(arguments: ["org.varlink.service", "org.gliss.Broker", "org.gliss.Grants"])
  func theInterfaceIsDescribedInASCII(interface: String) throws {
    let text = try #require(try text(of: interface))
    #expect(text.contains("interface \(interface)\n"))
    // not every parser of interfaces accepts more
    #expect(text.utf8.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) })
  }

  @Test(arguments: ["org.varlink.service", "org.gliss.Broker", "org.gliss.Grants"])
  func theInterfacesCanBeReadLineByLine(_ interface: String) throws {
    let text = try #require(try text(of: interface))
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("method ") }
    let read = VarlinkService.Interface(interface, text).methods
    #expect(lines.count == read.count && !read.isEmpty)
    for line in lines {
      let declared = try #require(line.firstMatch(of: /^method (\w+)\(([^()]*)\) ->/), "\(line)")
      #expect(read[declared.1]?.count == declared.2.count { $0 == ":" }, "\(line)")
    }
  }

  /// A misspelt filter must not match everything.
  @Test func unknownParametersAreRefused() throws {
    for (name, parameters, place) in [
      ("Grants.Revoke", ["queri": [:], "all": true], "queri"),
      ("Broker.RegisterHotkey", ["hotkey": "super+t", "Mode": "x"], "Mode"),
      ("Broker.Status", ["x": 1], "x"),
    ] as [(String, JSON, String)] {
      guard case .error(let error, let details)? = try answer("org.gliss.\(name)", parameters)
      else {
        Issue.record("\(name) is accepted")
        continue
      }
      #expect(error == "org.varlink.service.InvalidParameter")
      #expect(details["parameter"]?.string == place)
    }
    let known: JSON = ["query": [:], "availability": "always", "reason": .null]
    #expect(try answer("org.gliss.Grants.Update", known) == nil)
  }

  @Test func methodsOfTheInterfaceAreLeftToTheBroker() throws {
    for name in ["Broker.Preflight", "Broker.Monitor", "Broker.AssertSecureInput", "Grants.List"] {
      #expect(try answer("org.gliss.\(name)") == nil)
    }
  }

  @Test(
    arguments: [
      ("org.gliss.Broker.Monitors", "MethodNotFound", "method", "org.gliss.Broker.Monitors"),
      ("org.gliss.Broker.Scope", "MethodNotFound", "method", "org.gliss.Broker.Scope"),
      ("org.varlink.service.Get", "MethodNotFound", "method", "org.varlink.service.Get"),
      ("org.gliss.Agent.Run", "InterfaceNotFound", "interface", "org.gliss.Agent"),
    ])
  func unknownMethodsGetVarlinksErrors(
    call: String, error: String, name: String, value: String
  ) throws {
    #expect(
      try answer(call)
        == .error("org.varlink.service.\(error)", .object([.init(name, .string(value))])))
  }

  @Test(arguments: [([:], "is missing"), (["interface": 1], "must be a string")] as [(JSON, JSON)])
  func aCallWithoutAnInterfaceIsToldWhy(_ parameters: JSON, _ message: JSON) throws {
    #expect(
      try answer("org.varlink.service.GetInterfaceDescription", parameters)
        == .error(
          "org.varlink.service.InvalidParameter",
          ["parameter": "interface", "message": message]))
    let text = try #require(try text(of: "org.varlink.service"))
    #expect(text.contains("error InvalidParameter (parameter: string, message: string)\n"))
  }

  @Test func anUnknownInterfaceHasNoText() throws {
    #expect(
      try answer("org.varlink.service.GetInterfaceDescription", ["interface": "org.gliss.No"])
        == .error("org.varlink.service.InterfaceNotFound", ["interface": "org.gliss.No"]))
  }
}
