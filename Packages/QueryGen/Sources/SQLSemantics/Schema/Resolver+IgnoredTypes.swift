internal import SQLSyntax

/// Column types of other databases that SQLite accepts without their meaning.
extension Resolver {
  /// Warns about `AUTO_INCREMENT`, `IDENTITY` and `SERIAL` in a column's type. SQLite accepts any words
  /// as a type, and such a column gets no values.
  mutating func checkIgnoredType(_ node: SQLSyntax.ColumnDefinition) {
    guard let type = node.type else { return }
    let words = type.words.map(\.folded)
    let isSerial = ["serial", "bigserial", "smallserial"].contains(words.first)
    guard
      let word = isSerial
        ? type.words.first
        : type.words.first(where: { ["auto_increment", "identity"].contains($0.folded) })
    else { return }
    let isKey = node.constraints.contains { constraint in
      if case .primaryKey = constraint.kind { true } else { false }
    }
    let use = "an INTEGER PRIMARY KEY gets its values from SQLite"
    warn(
      .ignoredType, at: type.span,
      "SQLite ignores \(word.text.uppercased()) in a column's type; \(use)",
      fixIt: isKey ? Diagnostic.FixIt(replace: type.span, with: "INTEGER") : nil)
  }
}
