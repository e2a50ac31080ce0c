import GlissEvents

extension Table {
  /// The mapping as JSON Schema.
  var schema: JSON {
    let properties = fields.map { JSON.Member($0.name, $0.describedSchema) }
    var members: [JSON.Member] = [
      .init("type", "object"), .init("additionalProperties", false),
      .init("properties", .object(properties)),
    ]
    let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    return .object(members)
  }
}

extension Field {
  /// The schema with a description, which editors show beside the key.
  fileprivate var describedSchema: JSON {
    let standard = self.standard.map { " Without it: \($0)." } ?? ""
    let description = JSON.Member("description", .string(summary + standard))
    return .object([description] + (schema().object ?? []))
  }
}
