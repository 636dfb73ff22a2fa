import SQLiteCore
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test on an SQLite without a feature, which the comment names.
  static func needs(_ feature: SQLiteLibrary.Feature) -> Self {
    .enabled(
      if: SQLiteLibrary.supports(feature),
      "SQLite \(SQLiteLibrary.version) was compiled without \(feature)")
  }
}
