public import SQLiteCore

/// A type whose values are the rows of a table: a struct or a class.
///
/// ```swift
/// class Category: DataTable {
///   enum Kind: String, Codable { case local, web }
///
///   static let tableName = "Categories"
///   static let primaryKeyType = DataTableKeyType.computedInt
///
///   var id = 0
///   var added = Date()
///   var name = ""
///   var kind = Kind.local
///   var icon: Data?
///
///   required init() {}
/// }
///
/// try provider.save(Category())
/// ```
///
/// Each property that the type encodes is a column of its name, in the order in which they are encoded:
///
/// | property | column | holds |
/// |---|---|---|
/// | integers | INTEGER | the number; one past `Int64.max` is an error |
/// | `Double`, `Float` | REAL | the number; a NaN is an error |
/// | `Bool` | BOOLEAN | 0 or 1 |
/// | `String`, `URL`, `UUID`, `Decimal` | TEXT | the text |
/// | `Date` | DATE | text in UTC: `2026-11-21 14:37:29.125` |
/// | `Data`, `[UInt8]` | BLOB | the bytes |
/// | an enum with raw values | as its raw values | the raw value |
/// | another ``DataTable`` | as the other's key | its key; the other is a row of its own table |
/// | ``CrossReference`` | none | rows of a table of links |
/// | what binds itself (`SQLiteBindable`) | of no type | what it binds |
/// | anything else that is `Codable` | TEXT | a document of SPON |
///
/// A property that is optional is a column that may be NULL; all others are `NOT NULL`. The table is made of
/// the type, when its first row is saved: of `init()`'s value only the types of its properties are looked at.
///
/// A subclass is a type like any other, with a table of its own. Where its superclass is declared, its instances are
/// refused: what they add would be lost.
///
/// A type that encodes itself by hand must encode all of its columns in `init()`'s value: `nil` by
/// `encodeIfPresent`.
public protocol DataTable: Codable, SendableMetatype {
  /// A value with the defaults of all properties.
  init()

  /// The table's name: the type's, unless it says otherwise.
  static var tableName: String { get }

  /// The property that is the key: `id`, unless the type says otherwise.
  static var primaryKey: String { get }

  /// The properties that are the key together: ``primaryKey`` alone, unless the type says otherwise.
  ///
  /// A key of several is always of ``DataTableKeyType/uniqueValue``.
  static var primaryKeyColumns: [String] { get }

  /// Where the keys of new rows come from: ``DataTableKeyType/uniqueValue``, unless the type says otherwise.
  static var primaryKeyType: DataTableKeyType { get }
}

extension DataTable {
  public static var tableName: String { "\(Self.self)" }
  public static var primaryKey: String { "id" }
  public static var primaryKeyColumns: [String] { [primaryKey] }
  public static var primaryKeyType: DataTableKeyType { .uniqueValue }
}

/// Where the keys of new rows come from.
public enum DataTableKeyType: String, Hashable, Sendable, CaseIterable {
  /// From the application: a key of any type that one column holds, or several columns.
  case uniqueValue
  /// From SQLite, as the row is inserted: a number that no row of the table ever had. A key that is `nil`,
  /// zero or negative is not set yet.
  case autoIncrementingInt
  /// One more than the largest key of the table, as the row is inserted, or before that by
  /// `make` and `makeID`. A key that is `nil`, zero or negative is not set yet.
  case computedInt
  /// A random UUID, as text. A key that is `nil` or empty is not set yet.
  case autoUUIDString
}

/// A ``DataTable`` whose key has a type that is known when the program is compiled.
///
/// ```swift
/// struct Player: KeyedDataTable {
///   static let primaryKeyType = DataTableKeyType.autoIncrementingInt
///   var id = 0
///   var name = ""
///   var primaryKeyValue: Int { get { id } set { id = newValue } }
/// }
///
/// var player = Player()
/// try provider.save(&player)  // player.id is the key that SQLite made
/// ```
///
/// An instance of a class has its key written back by every `save`, a value by those that take it `inout`. Where
/// the save is a part of `transaction { … }`, and that is undone, instances get the keys back that they had. A
/// value keeps its key then, and so does everything after `rollbackTransaction()`: a row of that key may be another
/// one's by the next time, so save what was made before it, or make it anew.
public protocol KeyedDataTable: DataTable {
  associatedtype Key: SQLiteConvertible, Hashable, Sendable

  /// The key: the property that ``DataTable/primaryKey`` names.
  var primaryKeyValue: Key { get set }
}
