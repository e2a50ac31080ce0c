import GlissConfiguration

/// An element of an XML document, with its place.
struct XMLElement {
  struct Attribute {
    var name: String
    var value: String
    var place: Place
  }

  var name: String
  var place: Place
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The text between its tags, without that of its children.
  var text = ""

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The text of the last child with that name, without surrounding blanks.
  func value(_ name: String) -> String? { children.last { $0.name == name }?.text.trimmed }
}
