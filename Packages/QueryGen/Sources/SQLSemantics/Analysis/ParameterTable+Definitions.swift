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
        isList: isList,
        columns: zip(entry.columns, Self.distinct(entry.columns.map(\.baseName))).map {
          ColumnDefinition(
            name: $1, type: $0.type, isNullable: false, origins: $0.provenance.references)
        },
        listRanges: entry.listSpans.map(text.range),
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
  /// Reports each parameter that is both a list and a value.
  mutating func checkLists() {
    for (_, entry) in parameters.entries.sorted(by: { $0.key < $1.key }) {
      guard let list = entry.listSpans.first, let value = entry.valueSpans.first else { continue }
      diagnostics.append(
        Diagnostic(
          .mixedParameter, at: value,
          "`\(source[value])` is a single value here, but a list elsewhere; "
            + "use a second parameter",
          notes: [Diagnostic.Note("the list is here", at: list)]))
    }
  }
}

extension ParameterTable.Entry {
  fileprivate var firstStart: ByteOffset {
    [listSpans.first?.start, valueSpans.first?.start].compactMap(\.self).min() ?? ByteOffset(0)
  }

  /// The parameter's own name, or a name suggested by one of its uses.
  fileprivate var baseName: String {
    if let name {
      // SQLite treats `$a::b(c)` as one name.
      let word = name.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if !word.isEmpty { return String(word) }
    }
    return uses.lazy.compactMap(\.name).first { !$0.isEmpty }
      ?? (columns.isEmpty ? "value" : "rows")
  }
}
