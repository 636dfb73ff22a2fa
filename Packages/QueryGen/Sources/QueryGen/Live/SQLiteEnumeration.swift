/// The texts that a `CHECK` of the schema allows, as an enum: what is generated for such a column.
///
/// Reading another text is an error that names the table and the column.
public protocol SQLiteEnumeration: RawRepresentable<String>, CaseIterable, Codable, Hashable,
  Sendable, SQLiteReadable, SQLiteBindable
{}

/// The integers that a `CHECK` of the schema allows, as an enum: what is generated for such a column
/// where a comment, `AS ENUM low, high`, says what they are called.
///
/// Reading another integer is an error that names the table and the column.
public protocol SQLiteIntegerEnumeration: RawRepresentable<Int>, CaseIterable, Codable, Hashable,
  Sendable, SQLiteReadable, SQLiteBindable
{}
