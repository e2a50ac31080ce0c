import GlissEvents
import GlissYaml

/// The keys of `application`.
enum ApplicationTable {
  static let table = Table<ApplicationMatch>(
    name: "an application",
    fields: [
      Field("only", .oneOrMore(name), \.only, "Only these applications."),
      Field("not", .oneOrMore(name), \.not, "All but these."),
      Field(
        "title", .oneOrMore(.text("a window's title", "\"YouTube*\"").filled), \.titles,
        "Only windows with one of these titles."),
      Field(
        "window", .choice("a window", FollowedWindow.allCases.map { ($0.rawValue, $0) }), \.window,
        "Which window must match (docs/focus.md).", standard: "`focused`"),
    ])

  static let name = Form.text("an application's name", "firefox", "\"org.gnome.*\"").filled
}

extension Form where Value == ApplicationMatch {
  /// A name, a list of names, or a mapping.
  static let application: Form = {
    let names = Form<[String]>.oneOrMore(ApplicationTable.name)
    let mapping = Form.table(
      ApplicationTable.table, definition: "application", start: ApplicationMatch()
    ) { match, given, reader in
      if given.pairs.isEmpty, !given.hasUnknown {
        reader.report(
          "this matches every application: leave it out, or give it a name, as in application: firefox",
          at: given.node)
      }
      return match
    }
    let words = FormWords(
      "an application's name, a list of them, or a mapping (only, not, title and window)",
      examples: ["firefox", "[firefox, chromium]", "{not: [gimp, krita]}"])
    return Form(words, schema: ["anyOf": [names.schema(), mapping.schema()]]) { node, reader in
      reader.yaml.isMapping(node)
        ? mapping.read(node, &reader) : names.read(node, &reader).map { ApplicationMatch(only: $0) }
    }
  }()
}
