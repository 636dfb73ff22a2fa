internal import SQLiteCore

extension ColumnComparison {
  init(_ column: ColumnSchema, isUTF8: Bool) {
    affinity =
      switch DeclaredAffinity(column.declaredType) {
      // In a strict table it means that nothing is converted, elsewhere that numbers are.
      case .numeric where column.declaredType.uppercased() == "ANY": .unknown
      case .integer, .real, .numeric: .numeric
      case .text: .text
      case .blob: .blob
      }
    collation =
      switch column.collation?.uppercased() {
      case "BINARY": .binary
      case "NOCASE": .noCase
      case "RTRIM": .rightTrim
      default: .unknown
      }
    self.isUTF8 = isUTF8
  }
}

/// What a column's declared type makes of values: the rules of https://sqlite.org/datatype3.html,
/// section 3.1, in their order.
enum DeclaredAffinity {
  case integer, text, blob, real, numeric

  init(_ declaredType: String) {
    let type = Array(declaredType.uppercased().utf8)
    func has(_ part: String) -> Bool {
      type.indices.contains { type[$0...].starts(with: part.utf8) }
    }
    self =
      if has("INT") {
        .integer
      } else if has("CHAR") || has("CLOB") || has("TEXT") {
        .text
      } else if has("BLOB") || type.isEmpty {
        .blob
      } else if has("REAL") || has("FLOA") || has("DOUB") {
        .real
      } else {
        .numeric
      }
  }
}
