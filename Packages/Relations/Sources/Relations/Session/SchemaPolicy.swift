/// What becomes of tables that are not as their types say.
public enum SchemaPolicy: Hashable, Sendable {
  /// They are made, and changed where nothing is lost; what would be lost is an error.
  case automatic
  /// They are made and changed, whatever is lost: columns that no property has are dropped.
  case automaticWithLosses
  /// Nothing is changed: migrations are the application's. A table or column that is not there is an error as the type is first
  /// used.
  case explicit
}
