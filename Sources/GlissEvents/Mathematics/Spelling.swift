/// Suggests what a misspelled word may have meant.
package enum Spelling {
  /// Up to three of `names` that resemble `word`, the most similar first, with at most `limit`
  /// wrong letters. A name that `word` abbreviates is among them, like one with a wrong letter. Case
  /// does not count. A name with at most one wrong letter drops those less similar, and
  /// `onlyNearest` drops them in any case. Case, dashes, dots and the s of a plural are no mistakes.
  package static func similar(
    to word: String, among names: some Sequence<String>, within limit: Int,
    onlyNearest: Bool = false
  ) -> [String] {
    let wanted = Array(word.lowercased().utf8)
    let key = stem(wanted)
    var ranked: [(distance: Int, name: String)] = []
    // Each letter of difference in length counts as wrong.
    for name in names {
      let letters = Array(name.lowercased().utf8)
      if !key.isEmpty, stem(letters) == key {
        ranked.append((0, name))
      } else if wanted.count >= 3, letters.starts(with: wanted), letters != wanted {
        ranked.append((1, name))
      } else if abs(letters.count - wanted.count) <= limit {
        let distance = distance(wanted, letters)
        if distance <= limit { ranked.append((distance, name)) }
      }
    }
    ranked.sort { $0 < $1 }
    let least = ranked.first?.distance ?? 0
    let farthest = onlyNearest || least <= 1 ? least : limit
    var nearest: [String] = []
    for (distance, name) in ranked where distance <= farthest && !nearest.contains(name) {
      nearest.append(name)
      if nearest.count == 3 { break }
    }
    return nearest
  }

  /// Those of `names` that resemble `word` most: with one wrong letter in short words, with more in
  /// long ones.
  package static func nearest(to word: String, among names: some Sequence<String>) -> [String] {
    let length = word.utf8.count
    let limit = length < 2 ? 0 : length < 6 ? 1 : max(2, length / 3)
    return similar(to: word, among: names, within: limit, onlyNearest: true)
  }

  private static func stem(_ word: [UInt8]) -> [UInt8] {
    let letters = word.filter { !"-_. ".utf8.contains($0) }
    return letters.count > 3 && letters.last == UInt8(ascii: "s") ? letters.dropLast() : letters
  }

  /// The number of mistakes that turn `a` into `b`: a letter too many, too few or wrong, or two
  /// letters that changed places (optimal string alignment).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var (before, row) = ([Int](), Array(0...b.count))
    for (i, letter) in a.prefix(64).enumerated() {
      var next = [i + 1]
      for (j, other) in b.enumerated() {
        var count = min(row[j] + (letter == other ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, letter == b[j - 1], other == a[i - 1] {
          count = min(count, before[j - 1] + 1)
        }
        next.append(count)
      }
      (before, row) = (row, next)
    }
    return row[b.count]
  }
}
