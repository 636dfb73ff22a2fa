internal import Primitives
public import QueryModel

/// What SQLite coerces a value to before storing or comparing it.
///
/// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
public enum Affinity: Hashable, Sendable {
  /// No coercion; SQLite's documentation calls it `BLOB`.
  case none
  case text
  case numeric
  case integer
  case real

  /// The affinity of a column declared with `declaredType`, or of a cast to it.
  ///
  /// The rules are SQLite's own, in its order: `CHARINT` is an integer, for it contains `INT`.
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

  /// Whether the affinity turns text that looks like a number into one.
  var isNumeric: Bool {
    switch self {
    case .numeric, .integer, .real: true
    case .none, .text: false
    }
  }
}

/// The lower-case form of an ASCII letter; every other byte as it is, as SQLite folds names.
func asciiLowercased(_ byte: UInt8) -> UInt8 {
  byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}

extension ValueType {
  /// What a column of an ordinary table holds, going by its declaration.
  ///
  /// SQLite would store text that is no number in an `INTEGER` column of a table that is not
  /// `STRICT`; the declaration is trusted here, as people who write it mean it.
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

  /// What a column of a `STRICT` table holds; `nil` where the type is none that such a table takes.
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

  /// What `CAST(… AS declaredType)` gives for a value of this type.
  ///
  /// A cast to a numeric affinity makes a number of anything, whatever name the type has.
  func cast(to affinity: Affinity) -> ValueType {
    switch affinity {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .none: .blob
    case .numeric:
      switch self {
      case .integer, .boolean: .integer
      case .real, .text, .blob, .numeric, .any: .numeric
      }
    }
  }

  /// The narrowest type that holds the values of both.
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

  /// Whether every value of the type is a number.
  var isNumber: Bool {
    switch self {
    case .integer, .real, .boolean, .numeric: true
    case .text, .blob, .any: false
    }
  }

  /// What `+`, `-` and `*` give. Text counts as the number it begins with.
  func arithmetic(_ other: ValueType) -> ValueType {
    switch (self.isInteger, other.isInteger) {
    case (true, true): .integer
    default: self == .real || other == .real ? .real : .numeric
    }
  }

  /// Whether every value of the type is an integer.
  var isInteger: Bool { self == .integer || self == .boolean }
}

/// The union of two types, where `nil` is the type of an expression that is always `NULL`.
func union(_ left: ValueType?, _ right: ValueType?) -> ValueType? {
  guard let left else { return right }
  guard let right else { return left }
  return left.union(right)
}
