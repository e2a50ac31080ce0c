// By way of JSON, which takes a third of the code that the compiler would write.
extension Device: Codable {
  /// Reads a device; what is missing, except the name, is empty.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the member that is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(SchemaError) {
      self = try Device(SchemaMembers(json))
    } catch {
      throw DecodingError.invalid(error.problem, member: error.member, at: decoder)
    }
  }

  /// Writes a device: keys by name, axes and properties by the kernel's codes, all in order.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  private var json: JSON {
    [
      "id": Self.number(id.rawValue), "name": .string(name),
      "identifier": [
        "bus": Self.number(identifier.bus), "vendor": Self.number(identifier.vendor),
        "product": Self.number(identifier.product), "version": Self.number(identifier.version),
      ],
      "axes": .array(axes.sorted { $0.key < $1.key }.map { Self.json($0.key, $0.value) }),
      "keys": .array(keys.sorted().map { .string($0.name) }),
      "relativeAxes": .array(relativeAxes.sorted().map(Self.number)),
      "properties": .array(properties.sorted().map { Self.number($0.rawValue) }),
    ]
  }

  private static func number(_ value: some BinaryInteger) -> JSON { .integer(Int64(value)) }

  private static func json(_ axis: AbsoluteAxis, _ range: AxisRange) -> JSON {
    [
      "code": number(axis.rawValue), "minimum": number(range.minimum),
      "maximum": number(range.maximum), "fuzz": number(range.fuzz), "flat": number(range.flat),
      "resolution": number(range.resolution),
    ]
  }

  private init(_ members: SchemaMembers) throws(SchemaError) {
    self.init(name: try members.string("name"))
    if members.has("id") { id = DeviceID(rawValue: try members.integer("id")) }
    if let value = members.object["identifier"] {
      let parts = try SchemaMembers(value)
      identifier = Identifier(
        bus: try parts.integer("bus"), vendor: try parts.integer("vendor"),
        product: try parts.integer("product"), version: try parts.integer("version"))
    }
    for value in try members.elements("axes") {
      let parts = try SchemaMembers(value)
      axes[AbsoluteAxis(rawValue: try parts.integer("code"))] = AxisRange(
        minimum: try parts.integer("minimum"), maximum: try parts.integer("maximum"),
        fuzz: try parts.integer("fuzz"), flat: try parts.integer("flat"),
        resolution: try parts.integer("resolution"))
    }
    for name in try members.words("keys") {
      guard let key = Key(schemaName: name) else {
        throw SchemaError("keys", "there is no such key")
      }
      keys.insert(key)
    }
    relativeAxes = Set(try members.codes("relativeAxes"))
    properties = Set(try members.codes("properties").map { DeviceProperty(rawValue: $0) })
  }
}

extension SchemaMembers {
  /// The elements of an array; none if it is missing.
  fileprivate func elements(_ member: String) throws(SchemaError) -> [JSON] {
    has(member) ? try array(member) : []
  }

  /// Codes of the kernel; none if they are missing.
  fileprivate func codes(_ member: String) throws(SchemaError) -> [UInt16] {
    var codes: [UInt16] = []
    for element in try elements(member) {
      guard let code = element.integer.flatMap({ UInt16(exactly: $0) }) else {
        throw SchemaError(member, "codes must stand here")
      }
      codes.append(code)
    }
    return codes
  }
}
