extension ModelSession {
  /// What becomes of tables that are not as their types say.
  public enum SchemaPolicy: Hashable, Sendable {
    /// They are made, and changed where nothing is lost; what would be lost is an error.
    case automatic
    /// They are made and changed, whatever is lost: columns that no property has are dropped.
    case automaticWithLosses
    /// Nothing is changed: migrations are the application's. A table or column that is not there is an error as the type is first
    /// used.
    case explicit
    /// Nothing is changed, as with ``explicit``, and whatever differs is an error that names the table and the column: for
    /// tables that something else has made, as generated code's migrations do. A column must hold what its property does, may be
    /// NULL where that may be nil, and be of the key where that is; a reference must lead to the relation's table. A column that
    /// no property has must be one that rows can be inserted without.
    case verified

    /// Whether tables are made and changed.
    var makesTables: Bool {
      switch self {
      case .automatic, .automaticWithLosses: true
      case .explicit, .verified: false
      }
    }
  }
}
