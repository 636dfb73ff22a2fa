internal import QueryModel
internal import SQLSyntax

extension ParameterTable {
  /// The parameters as the model has them, in the order of their first use, with names that are
  /// distinct.
  func definitions(from start: ByteOffset) -> [ParameterDefinition] {
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
        isList: isList, listRanges: entry.listSpans.map { $0.range(from: start) },
        ranges: isList ? [] : entry.spans.map { $0.range(from: start) },
        origins: entry.provenance.references)
    }
  }
}

extension ParameterTable.Entry {
  fileprivate var firstStart: ByteOffset { spans.first?.start ?? ByteOffset(0) }

  /// Its own name, or one that a use suggests.
  fileprivate var baseName: String {
    if let name {
      // `$a::b(c)` is one name to SQLite.
      let word = name.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if !word.isEmpty { return String(word) }
    }
    return uses.lazy.compactMap(\.name).first { !$0.isEmpty } ?? "value"
  }
}

extension ByteSpan {
  fileprivate func range(from start: ByteOffset) -> Range<Int> {
    (self.start.value - start.value)..<(end.value - start.value)
  }
}
