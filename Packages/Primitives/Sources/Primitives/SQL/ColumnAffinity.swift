/// A column's type affinity, derived from its declared type: the conversion of stored values from text to numbers or
/// from numbers to text, if it is lossless.
///
/// ```swift
/// ColumnAffinity(declaredType: "VARCHAR(20)")  // text
/// ```
///
/// For the rules, see https://sqlite.org/datatype3.html#determination_of_column_affinity
public enum ColumnAffinity: Hashable, Sendable {
  case integer, text, blob, real, numeric

  /// - Parameters:
  ///   - declaredType: The declared type, or an empty string if there is none.
  ///   - isStrict: Whether the table is `STRICT`: there, `ANY` prevents any conversion.
  public init(declaredType: String, isStrict: Bool = false) {
    let type = declaredType.utf8.map(\.asciiLowercased)
    func has(_ part: String) -> Bool {
      type.count >= part.utf8.count
        && (0...type.count - part.utf8.count).contains {
          type[$0...].starts(with: part.utf8)
        }
    }
    if isStrict, type.elementsEqual("any".utf8) {
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
}
