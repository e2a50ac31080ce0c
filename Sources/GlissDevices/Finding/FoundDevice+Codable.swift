package import GlissEvents

extension DeviceClasses: Codable {
  /// Reads an array of words such as `touchpad`.
  public init(from decoder: any Decoder) throws {
    self = []
    for word in try [String](from: decoder) {
      guard let found = Self.names.first(where: { $0.name == word }) else {
        throw DecodingError.invalid("there is no such class: “\(word)”", at: decoder)
      }
      formUnion(found.classes)
    }
  }

  /// Writes an array of words such as `touchpad`.
  public func encode(to encoder: any Encoder) throws { try words.encode(to: encoder) }
}

extension DeviceClasses: CustomStringConvertible {
  /// The words: `keyboard, keys`.
  public var description: String { words.joined(separator: ", ") }
}

// By way of JSON, which `gliss devices` prints too.
extension FoundDevice: Codable {
  private enum CodingKeys: String, CodingKey {
    case path, name, classes, seat, bus, vendor, product, version, initialized, own
  }

  /// Reads a device, also from what `gliss devices --format json` prints; only the path is needed.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? {
      try members.decodeIfPresent(String.self, forKey: key)
    }
    func number(_ key: CodingKeys, _ parse: (String) -> UInt16?) throws -> UInt16 {
      guard let text = try text(key) else { return 0 }
      guard let number = parse(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: members, debugDescription: "it is neither known nor hexadecimal")
      }
      return number
    }
    func flag(_ key: CodingKeys) throws -> Bool? {
      try members.decodeIfPresent(Bool.self, forKey: key)
    }
    self.init(
      path: try members.decode(String.self, forKey: .path), name: try text(.name) ?? "",
      identifier: Device.Identifier(
        bus: try number(.bus, Device.Identifier.bus),
        vendor: try number(.vendor) { UInt16($0, radix: 16) },
        product: try number(.product) { UInt16($0, radix: 16) },
        version: try number(.version) { UInt16($0, radix: 16) }),
      seat: try text(.seat) ?? "seat0",
      classes: try members.decodeIfPresent(DeviceClasses.self, forKey: .classes) ?? [],
      isInitialized: try flag(.initialized) ?? true)
    isOwn = try flag(.own) ?? false
  }

  /// Writes the members that `gliss devices --format json` prints, and those that it leaves out.
  public func encode(to encoder: any Encoder) throws {
    let rest: JSON = .members([
      "version": .string(identifier.versionText),
      "initialized": isInitialized ? nil : false, "own": isOwn ? true : nil,
    ])
    try JSON.object(jsonMembers + (rest.object ?? [])).encode(to: encoder)
  }

  /// The members that `gliss devices` begins each device with.
  package var jsonMembers: [JSON.Member] {
    [
      JSON.Member("path", .string(path)), JSON.Member("name", .string(name)),
      JSON.Member("classes", .strings(classes.words)), JSON.Member("seat", .string(seat)),
      JSON.Member("bus", .string(identifier.busName)),
      JSON.Member("vendor", .string(identifier.vendorText)),
      JSON.Member("product", .string(identifier.productText)),
    ]
  }
}
