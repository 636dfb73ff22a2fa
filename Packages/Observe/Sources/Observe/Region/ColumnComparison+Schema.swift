internal import SQLiteCore

extension ColumnComparison {
  init(_ column: TableSchema.Column, isUTF8: Bool) {
    affinity =
      switch column.affinity {
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
