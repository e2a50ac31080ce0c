import GlissConfiguration
import GlissYaml

/// The settings of fusuma's plugins. The only supported one selects devices.
extension FusumaReading {
  /// Reads the entries below `plugin:`.
  mutating func plugins(
    _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    var key = entry.key
    var value = entry.value
    var path: [(key: YamlNode, value: YamlNode)] = []
    for name in ["filters", "libinput_device_filter", "keep_device_names"] {
      guard let next = document.pairs(of: value).last(where: { document.text($0.key) == name })
      else { break }
      path.append(next)
      (key, value) = next
    }
    let names = path.count == 3 ? texts(value, document) : []
    if !names.isEmpty { keep(names, key, value, document, &file) }
    // whether the names are the only entry at each level on the path to them
    let isAlone = ([entry.value] + path.dropLast().map(\.value)).allSatisfy {
      document.pairs(of: $0).count == 1
    }
    if !names.isEmpty, isAlone { return }
    let rest = names.isEmpty ? "there are no plugins" : "of other plugins there are none"
    file.lose(
      "plugin", "\(rest); 'gliss thresholds' lists what can be set",
      at: place(entry.key, document))
  }

  private func texts(_ node: YamlNode, _ document: YamlDocument) -> [String] {
    let items = document.items(of: node).compactMap { document.text($0) }
    return (items + [document.text(node)].compactMap { $0 }).map(\.trimmed).filter { !$0.isEmpty }
  }

  /// Selects devices whose name contains the given one. Fusuma's names are regular expressions;
  /// only a single plain one is supported.
  private mutating func keep(
    _ names: [String], _ key: YamlNode, _ value: YamlNode, _ document: YamlDocument,
    _ file: inout ImportedFile
  ) {
    let signs = "\\^$|?*+()[]{}"
    guard let name = names.first, names.count == 1, !name.contains(where: { signs.contains($0) })
    else {
      file.lose(
        "keep_device_names \(names.joined(separator: ", "))",
        names.count == 1
          ? "regular expressions are not known here, so every touchpad counts; device: takes a name in which * stands for anything"
          : "device: takes one name, so every touchpad counts; a rule for each device can say which",
        at: place(key, document))
      return
    }
    device = DeviceMatch(name: "*\(name)*", kind: .touchpad)
    deviceLines = Set([key, document.items(of: value).first ?? value].map { line($0, document) })
      .sorted()
  }
}
