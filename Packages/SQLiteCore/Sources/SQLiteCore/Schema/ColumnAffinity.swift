/// What SQLite makes of the values that are stored in a column, which its declared type says: numbers of texts, or texts of
/// numbers, where that loses nothing.
///
/// ```swift
/// ColumnAffinity(declaredType: "VARCHAR(20)")  // text
/// ```
///
/// The rules are SQLite's: https://sqlite.org/datatype3.html#determination_of_column_affinity
public enum ColumnAffinity: Hashable, Sendable {
  case integer, text, blob, real, numeric

  /// - Parameters:
  ///   - declaredType: The type as the column's declaration has it, as ``ColumnSchema/declaredType``; empty where there is none.
  ///   - isStrict: Whether its table is `STRICT`: `ANY` means there that nothing is converted.
  public init(declaredType: String, isStrict: Bool = false) {
    let type = declaredType.asciiLowercased
    func has(_ part: String) -> Bool {
      type.utf8.count >= part.utf8.count
        && (0...type.utf8.count - part.utf8.count).contains {
          type.utf8.dropFirst($0).starts(with: part.utf8)
        }
    }
    if isStrict, type == "any" {
      self = .blob
    } else if has("int") {
      self = .integer
    } else if has("char") || has("clob") || has("text") {
      self = .text
    } else if has("blob") || type.isEmpty {
      self = .blob
    } else if has("real") || has("floa") || has("doub") {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Whether every value that this affinity leaves is the same number, text or blob under another.
  func isKept(by other: ColumnAffinity) -> Bool {
    switch (self, other) {
    case (_, .blob): true
    case (.integer, .numeric), (.numeric, .integer): true
    case (.real, .integer), (.real, .numeric): true
    case let (a, b): a == b
    }
  }
}
