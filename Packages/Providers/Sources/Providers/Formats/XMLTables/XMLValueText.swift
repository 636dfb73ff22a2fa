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
          try boolean(value == 1, known.form).withUTF8Span { try body($0) }
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

  private static func boolean(_ value: Bool, _ form: ColumnForm) -> String {
    switch form.booleans {
    case .large: value ? "TRUE" : "FALSE"
    case .capitalized: value ? "True" : "False"
    case .small, .mixed, nil: value ? "true" : "false"
    }
  }

  /// A number without an exponent, with at least as many digits behind the point; `nil` where it has no end.
  static func real(_ value: Double, digits: Int?) -> String? {
    guard value.isFinite else { return nil }
    let text = value.description
    let parts = text.split(separator: "e")
    var whole = "", fraction = ""
    let sign = value.sign == .minus ? "-" : ""
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    whole = String(mantissa[0])
    fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
    if parts.count > 1, let exponent = Int(parts[1]) {
      let all = whole + (fraction == "0" ? "" : fraction)
      let point = whole.count + exponent
      if point <= 0 {
        whole = "0"
        fraction = String(repeating: "0", count: -point) + all
      } else if point >= all.count {
        whole = all + String(repeating: "0", count: point - all.count)
        fraction = ""
      } else {
        whole = String(all.prefix(point))
        fraction = String(all.dropFirst(point))
      }
    }
    if fraction.isEmpty { fraction = "0" }
    // `1.0` is `1.00` among numbers with two digits.
    if let digits, fraction.count < digits {
      fraction += String(repeating: "0", count: digits - fraction.count)
    }
    return "\(sign)\(whole).\(fraction)"
  }
}
