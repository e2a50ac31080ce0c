/// Why a hotkey was not taken.
public enum HotkeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is no hotkey.
  case syntax(HotkeyMistake)
  /// Another hotkey is in the way of `hotkey`: the same keys, or one is how the other begins.
  case taken(Hotkey, by: HotkeyTable.Entry)
  /// Its keys cannot be kept from the rest of the desktop (``Hotkey/isConsumable``).
  case notConsumable(Hotkey)

  public var description: String {
    switch self {
    case .syntax(let mistake): mistake.description
    case .taken(let hotkey, let holder):
      holder.hotkey == hotkey
        ? "\(hotkey) is taken by \(holder.owner)"
        : "\(hotkey) is taken: \(holder.owner) has \(holder.hotkey)"
    case .notConsumable(let hotkey):
      "\(hotkey) cannot be consumed: only keys that are no modifiers can, neither taps nor buttons nor wheels"
    }
  }
}

/// Where a text stops being a hotkey, and why.
public struct HotkeyMistake: Hashable, Sendable, CustomStringConvertible {
  public enum Problem: Hashable, Sendable {
    /// There is no text, or more than ``Hotkey/longestText`` characters.
    case empty, tooLong
    /// More chords than ``Hotkey/longestSequence``.
    case tooManySteps
    /// A key must stand here.
    case keyExpected
    /// `+` or `;` must stand between two keys.
    case separatorExpected
    /// A quote needs one printable character and another quote.
    case characterExpected
    /// A key's number from 0 to 65535 must stand here, or a character's in hex.
    case numberExpected
    /// A word that is no key and no modifier.
    case unknownKey, unknownModifier
    /// Before the colon stands what is neither `press`, `release`, `repeat`, `tap`, `code` nor `char`.
    case unknownPrefix
    /// A key that is held with another one and is no modifier.
    case notAModifier
    /// The same modifier twice.
    case repeatedModifier
    /// A modifier stands where a key must.
    case modifierAlone
    /// A modifier with which layouts choose the character that is asked for.
    case modifierOfLayout
    /// After `tap:` must stand one modifier and nothing else.
    case tapNeedsModifier
  }

  /// What was parsed.
  public var text: String
  /// Where the mistake is, in characters from the beginning.
  public var offset: Int
  /// How many characters are wrong; one past the end where something is missing there.
  public var length: Int
  public var problem: Problem
  /// Up to three words that may have been meant.
  public var similar: [String]

  /// The words that are wrong; short, and without what a terminal would obey.
  private var excerpt: String {
    let piece = text.dropFirst(offset).prefix(min(length, 32))
    return String(piece.map { $0.isPrintable ? $0 : "\u{fffd}" })
  }

  /// The text, and below it a mark under what is wrong.
  public var picture: String {
    let line = String(text.prefix(Hotkey.longestText).map { $0.isPrintable ? $0 : "\u{fffd}" })
    return line + "\n" + String(repeating: " ", count: offset)
      + String(repeating: "^", count: max(1, min(length, Hotkey.longestText - offset)))
  }

  public var description: String {
    "character \(offset + 1): \(sentenceWithAdvice)"
  }

  /// What is wrong and what may have been meant, without the place.
  public var sentenceWithAdvice: String {
    let advice = similar.isEmpty ? "" : "; did you mean \(similar.joined(separator: " or "))?"
    return sentence + advice
  }

  private var sentence: String {
    switch problem {
    case .empty: "a hotkey has at least one key, as in super+t"
    case .tooLong: "a hotkey has at most \(Hotkey.longestText) characters"
    case .tooManySteps: "a sequence has at most \(Hotkey.longestSequence) chords"
    case .keyExpected: "a key is missing here"
    case .separatorExpected: "“+” or “;” is missing before “\(excerpt)”"
    case .characterExpected: "a quote needs one character and another quote, as in 'ö'"
    case .numberExpected:
      "a number must stand here: a key's from 0 to 65535, or a character's in hex"
    case .unknownKey where length == 1:
      "there is no key “\(excerpt)”; '\(excerpt)' is the key where the layout has it"
    case .unknownKey: "there is no key “\(excerpt)”"
    case .unknownModifier: "there is no modifier “\(excerpt)”"
    case .unknownPrefix: "“\(excerpt)” does not stand before a hotkey"
    case .notAModifier: "“\(excerpt)” is no modifier; only the last key of a chord is none"
    case .repeatedModifier: "“\(excerpt)” repeats a modifier"
    case .modifierAlone: "“\(excerpt)” needs a key with it; alone it is tap:\(excerpt)"
    case .modifierOfLayout: "leave out “\(excerpt)”: the layout uses it to choose the character"
    case .tapNeedsModifier: "only one modifier can be tapped, as in tap:super"
    }
  }
}

extension Character {
  /// Shows as itself and moves on by itself.
  var isPrintable: Bool {
    unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        false
      case _: true
      }
    }
  }
}
