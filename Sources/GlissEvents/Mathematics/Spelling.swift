/// Suggests what a misspelled word may have meant.
package enum Spelling {
  /// Up to three of `names` that resemble `word`, the most similar first, with at most `limit`
  /// wrong letters. A name that `word` abbreviates is among them, like one with a wrong letter. Case
  /// does not count. `onlyNearest` drops those less similar than the first.
  package static func similar(
    to word: String, among names: some Sequence<String>, within limit: Int,
    onlyNearest: Bool = false
  ) -> [String] {
    let wanted = Array(word.lowercased().utf8)
    var ranked: [(distance: Int, name: String)] = []
    // Each letter of difference in length counts as wrong.
    for name in names {
      let letters = Array(name.lowercased().utf8)
      if wanted.count >= 3, letters.starts(with: wanted), letters != wanted {
        ranked.append((1, name))
      } else if abs(letters.count - wanted.count) <= limit {
        let distance = distance(wanted, letters)
        if distance <= limit { ranked.append((distance, name)) }
      }
    }
    ranked.sort { $0 < $1 }
    let farthest = onlyNearest ? ranked.first?.distance ?? 0 : limit
    var nearest: [String] = []
    for (distance, name) in ranked where distance <= farthest && !nearest.contains(name) {
      nearest.append(name)
      if nearest.count == 3 { break }
    }
    return nearest
  }

  /// The number of letter changes that turn `a` into `b` (Levenshtein).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.prefix(64).enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let substitution = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
