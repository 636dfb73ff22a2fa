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
/// Each property that the type encodes is a column with the property's name, in the order of
/// encoding:
///
/// | property | column | holds |
/// |---|---|---|
/// | integers | INTEGER | the number; one past `Int64.max` is an error |
/// | `Double`, `Float` | REAL | the number; a NaN is an error |
/// | `Bool` | BOOLEAN | 0 or 1 |
/// | `String`, `URL`, `UUID`, `Decimal` | TEXT | the text |
/// | `Date` | DATE | text in UTC: `2026-11-21 14:37:29.125` |
/// | `Data`, `[UInt8]` | BLOB | the bytes |
/// | an enum with raw values | the raw values' type | the raw value |
/// | another ``DataTable`` | its key's type | its key; the value is a row of its table |
/// | ``CrossReference`` | none | rows of a table of links |
/// | another `SQLiteBindable` type | no declared type | the bound value |
/// | any other `Codable` type | TEXT | a SPON document |
///
/// An optional property is a column that can be NULL; all others are `NOT NULL`. The table is
/// created when the first row is saved. The value of `init()` is only used for the types of its
/// properties.
///
/// A subclass is an ordinary type with its own table. Saving an instance of it as a value of the
/// superclass's type throws an error, because the subclass's properties would be lost.
///
/// A type with a custom `encode(to:)` must encode all of its columns for `init()`'s value: `nil`
/// with `encodeIfPresent`.
public protocol DataTable: Codable, SendableMetatype {
  /// Creates a value with the defaults of all properties.
  init()

  /// The table's name. The default is the type's name.
  static var tableName: String { get }

  /// The property that is the key. The default is `id`.
  static var primaryKey: String { get }

  /// The properties that form the key. The default is ``primaryKey``.
  ///
  /// A key of several properties always has the type ``DataTableKeyType/uniqueValue``.
  static var primaryKeyColumns: [String] { get }

  /// The source of new rows' keys. The default is ``DataTableKeyType/uniqueValue``.
  static var primaryKeyType: DataTableKeyType { get }
}

extension DataTable {
  public static var tableName: String { "\(Self.self)" }
  public static var primaryKey: String { "id" }
  public static var primaryKeyColumns: [String] { [primaryKey] }
  public static var primaryKeyType: DataTableKeyType { .uniqueValue }
}

/// The source of new rows' keys.
public enum DataTableKeyType: String, Hashable, Sendable, CaseIterable {
  /// The application: a key of any type that one column can hold, or several columns.
  case uniqueValue
  /// SQLite, on insertion: a number that no row of the table has ever had. A key that is `nil`,
  /// zero or negative is not set.
  case autoIncrementingInt
  /// One more than the largest key of the table, on insertion, or earlier with `make` and `makeID`.
  /// A key that is `nil`, zero or negative is not set.
  case computedInt
  /// A random UUID, as text. A key that is `nil` or empty is not set.
  case autoUUIDString
}

/// A ``DataTable`` whose key has a static type.
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
/// try provider.save(&player)  // player.id is the key that SQLite generated
/// ```
///
/// Each `save` writes the key back into an instance of a class, and saving `inout` writes it back
/// into a value. If the save is part of a `transaction { … }` that is rolled back, the former keys
/// of instances are restored. Values keep their new keys in this case, as do instances after
/// `rollbackTransaction()`. Another row can get such a key later: save only objects that existed
/// before, or create new ones.
public protocol KeyedDataTable: DataTable {
  associatedtype Key: SQLiteConvertible, Hashable, Sendable

  /// The key: the property that ``DataTable/primaryKey`` names.
  var primaryKeyValue: Key { get set }
}
