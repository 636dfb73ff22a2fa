/// Conversion between column names and keys.
extension RowReader {
  /// The keys of the columns, if these differ from the column names.
  final class ConvertedKeys {
    var keys: [String] = []
    var columns: [String: Int] = [:]
  }

  var convertedKeys: ConvertedKeys {
    if let cachedKeys { return cachedKeys }
    let converted = ConvertedKeys()
    for (index, column) in row.columnNames.enumerated() {
      let key = convertedKey(of: column)
      converted.keys.append(key)
      if converted.columns[key] == nil { converted.columns[key] = index }
    }
    cachedKeys = converted
    return converted
  }

  /// Returns the key of a column. Each part of a nested value's column name is converted
  /// separately.
  private func convertedKey(of column: String) -> String {
    guard let separator = settings.nestedColumnSeparator, !separator.isEmpty else {
      return settings.keyDecodingStrategy.key(of: column) ?? column
    }
    return column.parts(separatedBy: separator)
      .map { settings.keyDecodingStrategy.key(of: $0) ?? $0 }.joined(separator: separator)
  }

  var columnKeys: [String] {
    settings.keyDecodingStrategy.isDefault ? row.columnNames : convertedKeys.keys
  }

  /// The indexes of this reader's columns.
  var columns: [Int] {
    if let cachedColumns { return cachedColumns }
    let columns =
      prefix.isEmpty
      ? Array(0..<row.columnCount)
      : columnKeys.indices.filter { columnKeys[$0].hasPrefix(prefix) }
    cachedColumns = columns
    return columns
  }

  /// All keys. Columns of a nested value are represented by the key of that value.
  var keys: [String] {
    var seen: Set<String> = []
    return columnKeys.compactMap { name in
      guard name.hasPrefix(prefix) else { return nil }
      var key = String(name.dropFirst(prefix.count))
      if let separator = settings.nestedColumnSeparator, !separator.isEmpty {
        key = key.parts(separatedBy: separator)[0]
      }
      return seen.insert(key).inserted ? key : nil
    }
  }
}

extension String {
  /// Returns the parts between the occurrences of `separator`: at least one.
  fileprivate func parts(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let found = rest.firstRange(of: separator) {
      parts.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    return parts + [String(rest)]
  }
}
