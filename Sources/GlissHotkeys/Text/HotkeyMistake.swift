import GlissEvents

/// Why a hotkey was rejected.
public enum HotkeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not a valid hotkey.
  case syntax(HotkeyMistake)
  /// Another hotkey conflicts with `hotkey`: it has the same keys, or one begins with the other.
  case taken(Hotkey, by: RegisteredHotkey)
  /// Its keys cannot be withheld from the rest of the desktop (``Hotkey/isConsumable``).
  case notConsumable(Hotkey)

  public var description: String {
    switch self {
    case .syntax(let mistake): mistake.description
    case .taken(let hotkey, let holder):
      holder.hotkey == hotkey
        ? "\(hotkey) is taken by \(holder.owner)"
        : "\(hotkey) is taken: \(holder.owner) has \(holder.hotkey)"
    case .notConsumable(let hotkey):
      "\(hotkey) cannot be consumed: the desktop always gets modifiers and a bare left button"
    }
  }
}

/// Where the text stops being valid, and why.
public struct HotkeyMistake: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with the text, as `sentence` explains.
  package enum Problem: Hashable, Sendable {
    case empty, tooLong, tooManySteps
    case keyExpected, separatorExpected, characterExpected, numberExpected
    case unknownKey, unknownModifier, unknownPrefix, prefixOfPress
    case notAModifier, keyAmongModifiers, modifierExpected, repeatedModifier, modifierAlone
    case lockAsModifier, modifierOfLayout, shiftWithoutCapital, spaceAsCharacter, capital
    case tapNeedsModifier, decomposed
  }

  /// The parsed text.
  public var text: String
  /// The position of the mistake, in characters from the beginning.
  public var offset: Int
  /// How many characters are wrong; one past the end if something is missing there.
  public var length: Int
  package var problem: Problem
  /// Up to three words that may have been meant.
  public var similar: [String]

  /// The position and the length in Unicode scalars, because other languages do not have Swift's
  /// characters.
  package var scalars: (offset: Int, length: Int) {
    let wrong = text.dropFirst(offset).prefix(length).unicodeScalars.count
    return (text.prefix(offset).unicodeScalars.count, max(1, wrong))
  }

  /// The invalid words, shortened and without terminal control characters.
  private var excerpt: String {
    let piece = text.dropFirst(offset).prefix(min(length, 32))
    return String(piece.map { $0.isPrintable ? $0 : "\u{fffd}" })
  }

  /// The text, with the mistake marked below it.
  public var picture: String {
    let line = String(text.prefix(Hotkey.longestText).map { $0.isPrintable ? $0 : "\u{fffd}" })
    return line + "\n" + String(repeating: " ", count: offset)
      + String(repeating: "^", count: max(1, min(length, Hotkey.longestText - offset)))
  }

  public var description: String {
    "character \(offset + 1): \(sentenceWithAdvice)"
  }

  /// What is wrong and what may have been meant, without the position.
  public var sentenceWithAdvice: String {
    let advice = similar.isEmpty ? "" : "; did you mean \(similar.joined(separator: " or "))?"
    return sentence + advice
  }

  /// The whole text with the unknown key as a character; `nil` if that is not valid either.
  private var withCharacter: String? {
    let before = text.prefix(offset)
    let written = text.dropFirst(offset).first?.unicodeScalars.first ?? " "
    let scalar = Symbol(written).character
    // these mean something to YAML even between these quotes
    let isSign = "\"{},[]".unicodeScalars.contains(scalar)
    let word = isSign ? "char:\(String(scalar.value, radix: 16))" : Vocabulary.word(for: scalar)
    let whole = "\(before)\(word)\(text.dropFirst(offset + 1))"
    guard (try? Hotkey(whole)) != nil else { return nil }
    return whole.hasPrefix("'") ? "\"\(whole)\"" : whole
  }

  /// `none` stands alone, so it is not advised beside another modifier.
  private var advisedModifiers: String {
    let last = text.contains("+") ? "altgr or super" : "altgr, super or none"
    return "write shift, ctrl, alt, \(last)"
  }

  private var sentence: String {
    switch problem {
    case .empty: "a hotkey has at least one key, as in super+t"
    case .tooLong: "a hotkey has at most \(Hotkey.longestText) characters"
    case .tooManySteps: "a sequence has at most \(Hotkey.longestSequence) chords"
    case .keyExpected: "a key is missing here"
    case .separatorExpected: "“+” or “;” is missing before “\(excerpt)”"
    case .characterExpected: "a quote needs one character and another quote, as in 'ö'"
    case .decomposed: "“\(excerpt)” has several code points: a key's character has one, as 'ö' has"
    case .numberExpected:
      "a number is expected: a key's from 0 to 65535, or a character's in hex"
    case .unknownKey where length == 1:
      "unknown key “\(excerpt)”; \(withCharacter.map { "write \($0)" } ?? "a character has quotes, as in 'ö'")"
    case .unknownKey where Vocabulary.isNumberedButton(excerpt.lowercased()):
      "unknown key “\(excerpt)”: the buttons are \(Vocabulary.buttonWords)"
    case .unknownKey: "unknown key “\(excerpt)”"
    case .unknownModifier: "unknown modifier “\(excerpt)”"
    case .unknownPrefix: "unknown prefix “\(excerpt)”"
    case .prefixOfPress:
      "leave out “\(excerpt)”, which says when a hotkey acts: these keys are pressed"
    case .notAModifier:
      "“\(excerpt)” is a key: it must be the last part of the chord"
    case .keyAmongModifiers: "“\(excerpt)” is not a modifier: \(advisedModifiers)"
    case .modifierExpected: "a modifier is missing here: \(advisedModifiers)"
    case .repeatedModifier: "“\(excerpt)” repeats a modifier"
    case .modifierAlone: "“\(excerpt)” needs a key with it; alone it is tap:\(excerpt)"
    case .lockAsModifier: "“\(excerpt)” is a lock, not a modifier: leave it out"
    case .modifierOfLayout: "leave out “\(excerpt)”: the layout uses it to choose the character"
    case .shiftWithoutCapital:
      "leave out “\(excerpt)”: this character has no capital, so Shift chooses another character"
    case .spaceAsCharacter: "with this modifier write the key, not its character"
    case .capital: "a letter is written small, and its capital with the modifier shift"
    case .tapNeedsModifier: "only one modifier can be tapped, as in tap:super"
    }
  }
}
