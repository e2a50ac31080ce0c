import ArgumentParser
import Gliss

/// `--layout` and the key repeat options, for printing keys.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The keyboard layout, such as de, us:intl or us,de; without it the machine's own.",
      valueName: "layout"))
  var layout: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long a key is held before it repeats, in ms; without it 600.", valueName: "ms"))
  var repeatDelay: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How often a held key repeats a second; without it 25, and 0 is never.", valueName: "hz"))
  var repeatRate: Double?

  private static let delays = 50.0...10_000
  private static let rates = 0.2...200

  func validate() throws {
    if let repeatDelay, !Self.delays.contains(repeatDelay) {
      throw ValidationError("--repeat-delay is from 50 to 10000 ms")
    }
    if let repeatRate, repeatRate != 0, !Self.rates.contains(repeatRate) {
      throw ValidationError("--repeat-rate is 0, or from 0.2 to 200 a second")
    }
    do { _ = try layout.map { try KeyboardLayout(parsing: $0) } } catch {
      throw ValidationError("\(error)".printable)
    }
  }

  /// Whether any of these options was given.
  var areGiven: Bool { layout != nil || repeatDelay != nil || repeatRate != nil }

  /// `nil` if keys never repeat.
  var keyRepeat: KeyRepeat? {
    if repeatRate == 0 { return nil }
    let standard = KeyRepeat.standard
    return KeyRepeat(
      delay: repeatDelay.map { .milliseconds($0) } ?? standard.delay,
      interval: repeatRate.map { .milliseconds(1000 / $0) } ?? standard.interval)
  }

  /// The key translator and a description of its layout. If no layout was typed and xkb does not
  /// know the machine's own, xkb's default is used.
  ///
  /// - Throws: If the typed layout does not exist.
  func translator() throws(DeviceError) -> (translator: XkbKeyTranslator, words: String) {
    try Self.translator(layout)
  }

  /// Does the same for `layout`; `nil` means the machine's own.
  static func translator(
    _ layout: String?
  ) throws(DeviceError) -> (translator: XkbKeyTranslator, words: String) {
    let (found, source) = try KeyboardLayout.find(explicit: layout)
    do {
      let translator = try XkbKeyTranslator(found)
      return (translator, "\(translator.groupNames.joined(separator: ", ")), from \(source)")
    } catch {
      if layout != nil { throw error }
      return (try XkbKeyTranslator(KeyboardLayout()), "xkb's default, because of \(error)")
    }
  }
}
