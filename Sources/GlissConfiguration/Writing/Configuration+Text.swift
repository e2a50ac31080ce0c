extension Configuration {
  /// One file that reads back as the same configuration: settings, limits, devices, and the rules,
  /// gestures first.
  public var text: String {
    var lines: [String] = []
    if let changes = RuleWriter.settings(settings) { lines += changes.lines(key: "settings") }
    if limits != CommandLimits() { lines += limits.written.lines(key: "limits") }
    if !profiles.isEmpty { lines += YamlText.list(profiles.map(\.written)).lines(key: "devices") }
    let sections: [(String, [Rule])] = [
      ("gestures", rules.filter { !$0.isHotkey }), ("hotkeys", rules.filter(\.isHotkey)),
    ]
    for (title, section) in sections where !section.isEmpty {
      lines.append(title + ":")
      lines += section.flatMap(RuleWriter.lines).map { "  " + $0 }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension CommandLimits {
  fileprivate var written: YamlText {
    var entries = Entries()
    entries.add("running", .word("\(running)"))
    entries.add("time", milliseconds.map { .word("\($0) ms") })
    return .map(entries.all)
  }
}

extension DeviceProfile {
  fileprivate var written: YamlText {
    var entries = Entries()
    entries.add("match", match.written)
    entries.add("settings", RuleWriter.settings(settings))
    return .map(entries.all)
  }
}
