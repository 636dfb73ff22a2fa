internal import QueryModel
internal import SQLSyntax

extension ParameterTable {
  /// Returns the parameters' definitions for the model, ordered by first use and with distinct
  /// names.
  ///
  /// - Parameter text: The text to which the parameters' ranges refer.
  func definitions(in text: ExpandedText) -> [ParameterDefinition] {
    let sorted = entries.sorted { $0.value.firstStart < $1.value.firstStart }
    return zip(sorted, Self.distinct(sorted.map(\.value.baseName))).map { item, name in
      let (index, entry) = item
      let isList = !entry.listSpans.isEmpty
      return ParameterDefinition(
        index: index, name: name, type: entry.type, isNullable: !isList && entry.isNullable,
        isList: isList || entry.insertions.contains(where: \.isList),
        columns: zip(entry.columns, Self.distinct(entry.columns.map(\.baseName))).map {
          ElementColumn(
            name: $1, type: $0.type, isNullable: !isList && $0.isNullable,
            origins: $0.provenance.references, isStored: $0.isStored)
        },
        table: entry.table, listRanges: entry.listSpans.map(text.range),
        rowRanges: entry.insertions.map { text.range(of: $0.span) },
        ranges: entry.valueSpans.map(text.range),
        origins: entry.provenance.references, isStored: entry.isStored)
    }
  }

  /// Returns distinct names: the second `age` becomes `age2`.
  private static func distinct(_ names: [String]) -> [String] {
    var used: Set<String> = []
    // The last number used for each name; all smaller numbers are taken.
    var numbers: [String: Int] = [:]
    return names.map { base in
      var name = base
      var number = numbers[base.lowercased()] ?? 1
      while !used.insert(name.lowercased()).inserted {
        number += 1
        name = "\(base)\(number)"
      }
      numbers[base.lowercased()] = number
      return name
    }
  }
}

extension Resolver {
  /// Reports each parameter that is used in several forms.
  mutating func checkForms() {
    for (_, entry) in parameters.entries.sorted(by: { $0.key < $1.key }) {
      let uses = entry.formUses
      guard let first = uses.first, let other = uses.first(where: { $0.form != first.form })
      else { continue }
      diagnostics.append(
        Diagnostic(
          .mixedParameter, at: other.span,
          "`\(source[other.span])` is \(other.form) here, but \(first.form) elsewhere; "
            + "use a second parameter",
          notes: [Diagnostic.Note("\(first.note) is here", at: first.span)]))
    }
  }
}

extension ParameterTable.Entry {
  fileprivate var firstStart: ByteOffset { spans.first?.start ?? ByteOffset(0) }

  /// The uses with descriptions of their forms, the values last.
  fileprivate var formUses: [(form: String, note: String, span: ByteSpan)] {
    let isRowList = Dictionary(
      insertions.map { ($0.span.end, $0.isList) }, uniquingKeysWith: { first, _ in first })
    return rowSpans.map { span in
      isRowList[span.end] == true
        ? ("a list of rows", "the list", span) : ("a row of values", "the row", span)
    } + listSpans.map { ("a list", "the list", $0) }
      + valueSpans.map { ("a single value", "the value", $0) }
  }

  /// The parameter's own name, or a name suggested by one of its uses.
  fileprivate var baseName: String {
    if let name {
      // SQLite treats `$a::b(c)` as one name.
      let word = name.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if !word.isEmpty { return String(word) }
    }
    return uses.lazy.compactMap(\.name).first { !$0.isEmpty }
      ?? (columns.isEmpty ? "value" : insertions.contains { !$0.isList } ? "row" : "rows")
  }
}
