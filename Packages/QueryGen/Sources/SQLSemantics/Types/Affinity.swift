internal import Primitives

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
