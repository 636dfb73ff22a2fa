internal import QueryModel
internal import SQLSyntax

extension ParameterTable {
  /// Returns the parameters' definitions for the model, ordered by first use and with distinct
  /// names.
  ///
  /// - Parameter text: The text to which the parameters' ranges refer.
  func definitions(in text: ExpandedText) -> [ParameterDefinition] {
    var names: Set<String> = []
    return entries.sorted { $0.value.firstStart < $1.value.firstStart }.map { index, entry in
      let base = entry.baseName
      var name = base
      var number = 2
      while !names.insert(name.lowercased()).inserted {
        name = "\(base)\(number)"
        number += 1
      }
      let isList = !entry.listSpans.isEmpty
      return ParameterDefinition(
        index: index, name: name, type: entry.type, isNullable: !isList && entry.isNullable,
        isList: isList, listRanges: entry.listSpans.map(text.range),
        ranges: isList ? [] : entry.spans.map(text.range),
        origins: entry.provenance.references)
    }
  }
}

extension ParameterTable.Entry {
  fileprivate var firstStart: ByteOffset { spans.first?.start ?? ByteOffset(0) }

  /// The parameter's own name, or a name suggested by one of its uses.
  fileprivate var baseName: String {
    if let name {
      // SQLite treats `$a::b(c)` as one name.
      let word = name.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if !word.isEmpty { return String(word) }
    }
    return uses.lazy.compactMap(\.name).first { !$0.isEmpty } ?? "value"
  }
}
