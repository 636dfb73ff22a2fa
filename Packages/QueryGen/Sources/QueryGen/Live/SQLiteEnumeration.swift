/// The texts that a `CHECK` of the schema allows, as an enum: what is generated for such a column.
///
/// Reading another text is an error that names the table and the column.
public protocol SQLiteEnumeration: RawRepresentable<String>, CaseIterable, Codable, Hashable,
  Sendable, SQLiteReadable, SQLiteBindable
{}
