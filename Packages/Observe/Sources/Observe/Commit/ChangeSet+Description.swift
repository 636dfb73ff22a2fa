internal import SQLiteCore

extension ChangeSet: CustomStringConvertible {
  /// One line per table, sorted by name.
  public var description: String {
    var lines = tables.sorted { $0.key.description < $1.key.description }.map { table, change in
      "\(table): \(change)"
    }
    if schemaChanged { lines.append("the schema was changed") }
    if isUnbounded { lines.append("anything may have changed") }
    return lines.isEmpty ? "nothing was changed" : lines.joined(separator: "\n")
  }
}

extension ChangeSet.TableChange: CustomStringConvertible {
  public var description: String {
    var parts: [String] = []
    for (kind, rowKind, deed) in [
      (Kinds.insert, Hooks.RowChange.Kind.insert, "inserted"), (.update, .update, "updated"),
      (.delete, .delete, "deleted"),
    ] where kinds.contains(kind) {
      let rows = rows?.filter { $0.kind == rowKind }
      let count = rows.map { $0.count == 1 ? "1 row" : "\($0.count) rows" } ?? "rows"
      var detail = ""
      if let rows, rows.count == 1, let row = rows.first {
        detail = row.description
      } else if kind == .update, case .some(let columns) = updatedColumns {
        detail = columns.map(\.name).sorted().joined(separator: ", ")
      }
      parts.append("\(deed) \(count)" + (detail.isEmpty ? "" : " (\(detail))"))
    }
    if rows == nil, kinds == .all, updatedColumns == .all { return "changed" }
    return parts.joined(separator: ", ")
  }
}

extension ChangeSet.ChangedRow: CustomStringConvertible {
  /// The values that an update changed, or those of the row that came or went.
  public var description: String {
    let parts = columns.indices.compactMap { index -> String? in
      switch (old?[index], new?[index]) {
      case (let old?, let new?):
        changed.contains(index) ? "\(columns[index]): \(old.shown) → \(new.shown)" : nil
      case (let value?, nil), (nil, let value?): "\(columns[index]): \(value.shown)"
      case (nil, nil): nil
      }
    }
    let limit = 8
    guard parts.count > limit else { return parts.joined(separator: ", ") }
    return parts.prefix(limit).joined(separator: ", ") + ", …"
  }
}

extension SQLiteValue {
  /// The value for people: short, and on one line.
  fileprivate var shown: String {
    switch self {
    case .text(let text):
      let limit = 48
      let head = String(text.prefix(limit)).debugDescription
      return text.count > limit ? "\(head)…" : head
    case .blob(let bytes): return bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    case .null, .integer, .real: return description
    }
  }
}
