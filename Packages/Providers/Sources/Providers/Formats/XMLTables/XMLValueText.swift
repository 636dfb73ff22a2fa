internal import SQLiteCore

/// Values as the texts that ordinary documents have.
enum XMLValueText {
  /// Lends the text of a value that is not NULL.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` and the column, for blobs and infinities.
  static func with(
    _ cursor: XMLRowCursor, _ column: Int, _ body: (Span<UInt8>) throws -> Void
  ) throws {
    let known = cursor.plan.columns[column]
    let index = ColumnIndex(column + XMLRowPlan.firstColumn)
    do {
      switch try cursor.statement.row.storageClass(at: index) {
      case .null: return
      case .text:
        try cursor.statement.row.withText(at: index) { text in try body(text) }
      case .integer:
        let value = try cursor.statement.row.integer(at: index)
        if known.isBoolean, value == 0 || value == 1 {
          try known.form.text(of: value == 1).withUTF8Span { try body($0) }
        } else {
          try value.description.withUTF8Span { try body($0) }
        }
      case .real:
        let value = try cursor.statement.row.real(at: index)
        guard value.isFinite else {
          throw ProviderError(.unrepresentable, "XML has no number that is infinite")
        }
        try known.form.text(of: value).withUTF8Span { try body($0) }
      case .blob:
        throw ProviderError(.unrepresentable, "an ordinary document can't hold a BLOB")
      }
    } catch let error as ProviderError where error.column == nil && error.table == nil {
      var named = error
      named.column = known.name
      throw named
    }
  }
}
