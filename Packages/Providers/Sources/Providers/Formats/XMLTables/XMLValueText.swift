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
        guard let text = real(value, digits: known.form.fractionDigits) else {
          throw ProviderError(.unrepresentable, "XML has no number that is infinite")
        }
        try text.withUTF8Span { try body($0) }
      case .blob:
        throw ProviderError(.unrepresentable, "an ordinary document can't hold a BLOB")
      }
    } catch let error as ProviderError where error.column == nil && error.table == nil {
      var named = error
      named.column = known.name
      throw named
    }
  }

  /// A number without an exponent, with at least as many digits behind the point; `nil` where it has no end.
  static func real(_ value: Double, digits: Int?) -> String? {
    guard value.isFinite else { return nil }
    // `1.0` is `1.00` among numbers with two digits.
    let (whole, fraction) = ColumnForm.digits(of: value)
    let count = Swift.max(digits ?? 1, 1)
    let zeros = String(repeating: "0", count: Swift.max(0, count - fraction.utf8.count))
    return "\(whole).\(fraction)\(zeros)"
  }
}
