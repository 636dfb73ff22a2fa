/// An order of texts that knows Unicode, ready to be registered.
///
/// SQLite's own `BINARY` and `NOCASE` know the letters of ASCII. These compare as Swift does, alike on
/// every platform; no language's customs come into it.
///
/// ```swift
/// try connection.register(.unicodeCaseInsensitive)
/// let names = try connection.values(
///   String.self, "SELECT name FROM person ORDER BY name COLLATE unicode_nocase")
/// ```
///
/// The order is that of the Unicode release which the Swift runtime knows. An index that uses it is to be
/// built anew (`REINDEX`) where a later release orders its texts otherwise.
public struct UnicodeCollation: Sendable {
  /// What follows `COLLATE`.
  public let name: String
  let compare: @Sendable (String, String) -> Int

  /// `unicode`: an `é` of one character is equal to one of two, and letters go by their code points.
  public static let unicode = UnicodeCollation(name: "unicode") { $0.order($1) }

  /// `unicode_nocase`: as `unicode`, and letters of either case are equal: texts are compared in upper
  /// case.
  public static let unicodeCaseInsensitive = UnicodeCollation(name: "unicode_nocase") {
    $0.uppercased().order($1.uppercased())
  }
}

extension Connection {
  /// Gives SQL one of the ready orders of texts.
  ///
  /// - Throws: As ``registerCollation(_:_:)``.
  public func register(_ collation: UnicodeCollation) throws(SQLiteError) {
    try registerCollation(collation.name, collation.compare)
  }
}

extension String {
  fileprivate func order(_ other: String) -> Int { self < other ? -1 : self == other ? 0 : 1 }
}
