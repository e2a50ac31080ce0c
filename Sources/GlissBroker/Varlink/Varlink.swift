package import GlissClient
package import GlissEvents
import GlissGate

package struct VarlinkCall: Hashable, Sendable {
  /// The interface, in reverse-domain form.
  package var interface: String
  package var method: String
  /// An object; empty if the client sent none.
  package var parameters: JSON
  package var wantsMore = false
  package var isOneway = false
}

extension VarlinkCall {
  /// Parses `message`, which has no NUL. Members beside the parameters that this version does not
  /// know are ignored, because a later version may send them.
  package init(parsing message: [UInt8], limits: JSON.Limits = JSON.Limits()) throws(VarlinkError) {
    let json: JSON
    do {
      json = try JSON(parsing: message, limits: limits)
    } catch {
      throw .notJSON(error)
    }
    guard let members = json.object else { throw .notACall("it must be an object") }
    var call = VarlinkCall(interface: "", method: "", parameters: [:])
    for member in members { try call.take(member) }
    guard !call.method.isEmpty else { throw .notACall("method is missing") }
    guard !(call.wantsMore && call.isOneway) else {
      throw .notACall("more and oneway exclude each other")
    }
    self = call
  }

  /// A member that is null counts as absent.
  private mutating func take(_ member: JSON.Member) throws(VarlinkError) {
    switch (member.name, member.value) {
    case ("method", .string(let name)):
      // by bytes: searched from the end, Swift would examine a run of flags again for each flag
      guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
        throw .notACall("method must begin with its interface, as in org.gliss.Broker.Status")
      }
      interface = String(name[..<dot])
      method = String(name[name.utf8.index(after: dot)...])
    case ("parameters", .object): parameters = member.value
    case ("more", .bool(let value)): wantsMore = value
    case ("oneway", .bool(let value)): isOneway = value
    // this socket speaks no other protocol
    case ("upgrade", .bool(false)): break
    case (_, .null): break
    case ("method", _): throw .notACall("method must be a string")
    case ("parameters", _): throw .notACall("parameters must be an object")
    case ("upgrade", .bool): throw .notACall("upgrade is not possible here")
    case ("more", _), ("oneway", _), ("upgrade", _):
      throw .notACall("\(member.name) must be true or false")
    case _: break
    }
  }
}

extension VarlinkError {
  var reply: VarlinkReply {
    switch self {
    case .tooLong(let limit):
      .limitReached("bytes in a message", maximum: limit, advice: "send shorter messages")
    case .notJSON(let error):
      .error(
        "org.gliss.Broker.InvalidMessage",
        ["offset": .integer(Int64(error.offset)), "message": .string(description)])
    case .notACall, .foreign:
      .error("org.gliss.Broker.InvalidMessage", ["message": .string(description)])
    }
  }
}

enum VarlinkReply: Hashable, Sendable {
  case result(JSON, continues: Bool)
  case error(String, JSON)

  var continues: Bool {
    if case .result(_, let continues) = self { continues } else { false }
  }

  var json: JSON {
    switch self {
    case .result(let parameters, let continues):
      .members(["parameters": parameters, "continues": continues ? .bool(true) : nil])
    case .error(let name, let parameters): ["error": .string(name), "parameters": parameters]
    }
  }
}

/// Answers what every Varlink service says about itself: `org.varlink.service`.
struct VarlinkService {
  struct Interface {
    var name: String
    var text: String
    /// By method: the names of its parameters.
    var methods: [Substring: [String]] = [:]

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
      // in our interface files a method's parameters are on one line, as in
      // method Monitor(scope: Scope) -> (…)
      for line in text.split(separator: "\n") {
        let parts = line.split(maxSplits: 2, omittingEmptySubsequences: false) { "()".contains($0) }
        guard parts.count == 3, parts[0].hasPrefix("method ") else { continue }
        methods[parts[0].dropFirst("method ".count)] = parts[1].split(separator: ",").map {
          String($0.prefix { $0 != ":" }.drop { $0 == " " })
        }
      }
    }
  }

  private static let name = "org.varlink.service"

  private let product: String
  private let interfaces: [Interface]

  /// Serves `interfaces` in the name of `product`, and the interface that every service has.
  init(_ product: String, _ interfaces: [Interface]) {
    self.product = product
    self.interfaces = [Interface(Self.name, Self.text)] + interfaces
  }

  static let broker = VarlinkService(
    "glissd",
    [
      Interface(
        "org.gliss.Broker",
        String(decoding: PackageResources.org_gliss_Broker_varlink, as: UTF8.self)),
      Interface(
        "org.gliss.Grants",
        String(decoding: PackageResources.org_gliss_Grants_varlink, as: UTF8.self)),
    ])

  /// The answer to `call` if the interface's own code is not needed for it; otherwise `nil`.
  func answer(_ call: VarlinkCall) -> VarlinkReply? {
    do throws(GateError) { return try reply(to: call) } catch { return error.reply }
  }

  private func reply(to call: VarlinkCall) throws(GateError) -> VarlinkReply? {
    guard let interface = interfaces.first(where: { $0.name == call.interface }) else {
      return Self.interfaceNotFound(call.interface)
    }
    guard let names = interface.methods[Substring(call.method)] else {
      return Self.methodNotFound(call)
    }
    // a misspelt one would be missing: all grants would match, or a hotkey would act in any mode
    let parameters = Parameters(call.parameters)
    try parameters.allowOnly(names)
    guard call.interface == Self.name else { return nil }
    if call.method == "GetInfo" { return information }
    let name = try parameters.required("interface", try parameters.string("interface"))
    guard let described = interfaces.first(where: { $0.name == name }) else {
      return Self.interfaceNotFound(name)
    }
    return .result(["description": .string(described.text)], continues: false)
  }

  private var information: VarlinkReply {
    .result(
      [
        "vendor": "Gliss", "product": .string(product), "version": .string(Release.version),
        "url": "",
        "interfaces": .array(interfaces.map { .string($0.name) }),
      ], continues: false)
  }
}

extension VarlinkService {
  static func interfaceNotFound(_ interface: String) -> VarlinkReply {
    .error("\(name).InterfaceNotFound", ["interface": .string(interface)])
  }

  static func methodNotFound(_ call: VarlinkCall) -> VarlinkReply {
    .error("\(name).MethodNotFound", ["method": .string("\(call.interface).\(call.method)")])
  }

  /// The method sends several answers, and only to callers that say they expect them.
  static let expectedMore = VarlinkReply.error("\(name).ExpectedMore", [:])

  static let permissionDenied = VarlinkReply.error("\(name).PermissionDenied", [:])

  private static let text = """
    # What every Varlink service answers about itself.
    interface org.varlink.service

    # The server and its interfaces.
    method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)

    # The text of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # No such interface is served.
    error InterfaceNotFound (interface: string)
    # The interface has no such method.
    error MethodNotFound (method: string)
    # The interface has the method; this service does not answer it.
    error MethodNotImplemented (method: string)
    # A parameter is missing, unknown, or not what it must be: message says which.
    error InvalidParameter (parameter: string, message: string)
    # The caller may not do that.
    error PermissionDenied ()
    # The method answers more than once and must be called with "more".
    error ExpectedMore ()

    """
}
