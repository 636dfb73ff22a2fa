internal import Primitives
public import QueryModel

/// The type to which SQLite converts a value before storing or comparing it.
///
/// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
public enum Affinity: Hashable, Sendable {
  /// No conversion; SQLite's documentation calls this affinity `BLOB`.
  case none
  case text
  case numeric
  case integer
  case real

  /// Determines the affinity of a column with the given declared type, or of a cast to it.
  ///
  /// The rules are applied in SQLite's order: `CHARINT` has integer affinity, because it contains
  /// `INT`.
  public init(declaredType: String) {
    self =
      switch ColumnAffinity(declaredType: declaredType) {
      case .integer: .integer
      case .text: .text
      case .blob: .none
      case .real: .real
      case .numeric: .numeric
      }
  }

  /// Indicates whether the affinity converts text that looks like a number.
  var isNumeric: Bool {
    switch self {
    case .numeric, .integer, .real: true
    case .none, .text: false
    }
  }
}

extension ValueType {
  /// Determines the type of an ordinary table's column from its declaration.
  ///
  /// SQLite can store non-numeric text in an `INTEGER` column unless the table is `STRICT`. The
  /// declaration is trusted nevertheless.
  public init(declaredType: String) {
    let name = declaredType.lowercased()
    switch Affinity(declaredType: declaredType) {
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .none: self = declaredType.isEmpty ? .any : .blob
    case .numeric:
      if name.hasPrefix("bool") {
        self = .boolean
      } else if name.hasPrefix("dec") || name.hasPrefix("num") {
        self = .numeric
      } else {
        self = .any
      }
    }
  }

  /// Determines the type of a `STRICT` table's column; `nil` if such a table does not allow the
  /// declared type.
  init?(strictType: String) {
    switch strictType.lowercased() {
    case "int", "integer": self = .integer
    case "real": self = .real
    case "text": self = .text
    case "blob": self = .blob
    case "any": self = .any
    default: return nil
    }
  }

  /// Returns the result type of casting a value of this type.
  ///
  /// A cast to a type with numeric affinity always yields a number.
  func cast(to affinity: Affinity) -> ValueType {
    switch affinity {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .none: .blob
    case .numeric:
      switch self {
      case .integer, .boolean: .integer
      case .real, .text, .blob, .numeric, .any, .swift: .numeric
      }
    }
  }

  /// Returns the narrowest type that contains the values of both types.
  func union(_ other: ValueType) -> ValueType {
    if self == other { return self }
    switch (self, other) {
    case (.integer, .boolean), (.boolean, .integer): return .integer
    case (.integer, .real), (.real, .integer), (.boolean, .real), (.real, .boolean),
      (.numeric, .integer), (.integer, .numeric), (.numeric, .real), (.real, .numeric),
      (.numeric, .boolean), (.boolean, .numeric):
      return .numeric
    default: return .any
    }
  }

  /// Indicates whether every value of the type is a number.
  var isNumber: Bool {
    switch self {
    case .integer, .real, .boolean, .numeric: true
    case .text, .blob, .any, .swift: false
    }
  }

  /// Returns the result type of `+`, `-` and `*`. Text is converted to the number with which it
  /// begins.
  func arithmetic(_ other: ValueType) -> ValueType {
    switch (self.isInteger, other.isInteger) {
    case (true, true): .integer
    default: self == .real || other == .real ? .real : .numeric
    }
  }

  /// Indicates whether every value of the type is an integer.
  var isInteger: Bool { self == .integer || self == .boolean }
}

/// Returns the union of two types. `nil` is the type of an expression that is always `NULL`.
func union(_ left: ValueType?, _ right: ValueType?) -> ValueType? {
  guard let left else { return right }
  guard let right else { return left }
  return left.union(right)
}
