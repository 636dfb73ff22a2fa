public import SQLiteCore
internal import Primitives

/// A key of several columns: a struct whose properties are these columns, in the same order.
///
/// ```swift
/// struct SeatKey: CompositeKey {
///   var hall = ""
///   var number = 0
/// }
/// struct Seat: Table {
///   var hall = ""
///   var number = 0
///   var price = 0.0
///   var id: SeatKey {
///     get { SeatKey(hall: hall, number: number) }
///     set { (hall, number) = (newValue.hall, newValue.number) }
///   }
/// }
/// struct Ticket: Table {
///   var id = 0
///   var seat = OneRelation<Seat>()  // the columns seat_hall and seat_number, and a foreign key
/// }
/// ```
///
/// The table has properties with the same names, which are its ``Table/keyColumns`` by default, in
/// the same order. A part that can't be written as a column is NULL, which matches no key.
public protocol CompositeKey: TableKey {
  /// Creates a key with the default values of all parts.
  init()
}

extension CompositeKey {
  public static var columnTypes: [String] { CompositeKeyLayout.of(Self.self).types }

  public var keyValues: [SQLiteValue] {
    let parts = CompositeKeyLayout.of(Self.self)
    let binding = RowEncoder.Binding(columns: parts.names, replacing: TableMetadata.replacement)
    return (try? binding.values(of: self)) ?? parts.names.map { _ in .null }
  }

  public init(from row: borrowing Row, columns: [ColumnIndex]) throws(SQLiteError) {
    let parts = CompositeKeyLayout.of(Self.self)
    let names = row.columnNames
    var keys: [String: String] = [:]
    for (column, part) in zip(columns, parts.names) where names.indices.contains(column.rawValue) {
      keys[names[column.rawValue]] = part
    }
    var decoder = RowDecoder()
    decoder.keyDecodingStrategy = .custom { [keys] in keys[$0] ?? "" }
    do {
      self = try decoder.decode(Self.self, from: row)
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw SQLiteError(code: .columnTypeMismatch, message: "\(Self.self) can't be read: \(error)")
    }
  }
}

extension Table where ID: CompositeKey {
  /// The names of the key's properties.
  public static var keyColumns: [String] { CompositeKeyLayout.of(ID.self).names }
}

/// The names and types of a key's properties.
struct CompositeKeyLayout: Sendable {
  let names: [String]
  let types: [String]

  private static let layouts = Mutex<[ObjectIdentifier: CompositeKeyLayout]>([:])

  static func of<Key: CompositeKey>(_ type: Key.Type) -> CompositeKeyLayout {
    let identity = ObjectIdentifier(type)
    if let parts = layouts.withLock({ $0[identity] }) { return parts }
    // A type with a custom encoding has no parts, which its table rejects.
    let properties = (try? RowEncoder.Properties(of: Key()))?.all ?? []
    let parts = CompositeKeyLayout(
      names: properties.map(\.name),
      types: properties.map { RowEncoder.ColumnDeclaration.type(of: $0.type) ?? "TEXT" })
    layouts.withLock { $0[identity] = parts }
    return parts
  }
}

/// A BLOB key.
extension [UInt8]: TableKey {
  public var keyValues: [SQLiteValue] { [.blob(self)] }
  /// A Boolean value that indicates whether the key is empty.
  public var isUnset: Bool { isEmpty }
  public static var columnTypes: [String] { ["BLOB"] }
}
