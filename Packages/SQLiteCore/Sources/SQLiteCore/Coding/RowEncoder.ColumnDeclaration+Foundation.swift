#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RowEncoder.ColumnDeclaration {
  /// Returns the declared type of a column for a Foundation type.
  static func foundationType(_ type: Any.Type) -> String? {
    if type == Date.self { return "DATE" }
    if type == Data.self { return "BLOB" }
    if type == URL.self || type == UUID.self || type == Decimal.self { return "TEXT" }
    return nil
  }
}
