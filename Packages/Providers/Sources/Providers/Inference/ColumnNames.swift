internal import SQLiteCore

extension TableCollector {
  /// Names for columns, of what a file calls them.
  @_spi(Formats) public enum ColumnNames {
    /// Names that can stand in one table, in the same order.
    ///
    /// - White space and control characters around a name are dropped, and those within it become one space.
    /// - A name that is empty then becomes `column3`, after its place.
    /// - A name that was there already, as SQLite sees it, which is without regard to the case of ASCII letters, gets the
    ///   first of `_2`, `_3` and so on that makes it new. A name that the file has keeps it.
    public static func unique(_ names: [String]) -> [String] {
      let cleaned = names.map(cleaned)
      // The first one of each name has it.
      var taken: Set<FoldedName> = []
      let isFirst = cleaned.map { !$0.isEmpty && taken.insert(FoldedName($0)).inserted }
      return cleaned.enumerated().map { index, name in
        if isFirst[index] { return name }
        let base = name.isEmpty ? "column\(index + 1)" : name
        if name.isEmpty, taken.insert(FoldedName(base)).inserted { return base }
        var number = 2
        while !taken.insert(FoldedName("\(base)_\(number)")).inserted { number += 1 }
        return "\(base)_\(number)"
      }
    }

    private static func cleaned(_ name: String) -> String {
      let words = name.unicodeScalars.split { scalar in
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
          || scalar.value == 0xFEFF
      }
      return words.map { String($0) }.joined(separator: " ")
    }
  }
}
