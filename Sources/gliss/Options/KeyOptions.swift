import ArgumentParser
import Gliss

/// `--layout` and how keys repeat: what keys mean, where they are printed.
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

  /// Whether any of them was given.
  var areGiven: Bool { layout != nil || repeatDelay != nil || repeatRate != nil }

  /// `nil` for never.
  var keyRepeat: KeyRepeat? {
    if repeatRate == 0 { return nil }
    let standard = KeyRepeat.standard
    return KeyRepeat(
      delay: repeatDelay.map { .milliseconds($0) } ?? standard.delay,
      interval: repeatRate.map { .milliseconds(1000 / $0) } ?? standard.interval)
  }

  /// What keys mean, and in words by which layout. One that nobody typed and xkb does not know is passed over.
  ///
  /// - Throws: for a layout that was typed and does not exist.
  func translator() throws(DeviceError) -> (translator: XkbKeyTranslator, words: String) {
    try Self.translator(layout)
  }

  /// The same for `layout`; `nil` is the machine's own.
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
