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
  /// What stands between its tags, but for what stands in its children.
  var text = ""

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The text of the last child of that name, without blanks around it.
  func value(_ name: String) -> String? { children.last { $0.name == name }?.text.trimmed }
}
