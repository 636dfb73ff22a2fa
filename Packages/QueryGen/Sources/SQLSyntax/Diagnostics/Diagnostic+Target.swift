extension Diagnostic.Identity {
  /// What only a newer release of SQLite than the target has.
  public static let newerThanTarget = Self(rawValue: "newer-than-target")
}

extension Diagnostic {
  /// Says which release of SQLite something needs.
  public static func newerThanTarget(
    _ what: String, needs version: SQLiteVersion, target: SQLiteVersion, at span: ByteSpan
  ) -> Diagnostic {
    Diagnostic(
      .newerThanTarget, at: span, "\(what) needs SQLite \(version), and the target is \(target)")
  }
}
