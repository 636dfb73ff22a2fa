/// Names that someone may have meant.
enum Spelling {
  /// The known name that is most like another, where one is like it at all.
  static func nearest(to name: String, in known: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
    let limit = min(3, max(1, (wanted.count + 1) / 2))
    return known.map { ($0, distance(wanted, Array($0.lowercased().unicodeScalars.prefix(64)))) }
      .filter { $0.1 <= limit }
      .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }

  /// How many letters have to be added, taken away or replaced.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[b.count]
  }
}
