/// What becomes of tables that are not as their types say.
public enum SchemaPolicy: Hashable, Sendable {
  /// They are made, and changed where nothing is lost; what would be lost is an error.
  case automatic
  /// They are made and changed, whatever is lost.
  case automaticWithLosses
  /// Nothing is changed: migrations are the application's.
  case explicit
}
