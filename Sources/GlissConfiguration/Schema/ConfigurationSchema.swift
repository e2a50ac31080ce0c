import GlissEvents

/// The file format as JSON Schema, for editors. It is generated from the definitions that read the
/// file.
package enum ConfigurationSchema {
  package static let path = "/usr/share/gliss/gliss.schema.json"

  package static var text: String { schema.lines(indentation: 0) + "\n" }

  static var schema: JSON {
    let head: JSON = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string("file://\(path)"), "title": "gliss.yaml",
      "description": "Gestures and hotkeys, and what they do (docs/configuration.md).",
    ]
    // an empty file counts as an empty mapping
    let file = FileTable.table.schema.object?.map { member in
      member.name == "type" ? JSON.Member("type", ["object", "null"]) : member
    }
    return head.adding(.object(file ?? [])).adding(["$defs": definitions])
  }

  private static var definitions: JSON {
    [
      "gesture": gesture,
      "hotkey": HotkeyRuleTable.table.schema.adding([
        "anyOf": requiring(["do", "release", "hold"])
      ]),
      "actions": Form<[Action]>.oneOrMore(["$ref": "#/$defs/action"]), "action": action,
      "device": DeviceTable.table.schema.adding(["minProperties": 1]),
      "application": ApplicationTable.table.schema.adding(["minProperties": 1]),
      "settings": Form<[SettingChange]>.schemaOfAll,
    ]
  }

  private static func requiring(_ keys: [String]) -> JSON {
    .array(keys.map { ["required": [.string($0)]] })
  }

  /// Exactly one verb, and the keys for commands only with a command.
  private static var action: JSON {
    let needs: JSON = ["anyOf": requiring(["run", "shell"])]
    let dependent = ActionTable.companions.map { JSON.Member($0, needs) }
    return ActionTable.table.schema.adding([
      "oneOf": requiring(ActionTable.verbs), "dependentSchemas": .object(dependent),
    ])
  }

  /// The keys valid for each kind of gesture. At least one of them must have actions.
  private static var gesture: JSON {
    GestureTable.table.schema.adding([
      "anyOf": requiring(GestureTable.acts), "dependentRequired": ["phase": ["do"]],
      "allOf": .array(GestureKind.allCases.map(rules)),
    ])
  }

  private static func rules(of kind: GestureKind) -> JSON {
    var properties = KindRules.only.filter { !$0.kinds.contains(kind) }
      .map { JSON.Member($0.key, false) }
    if !kind.senses.isEmpty {
      let words = kind.senses.map { JSON.string($0.word) }
      properties.append(.init("direction", ["enum": .array(words)]))
    }
    let fingers = Form<ClosedRange<Int>>.integers("", kind.fingerRange)
    properties.append(.init("fingers", fingers.schema()))
    return [
      "if": ["properties": ["gesture": ["const": .string(kind.name)]], "required": ["gesture"]],
      "then": ["properties": .object(properties)],
    ]
  }
}

extension JSON {
  func adding(_ other: JSON) -> JSON { .object((object ?? []) + (other.object ?? [])) }

  /// The value with one line per member. Short values stay on one line.
  func lines(indentation: Int) -> String {
    let line = description
    guard line.utf8.count + indentation > 90 else { return line }
    let parts: [String]
    switch self {
    case .array(let elements): parts = elements.map { $0.lines(indentation: indentation + 2) }
    case .object(let members):
      parts = members.map {
        "\(JSON.string($0.name)): \($0.value.lines(indentation: indentation + 2))"
      }
    case .null, .bool, .integer, .decimal, .microseconds, .string: return line
    }
    let margin = "\n" + String(repeating: " ", count: indentation)
    let inner = parts.map { margin + "  " + $0 }.joined(separator: ",")
    return "\(line.prefix(1))\(inner)\(margin)\(line.suffix(1))"
  }
}

extension Table {
  var schema: JSON {
    let properties = fields.map { JSON.Member($0.name, $0.describedSchema) }
    let members: JSON = [
      "type": "object", "additionalProperties": false, "properties": .object(properties),
    ]
    let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
    return required.isEmpty ? members : members.adding(["required": .array(required)])
  }
}

extension Field {
  /// The schema with a description, which editors show beside the key.
  fileprivate var describedSchema: JSON {
    let standard = self.standard.map { " Without it: \($0)." } ?? ""
    let description: JSON = ["description": .string(summary + standard)]
    return description.adding(schema())
  }
}

package enum ConfigurationExample {
  package static var bytes: [UInt8] { PackageResources.gliss_yaml }
}
